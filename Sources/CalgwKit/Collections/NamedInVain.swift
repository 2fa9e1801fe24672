import SyncModel

extension CollectionRules {
  /// What the configuration calls by a name that nothing on either side has, now or in earlier
  /// runs: to be said, since nobody writes a name that is to mean nothing.
  func namedInVain(
    _ local: [CollectionDescription], _ remote: [CollectionDescription], _ known: [KnownCollection]
  ) -> [MatchedCollection] {
    let names = Set((local + remote).flatMap(\.names) + known.flatMap(\.names))
    let asked = asked(butNotIn: names).map { (folder: $0, meant: $0) }
    let mapped = maps.filter { map in
      !local.contains { $0.name == map.local } && !remote.contains { $0.answers(to: map.remote) }
        && !known.contains { $0.name == map.local || $0.mapping == map }
    }.map { (folder: $0.local, meant: $0.remote) }
    // Whoever writes a name twice is told of it once.
    var told: Set<MatchedCollection> = []
    return (asked + mapped).map { folder, meant in
      MatchedCollection(name: folder, local: .nobody(meant), remote: .nobody(meant))
    }.filter { told.insert($0).inserted }
  }
}
