import SyncModel

extension CollectionRules {
  /// What the configuration calls by a name that nothing on either side has: to be said, since
  /// nobody writes a name that is to mean nothing. One that earlier runs had is called as they
  /// called it.
  func namedInVain(
    _ local: [CollectionDescription], _ remote: [CollectionDescription], _ known: [KnownCollection]
  ) -> [MatchedCollection] {
    func isThere(_ known: KnownCollection) -> Bool {
      local.contains { $0.href == known.local }
        || remote.contains { $0.identity == known.remoteIdentity }
    }
    let (there, gone) = (known.filter { isThere($0) }, known.filter { !isThere($0) })
    let names = Set((local + remote).flatMap(\.names) + there.flatMap(\.names))
    let asked = asked(butNotIn: names).map { name in
      (folder: gone.first { $0.names.contains(name) }?.name ?? name, meant: name)
    }
    let mapped = maps.filter { map in
      !local.contains { $0.name == map.local } && !remote.contains { $0.answers(to: map.remote) }
        && !there.contains { $0.isOf(map) }
    }.map { map in
      (folder: gone.first { $0.isOf(map) }?.name ?? map.local, meant: map.remote)
    }
    // Whoever writes a name twice is told of it once.
    var told: Set<MatchedCollection> = []
    return (asked + mapped).map { folder, meant in
      MatchedCollection(name: folder, local: .nobody(meant), remote: .nobody(meant))
    }.filter { told.insert($0).inserted }
  }
}

extension KnownCollection {
  fileprivate func isOf(_ map: CollectionMapping) -> Bool { name == map.local || mapping == map }
}
