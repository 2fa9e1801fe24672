/// A text file with its lines and, where it is Swift, its tokens.
struct SourceFile: Sendable {
  /// Relative to the root.
  let path: String
  let bytes: [UInt8]
  /// Without their ends; a file that ends with a line end has no empty line after it.
  let lines: [String]
  /// Empty where it is not Swift.
  let tokens: [Token]

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if lines.last == "" { lines.removeLast() }
    self.lines = lines
    tokens = path.hasSuffix(".swift") ? Lexer.tokens(of: bytes) : []
  }

  /// A file made of text, for tests of the rules.
  init(_ path: String, _ text: String) { self.init(path: path, bytes: Array(text.utf8)) }

  var isSource: Bool { path.hasPrefix("Sources/") }
  var isTest: Bool { path.hasPrefix("Tests/") }
  var isSwift: Bool { path.hasSuffix(".swift") }
  var isC: Bool { path.hasSuffix(".c") || path.hasSuffix(".h") }

  /// The folder below Sources or Tests that the file is in; nil elsewhere.
  var target: String? {
    let parts = path.split(separator: "/")
    return (isSource || isTest) && parts.count > 2 ? String(parts[1]) : nil
  }

  func finding(_ line: Int, _ message: String) -> Finding {
    Finding(file: path, line: line, message: message)
  }

  /// The first tokens of the places where words and signs with these texts follow each other.
  func occurrences(of texts: [String]) -> [Token] {
    tokens.indices.compactMap { index -> Token? in
      guard tokens[index].text == texts.first, index + texts.count <= tokens.count else {
        return nil
      }
      let matches = zip(texts, tokens[index...]).allSatisfy { $0 == $1.text && $1.kind != .string }
      return matches ? tokens[index] : nil
    }
  }

  /// The index of the sign that closes the bracket at `index`; the last token where none does.
  func closing(_ index: Int) -> Int {
    let open = tokens[index].text
    let close = open == "(" ? ")" : open == "[" ? "]" : "}"
    var depth = 0
    for at in index..<tokens.count where tokens[at].kind == .sign {
      if tokens[at].text == open { depth += 1 }
      if tokens[at].text == close { depth -= 1 }
      if depth == 0 { return at }
    }
    return tokens.count - 1
  }

  /// The index of the sign that closes the angle bracket at `index`; an arrow closes none.
  func closingAngle(_ index: Int) -> Int {
    var depth = 0
    for at in index..<tokens.count {
      if isSign("<", at: at) { depth += 1 }
      if isSign(">", at: at), !isSign("-", at: at - 1) { depth -= 1 }
      if depth == 0 { return at }
    }
    return tokens.count - 1
  }

  /// The index of the bracket or brace around a token; nil where it is in none.
  func enclosing(_ index: Int) -> Int? {
    var depth = 0
    for at in (0..<index).reversed() where tokens[at].kind == .sign {
      if [")", "]", "}"].contains(tokens[at].text) { depth += 1 }
      guard ["(", "[", "{"].contains(tokens[at].text) else { continue }
      if depth == 0 { return at }
      depth -= 1
    }
    return nil
  }

  func isSign(_ sign: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isSign(sign)
  }

  func isWord(_ word: String, at index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].isWord(word)
  }
}
