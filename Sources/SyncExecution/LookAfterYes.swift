import SyncModel
import SyncPlanning

extension SyncRun {
  /// New items that somebody edited or removed while a person was asked about them. They are
  /// planned anew by the next round, and he is asked about them again.
  mutating func changedWhileAsked(_ asked: [NewItem]) async throws(SyncFailure) -> Set<ItemID> {
    // Nobody was.
    if sync.options.isDryRun { return [] }
    var changed: Set<ItemID> = []
    for side in Side.allCases {
      let found = try await sync.changed(
        asked.filter { $0.side == side.opposite }.map(\.source), on: side)
      if found.isEmpty { continue }
      let news = found.map {
        sync.sighting(of: $0.href, on: side, .unread(nil))
      }
      stale.insert(side)
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(read: news, on: side, contents: [])
      }
      changed.formUnion(found.map(\.uid))
    }
    if !changed.isEmpty { mayInvite = nil }
    return changed
  }
}

extension CollectionSync {
  /// Those of versions that a look does not find as they were seen. What cannot be read says
  /// nothing.
  fileprivate func changed(
    _ versions: [ItemVersion], on side: Side
  ) async throws(SyncFailure) -> [ItemVersion] {
    let expected = Dictionary(
      versions.map { ($0.href, $0) }, uniquingKeysWith: { first, _ in first })
    var changed: [ItemVersion] = []
    try await read(versions.map(\.href), on: side) { (part) throws(SyncFailure) in
      for outcome in part {
        guard let version = expected[outcome.href] else { continue }
        switch outcome.result {
        // Some servers write an item anew at each look, and mean no change by it.
        case .found(let seen, _, _)
        where seen.digest == version.version.digest
          || seen.tag != nil && seen.tag == version.version.tag:
          continue
        case .found:
          let found = item(outcome)
          if found?.uid == version.uid, found?.canonical == version.canonical { continue }
          changed.append(version)
        case .missing: changed.append(version)
        case .problem: continue
        }
      }
    }
    return changed
  }
}
