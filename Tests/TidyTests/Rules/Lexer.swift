/// A word, sign or literal of Swift code; comments and blanks are no tokens.
struct Token: Equatable {
  enum Kind {
    /// An identifier, keyword or number; `text` has no backticks.
    case word
    /// A literal; `text` is what stands between the quotes, as written.
    case string
    /// One sign.
    case sign
  }

  let kind: Kind
  let text: String
  /// From 1.
  let line: Int
  /// No blank, comment or line end before it.
  let isGlued: Bool

  func isSign(_ sign: String) -> Bool { kind == .sign && text == sign }
  func isWord(_ word: String) -> Bool { kind == .word && text == word }
}

/// Splits Swift code into tokens, well enough for rules of style: regex literals are not known.
struct Lexer {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var glued = false
  private var tokens: [Token] = []

  static func tokens(of bytes: [UInt8]) -> [Token] {
    var lexer = Lexer(bytes: bytes)
    while lexer.position < bytes.count { lexer.step() }
    return lexer.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < bytes.count ? bytes[position + offset] : 0
  }

  private func at(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  private mutating func advance() {
    if byte() == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private mutating func step() {
    switch byte() {
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      advance()
      glued = false
    case UInt8(ascii: "/") where at("//"):
      while position < bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
    case UInt8(ascii: "/") where at("/*"):
      skipBlockComment()
    case _ where startsString:
      readString()
    case UInt8(ascii: "`"):
      readQuotedName()
    case let first where isWordByte(first):
      readWord()
    default:
      add(.sign, position..<position + 1, line)
      advance()
    }
  }

  private mutating func add(_ kind: Token.Kind, _ range: Range<Int>, _ line: Int) {
    let text = String(decoding: bytes[range], as: UTF8.self)
    tokens.append(Token(kind: kind, text: text, line: line, isGlued: glued))
    glued = true
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if at("/*") {
        depth += 1
        position += 2
      } else if at("*/") {
        depth -= 1
        position += 2
      } else {
        advance()
      }
    } while depth > 0 && position < bytes.count
    glued = false
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: byte >= 0x80
    }
  }

  private mutating func readWord() {
    let start = position
    while position < bytes.count, isWordByte(byte()) { position += 1 }
    add(.word, start..<position, line)
  }

  private mutating func readQuotedName() {
    let start = position + 1
    let first = line
    repeat { advance() } while position < bytes.count && byte() != UInt8(ascii: "`")
    add(.word, min(start, position)..<position, first)
    position += 1
  }

  /// A quote, or number signs and then one.
  private var startsString: Bool {
    var offset = 0
    while byte(offset) == UInt8(ascii: "#") { offset += 1 }
    return byte(offset) == UInt8(ascii: "\"")
  }

  private mutating func readString() {
    let first = line
    var hashes = 0
    while byte() == UInt8(ascii: "#") {
      hashes += 1
      position += 1
    }
    let quotes = at("\"\"\"") ? 3 : 1
    position += quotes
    let start = position
    while position < bytes.count, !endsString(quotes, hashes) {
      if byte() == UInt8(ascii: "\\") {
        skipEscape(hashes)
      } else if quotes == 1, byte() == UInt8(ascii: "\n") {
        break
      } else {
        advance()
      }
    }
    add(.string, start..<position, first)
    position += quotes + hashes
  }

  private func endsString(_ quotes: Int, _ hashes: Int) -> Bool {
    (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") }
      && (0..<hashes).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
  }

  /// A backslash with what belongs to it: one byte, or an interpolation with strings within.
  private mutating func skipEscape(_ hashes: Int) {
    position += 1
    for offset in 0..<hashes where byte(offset) != UInt8(ascii: "#") { return }
    position += hashes
    guard byte() == UInt8(ascii: "(") else {
      // Left for the caller where it is a line end, which the caller counts.
      if byte() != UInt8(ascii: "\n") { position += 1 }
      return
    }
    var inner = self
    inner.tokens = []
    var depth = 0
    repeat {
      let count = inner.tokens.count
      inner.step()
      guard inner.tokens.count > count, let last = inner.tokens.last else { continue }
      if last.isSign("(") { depth += 1 }
      if last.isSign(")") { depth -= 1 }
    } while depth > 0 && inner.position < bytes.count
    position = inner.position
    line = inner.line
  }
}
