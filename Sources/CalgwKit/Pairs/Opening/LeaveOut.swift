import SyncModel

extension CollectionOpener {
  /// What to do, in words, so that a pair leaves a collection out and all others stay as they are:
  /// a rule may be meant for one and have the id or display name of another one.
  func leavingOut(_ collection: MatchedCollection) -> String {
    let name = collection.name
    let selection = pair.target.pair.selection
    guard let mapping = collection.mapping, case .collections(let rules) = selection else {
      return excluding(name, nil)
    }
    // A mapping asks for it, whatever else is excluded.
    let rest = rules.filter { $0 != .map(local: mapping.local, remote: mapping.remote) }
    let entry = "{ \(tomlKey(mapping.local)) = \(tomlString(mapping.remote)) }"
    if rest.allSatisfy(\.isExclusion) {
      // Exclusions alone take everything else, of which nobody asked for anything.
      return "write what the pair is to sync in the place of \(entry) into its `collections`"
    }
    if CollectionRules(rest).select(collection.names) { return excluding(name, entry) }
    return "take \(entry) out of the pair's `collections`"
  }

  /// - Parameter entry: what asks for it beside the names and globs; nil where nothing does.
  private func excluding(_ name: String, _ entry: String?) -> String {
    let glob = Glob(name)
    let others = pair.allCollections.filter { $0.name != name && $0.mapping == nil }
    if glob.matches(name), !others.contains(where: { $0.names.contains(where: glob.matches) }) {
      let place = entry.map { " in the place of \($0)" } ?? ""
      return "write \(tomlString("!\(name)"))\(place) into the pair's `collections`"
    }
    let nor = entry.map { " and not \($0)" } ?? ""
    return "name the others in the pair's `collections`, and not \(tomlString(name))\(nor)"
  }
}

extension CollectionRule {
  var isExclusion: Bool { if case .exclude = self { true } else { false } }
}

extension MatchedCollection {
  /// All that a rule may call it by.
  var names: [String] {
    [local, remote].reduce(into: [name]) { names, counterpart in
      if case .present(let there) = counterpart { names += there.names }
    }
  }
}
