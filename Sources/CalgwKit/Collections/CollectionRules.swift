/// The `collections` of a pair as a test for names.
struct CollectionRules {
  private var include: [(text: String, glob: Glob)] = []
  private var exclude: [Glob] = []
  var maps: [CollectionMapping] = []

  /// A list of exclusions alone takes everything else.
  init(_ rules: [CollectionRule]) {
    for rule in rules {
      switch rule {
      case .include(let text): include.append((text, Glob(text)))
      case .exclude(let text): exclude.append(Glob(text))
      case .map(let local, let remote): maps.append(CollectionMapping(local: local, remote: remote))
      }
    }
    if include.isEmpty, maps.isEmpty { include = [("*", Glob("*"))] }
  }

  /// True if a collection of these names (folder, remote id, display name) is asked for.
  func select(_ names: [String]) -> Bool {
    let isIncluded = include.contains { rule in
      names.contains { $0 == rule.text || rule.glob.matches($0) }
    }
    return isIncluded && !names.contains { name in exclude.contains { $0.matches(name) } }
  }

  /// False if a collection that is asked for under its names would be left out with these beside
  /// them.
  func keep(_ known: [String], with names: [String]) -> Bool {
    !select(known) || select(known + names)
  }

  /// A name, and no pattern, asks for a collection of these names.
  func ask(byName names: [String]) -> Bool {
    include.contains { rule in
      rule.glob.isLiteral && names.contains { $0 == rule.text || rule.glob.matches($0) }
    }
  }

  /// Names that are asked for and that none of these is. A pattern may mean nothing.
  func asked(butNotIn names: Set<String>) -> [String] {
    include.filter { rule in
      rule.glob.isLiteral && !names.contains(rule.text)
        && !names.contains { rule.glob.matches($0) }
    }.map(\.text)
  }
}
