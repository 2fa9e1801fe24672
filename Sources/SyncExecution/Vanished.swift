import SyncModel

extension CollectionSync.BrokenFiles {
  /// Notes the items of a side that are gone from their files since the run in which a file came of
  /// which nobody can say whose it is.
  mutating func noteVanished(on side: Side, _ differing: Differing) {
    let owners = CollectionSync.owners(of: side, differing)
    var gone: [Href: Instant] = [:]
    var here: Set<ItemID> = []
    // One of each run will do to name it.
    var nameless: [Instant: Href] = [:]
    for seen in differing.observations where seen.side == side {
      switch seen.state {
      case .gone: gone[seen.href] = seen.since
      case .read(let item): here.insert(item.uid)
      case .obstructed where uidsAt[seen.href] == nil && owners[seen.href] == nil:
        if let since = seen.since, nameless[since] == nil { nameless[since] = seen.href }
      case .obstructed, .unread: continue
      }
    }
    for agreed in differing.agreements where !here.contains(agreed.uid) {
      if let since = gone[agreed[side].href] { vanished[agreed.uid] = nameless[since] }
    }
  }
}
