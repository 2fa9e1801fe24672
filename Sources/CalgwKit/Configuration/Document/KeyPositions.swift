/// Where each key and each array element of a TOML text stands.
///
/// The parser below us gives positions for syntax errors only, and a person wants the line of a
/// wrong value too. The text has been parsed by then, so this finder is lenient: what it does not
/// understand it skips, and a value without a position is reported without one.
package struct KeyPositions {
  /// A way down from the top: keys, and for array elements `.element`.
  package enum Step: Hashable {
    case key(String)
    case element(Int)
  }

  /// Deeper nesting than any configuration needs; below it nothing is recorded.
  static let depthLimit = 32

  package private(set) var positions: [[Step]: SourcePosition] = [:]
  /// The first escape in a string that means a NUL.
  package private(set) var firstNUL: SourcePosition?
  private var bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  private var arrayTables: [[Step]: Int] = [:]

  package init(of text: [UInt8]) {
    bytes = text
    scanDocument()
    bytes = []
  }

  // MARK: Grammar

  private mutating func scanDocument() {
    var table: [Step] = []
    while let byte = skipBlank() {
      if byte == UInt8(ascii: "[") {
        table = scanHeader()
      } else {
        scanPair(in: table)
      }
      skipLine()
    }
  }

  private mutating func scanHeader() -> [Step] {
    let position = here
    advance()
    let isElement = peek == UInt8(ascii: "[")
    if isElement { advance() }
    let path = scanKey().map(Step.key)
    if isElement {
      let index = arrayTables[path, default: 0]
      arrayTables[path] = index + 1
      record(path, at: position)
      record(path + [.element(index)], at: position)
      return path + [.element(index)]
    }
    record(path, at: position)
    return path
  }

  private mutating func scanPair(in table: [Step]) {
    let position = here
    var path = table
    for name in scanKey() {
      path.append(.key(name))
      record(path, at: position)
    }
    skipSpace()
    guard peek == UInt8(ascii: "=") else { return }
    advance()
    scanValue(at: path)
  }

  /// Reads a key, dotted or not, quoted or not.
  private mutating func scanKey() -> [String] {
    var parts: [String] = []
    repeat {
      if peek == UInt8(ascii: ".") { advance() }
      skipSpace()
      switch peek {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): parts.append(scanString())
      default: parts.append(scanBareKey())
      }
      skipSpace()
    } while peek == UInt8(ascii: ".")
    return parts
  }

  private mutating func scanBareKey() -> String {
    let start = offset
    while let byte = peek, Self.isBare(byte) { advance() }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default: false
    }
  }

  private mutating func scanValue(at path: [Step]) {
    skipSpace()
    guard path.count < Self.depthLimit, let byte = peek else { return }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = scanString()
    case UInt8(ascii: "["): scanArray(at: path)
    case UInt8(ascii: "{"): scanInlineTable(at: path)
    default:
      while let byte = peek, !",]}#\n".utf8.contains(byte) { advance() }
    }
  }

  private mutating func scanArray(at path: [Step]) {
    advance()
    var index = 0
    while let byte = skipBlank(), byte != UInt8(ascii: "]") {
      let element = path + [.element(index)]
      record(element, at: here)
      let before = offset
      scanValue(at: element)
      index += 1
      guard let after = skipBlank() else { return }
      if after == UInt8(ascii: ",") { advance() }
      // What cannot be read is left to the end of the document.
      if offset == before { return }
    }
    advance()
  }

  private mutating func scanInlineTable(at path: [Step]) {
    advance()
    while let byte = skipBlank(), byte != UInt8(ascii: "}") {
      let before = offset
      scanPair(in: path)
      guard let after = skipBlank() else { return }
      if after == UInt8(ascii: ",") { advance() }
      if offset == before { return }
    }
    advance()
  }

  // MARK: Strings

  /// Reads a quoted string of any of the four kinds; escapes other than the simple ones stay as
  /// they are.
  private mutating func scanString() -> String {
    guard let quote = peek else { return "" }
    let isBasic = quote == UInt8(ascii: "\"")
    let isLong = at(1) == quote && at(2) == quote
    advance(isLong ? 3 : 1)
    var content: [UInt8] = []
    while let byte = peek {
      if byte == UInt8(ascii: "\\"), isBasic {
        if firstNUL == nil, isNUL { firstNUL = here }
        content.append(at(1) ?? byte)
        advance(2)
      } else if byte == quote, !isLong {
        advance()
        break
      } else if byte == quote, at(1) == quote, at(2) == quote {
        advance(3)
        // Up to two quotes may stand right before the closing three.
        while peek == quote { advance() }
        break
      } else {
        content.append(byte)
        advance()
      }
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// `\u0000`, in either length.
  private var isNUL: Bool {
    let digits: Int
    switch at(1) {
    case UInt8(ascii: "u"): digits = 4
    case UInt8(ascii: "U"): digits = 8
    default: return false
    }
    return (2..<(2 + digits)).allSatisfy { at($0) == UInt8(ascii: "0") }
  }

  // MARK: Moving

  private var peek: UInt8? { at(0) }
  private var here: SourcePosition {
    SourcePosition(line: line, column: offset - lineStart + 1)
  }

  private func at(_ distance: Int) -> UInt8? {
    offset + distance < bytes.count ? bytes[offset + distance] : nil
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "\n") {
        line += 1
        lineStart = offset + 1
      }
      offset += 1
    }
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { advance() }
  }

  /// Skips white space, line ends and comments; gives what comes then.
  private mutating func skipBlank() -> UInt8? {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): advance()
      case UInt8(ascii: "#"): skipLine()
      default: return byte
      }
    }
    return nil
  }

  private mutating func skipLine() {
    while let byte = peek, byte != UInt8(ascii: "\n") { advance() }
    advance()
  }

  private mutating func record(_ path: [Step], at position: SourcePosition) {
    if positions[path] == nil { positions[path] = position }
  }
}
