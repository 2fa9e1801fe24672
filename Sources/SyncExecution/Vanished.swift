import SyncModel

extension CollectionSync.BrokenFiles {
  /// What an editor or a failed save may leave of an item.
  private static let remains: Set<ItemProblem.Code> = [
    .incomplete, .noUID, .notAFile, .unreadable, .tooLarge,
  ]

  /// Notes the items of a side that are gone from their files since the run in which a file came of
  /// which nobody can say whose it is.
  mutating func noteVanished(on side: Side, _ differing: Differing) {
    let owners = CollectionSync.owners(of: side, differing)
    var gone: [Href: ClosedRange<Instant>] = [:]
    var here: Set<ItemID> = []
    // One of each run will do to name it.
    var nameless: [Instant: Href] = [:]
    for seen in differing.observations where seen.side == side {
      switch seen.state {
      case .gone:
        guard let since = seen.since, let missed = seen.missed else { continue }
        // The clock may have been set back in between.
        gone[seen.href] = min(since, missed)...max(since, missed)
      case .read(let item): here.insert(item.uid)
      case .obstructed(_, let problem):
        guard let since = seen.since, nameless[since] == nil, owners[seen.href] == nil,
          Self.remains.contains(problem.code), uidsAt[seen.href] == nil
        else { continue }
        nameless[since] = seen.href
      case .unread: continue
      }
    }
    let arrivals = nameless.keys.sorted()
    for agreed in differing.agreements where !here.contains(agreed.uid) {
      guard let time = gone[agreed[side].href] else { continue }
      vanished[agreed.uid] = arrivals.first(where: time.contains).flatMap { nameless[$0] }
    }
  }
}

extension CollectionSync {
  /// Of what is gone from the local side, another collection may have some: somebody moved it there
  /// and did not rename it.
  func noteMoved(in files: inout BrokenFiles) async {
    guard let leaving = options.leaving, !files.vanished.isEmpty else { return }
    let vanished = Set(files.vanished.keys)
    files.moved = await leaving(vanished).map(\.moved) ?? vanished
  }
}
