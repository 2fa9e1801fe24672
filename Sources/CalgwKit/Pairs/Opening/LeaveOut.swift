import SyncModel

extension CollectionOpener {
  /// What to do, in words, so that a pair leaves a collection out and all others stay as they are:
  /// a rule may be meant for one and have the id or display name of another one.
  func leavingOut(_ name: String) -> String {
    let glob = Glob(name)
    let others = pair.allCollections.filter { $0.name != name && $0.mapping == nil }
    if glob.matches(name), !others.contains(where: { $0.names.contains(where: glob.matches) }) {
      return "write \(tomlString("!\(name)")) into the pair's `collections`"
    }
    return "name the others in the pair's `collections`, and not \(tomlString(name))"
  }
}

extension MatchedCollection {
  /// All that a rule may call it by.
  fileprivate var names: [String] {
    [local, remote].reduce(into: [name]) { names, counterpart in
      if case .present(let there) = counterpart { names += there.names }
    }
  }
}
