/// What gives its elements, one by one, in the order that it gets them from a dictionary or a set.
private let transforms: Set = [
  "map", "compactMap", "flatMap", "forEach", "joined", "first", "prefix", "dropFirst", "reversed",
  "enumerated",
]

/// Arrays that are made from a dictionary or a set, as far as the files declare one of that name.
func unsortedTransforms(
  of file: SourceFile, _ target: String, _ members: Members
) -> [Finding] {
  file.tokens.indices.compactMap { name in
    guard file.tokens[name].kind == .word, file.takesOneByOne(name),
      file.order(ofName: name, members) == .chance, !isOrderless(file, name),
      !file.isOfOne(name)
    else { return nil }
    return file.finding(
      file.tokens[name].line,
      "what '\(file.tokens[name].text)' holds, in \(target): sort it, or the order differs in each"
        + " process")
  }
}

extension SourceFile {
  /// Its elements become those of an array, or the first of them is asked for.
  fileprivate func takesOneByOne(_ name: Int) -> Bool {
    var end = endOfCall(name)
    let start = startOfChain(name)
    let isArray = isWord("Array", at: start - 2) && isSign("(", at: start - 1)
    if isArray, isSign(")", at: end + 1) { return true }
    while let member = member(after: end) {
      if transforms.contains(tokens[member].text) { return true }
      guard tokens[member].isWord("filter") else { return false }
      end = endOfCall(member, takesClosure: true)
    }
    return false
  }

  /// `guard a.count == 1, let b = a.first`: of one there is no order.
  fileprivate func isOfOne(_ name: Int) -> Bool {
    let one = [tokens[name].text, ".", "count", "=", "=", "1"]
    // As many tokens as a condition has.
    let before = tokens[max(0, name - 16)..<name].map(\.text)
    return before.indices.contains { before[$0...].starts(with: one) }
  }

  /// `a` of `a.b(c)?.name`.
  private func startOfChain(_ name: Int) -> Int {
    var start = name
    while isSign(".", at: start - 1) {
      var at = start - 2
      while isSign("?", at: at) || isSign("!", at: at) { at -= 1 }
      while isSign(")", at: at) || isSign("]", at: at), let open = enclosing(at) { at = open - 1 }
      guard tokens.indices.contains(at), tokens[at].kind == .word else { return start }
      start = at
    }
    return start
  }
}
