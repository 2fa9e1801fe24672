/// A function, initializer or subscript with a body.
struct FunctionBody {
  let name: String
  /// The line of `func`, `init` and so on.
  let line: Int
  /// The tokens from the opening brace to the closing one.
  let tokens: Range<Int>
  /// From the first line to the one of the closing brace.
  let lineCount: Int
}

extension SourceFile {
  /// Every function that has a body, in order.
  var functions: [FunctionBody] {
    tokens.indices.compactMap { index in
      guard startsFunction(index), let open = bodyStart(after: index) else { return nil }
      let close = closing(open)
      let name = tokens[index].isWord("func") ? tokens[index + 1].text : tokens[index].text
      return FunctionBody(
        name: name, line: tokens[index].line, tokens: open..<close + 1,
        lineCount: tokens[close].line - tokens[index].line + 1)
    }
  }

  private func startsFunction(_ index: Int) -> Bool {
    let token = tokens[index]
    guard token.kind == .word, index + 1 < tokens.count else { return false }
    guard ["func", "init", "deinit", "subscript"].contains(token.text) else { return false }
    // `self.init(…)` and `\.init` are no declarations.
    return index == 0 || !tokens[index - 1].isSign(".")
  }

  /// The brace that opens the body; nil where the declaration has none, as in a protocol.
  private func bodyStart(after index: Int) -> Int? {
    var at = index + 1
    while at < tokens.count {
      let token = tokens[at]
      if token.isSign("{") { return at }
      if token.isSign("(") || token.isSign("[") {
        at = closing(at)
      } else if token.isSign("}") || (token.kind == .word && Self.declarationStarts(token.text)) {
        return nil
      }
      at += 1
    }
    return nil
  }

  private static func declarationStarts(_ word: String) -> Bool {
    [
      "func", "var", "let", "init", "deinit", "case", "struct", "enum", "subscript",
      "associatedtype",
    ].contains(word)
  }
}
