/// What gives its elements, one by one, in the order that it gets them from a dictionary or a set.
private let transforms: Set = [
  "map", "compactMap", "flatMap", "forEach", "joined", "first", "prefix", "dropFirst", "reversed",
  "enumerated",
]

/// Arrays that are made from a dictionary or a set, as far as the file itself declares one of that
/// name.
func unsortedTransforms(of file: SourceFile, _ target: String) -> [Finding] {
  file.tokens.indices.compactMap { name in
    guard file.standsAlone(name), file.takesOneByOne(name),
      file.declaredOrder(of: file.tokens[name].text, at: name) == .chance,
      !isOrderless(file, name)
    else { return nil }
    return file.finding(
      file.tokens[name].line,
      "what '\(file.tokens[name].text)' holds, in \(target): sort it, or the order differs in each"
        + " process")
  }
}

extension SourceFile {
  /// A name that is no member of something else, and of which no element is asked for.
  fileprivate func standsAlone(_ name: Int) -> Bool {
    guard tokens[name].kind == .word, !isSign("[", at: name + 1) else { return false }
    return !isSign(".", at: name - 1) || isWord("self", at: name - 2)
  }

  /// Its elements become those of an array, or the first of them is asked for.
  fileprivate func takesOneByOne(_ name: Int) -> Bool {
    var end = endOfCall(name)
    let isArray = isWord("Array", at: name - 2) && isSign("(", at: name - 1)
    if isArray, isSign(")", at: end + 1) { return true }
    while let member = member(after: end) {
      if transforms.contains(tokens[member].text) { return true }
      guard tokens[member].isWord("filter") else { return false }
      end = endOfCall(member, takesClosure: true)
    }
    return false
  }
}
