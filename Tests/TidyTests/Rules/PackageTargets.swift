/// A target as Package.swift declares it.
struct DeclaredTarget {
  let name: String
  /// `layer`, `target`, `systemLibrary`, `executableTarget`, `tests`, `testTarget`.
  let kind: String
  let line: Int
  /// Other targets of ours; products of packages are named by variables and not in here.
  let uses: [String]

  /// In Sources: no tests, and not what only tests use.
  var isOurs: Bool { !["tests", "testTarget"].contains(kind) && !testTools.contains(name) }
}

private let testTools: Set<String> = [
  "TestSupport", "Simulation", "simulate", "EventStoreExample",
]

/// Reads the list of targets of a Package.swift that is written as ours is.
func declaredTargets(_ file: SourceFile) -> [DeclaredTarget] {
  let kinds = ["layer", "target", "systemLibrary", "executableTarget", "tests", "testTarget"]
  let tokens = file.tokens
  // The products have a list of this name too; it begins with a string.
  let lists = tokens.indices.filter { index in
    index + 3 < tokens.count && tokens[index].isWord("targets") && tokens[index + 1].isSign(":")
      && tokens[index + 2].isSign("[") && tokens[index + 3].kind != .string
  }
  guard let list = lists.first else { return [] }
  var found: [DeclaredTarget] = []
  var index = list + 3
  let end = file.closing(list + 2)
  while index < end {
    let token = tokens[index]
    guard kinds.contains(token.text), tokens[index + 1].isSign("(") else {
      index += 1
      continue
    }
    let close = file.closing(index + 1)
    let strings = tokens[index..<close].filter { $0.kind == .string }
    if let name = strings.first {
      found.append(
        DeclaredTarget(
          name: name.text, kind: token.text, line: token.line,
          uses: dependencies(file, index..<close)))
    }
    index = close + 1
  }
  return found
}

/// The strings of the list after `uses:` or `dependencies:`.
private func dependencies(_ file: SourceFile, _ call: Range<Int>) -> [String] {
  let tokens = file.tokens
  for index in call where ["uses", "dependencies"].contains(tokens[index].text) {
    guard index + 2 < call.upperBound, tokens[index + 2].isSign("[") else { continue }
    return tokens[index + 2..<file.closing(index + 2)].filter { $0.kind == .string }.map(\.text)
  }
  return []
}
