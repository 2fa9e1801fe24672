import SyncModel
import SyncPlanning

/// Whether what was seen to be gone is really gone. A program may just be saving a file, with the
/// old one moved away and the new one not yet written; a person may have renamed one while the
/// folder was listed; a server may show an item late. Whatever is done because an item is not there
/// waits for a second look at it.
extension SyncRun {
  /// What a second look at places says.
  struct ConfirmedGone {
    /// Nothing is there.
    var absent: Set<Href> = []
    /// Another item is there.
    var takenOver: Set<Href> = []

    /// The items of which neither is certain.
    func doubtful(of gone: [Href: ItemID]) -> Set<ItemID> {
      Set(gone.filter { !absent.contains($0.key) && !takenOver.contains($0.key) }.values)
    }
  }

  /// The places on the other side of what shall be deleted here, where it is really gone from them.
  /// What is not provably gone is looked at again in the next round.
  mutating func confirmDeletions(_ actions: [Action], on side: Side)
    async throws(SyncFailure) -> Set<Href>
  {
    var gone: [Href: ItemID] = [:]
    for case .delete(_, let old, let missing, _) in actions { gone[missing.href] = old.uid }
    if gone.isEmpty { return [] }
    let found = try await confirmGone(gone, on: side.opposite)
    takenOver = found.takenOver
    return found.absent.union(found.takenOver)
  }

  /// Of the items that shall be created anew where they were deleted, those that are perhaps still
  /// there. They are looked at again in the next round.
  func doubtfulAbsences(_ actions: [Action], on side: Side) async throws(SyncFailure)
    -> Set<ItemID>
  {
    var gone: [Href: ItemID] = [:]
    for case .create(_, let source, _) in actions {
      if let place = deletedPlaces[side]?[source.uid] { gone[place] = source.uid }
    }
    if gone.isEmpty { return [] }
    return try await confirmGone(gone, on: side).doubtful(of: gone)
  }

  /// Of the items that are gone from both sides, those that are perhaps still there on one. To
  /// forget such an item would make it a new one, and undo what was deleted on the other side. They
  /// are looked at again in the next round.
  mutating func doubtfulForgets(_ actions: [Action]) async throws(SyncFailure) -> Set<ItemID> {
    var doubtful: Set<ItemID> = []
    for side in Side.allCases {
      var gone: [Href: ItemID] = [:]
      for case .forget(let agreement) in actions { gone[agreement[side].href] = agreement.uid }
      if gone.isEmpty { return [] }
      let unproved = try await confirmGone(gone, on: side).doubtful(of: gone)
      if !unproved.isEmpty { stale.insert(side) }
      doubtful.formUnion(unproved)
    }
    return doubtful
  }

  /// Looks a second time whether items are gone from a side, or another one is at the address. What
  /// is neither for certain counts as not read.
  private func confirmGone(_ gone: [Href: ItemID], on side: Side) async throws(SyncFailure)
    -> ConfirmedGone
  {
    let hrefs = gone.keys.sorted()
    let absent = try await on(side) { [sync] () throws(StorageError) in
      try await sync.storage(side).confirmAbsence(of: hrefs)
    }
    let present = hrefs.filter { !absent.contains($0) }
    let others = Set(try await takenOver(present, from: gone, on: side))
    let doubtful = present.filter { !others.contains($0) }
    if !doubtful.isEmpty {
      let news = doubtful.map {
        ObservedChange.observed(Observation(side: side, href: $0, state: .unread(nil)))
      }
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(read: news, on: side, contents: [])
      }
    }
    return ConfirmedGone(absent: Set(absent), takenOver: others)
  }

  /// The addresses at which another item is now: somebody wrote it over the one that was there.
  private func takenOver(_ hrefs: [Href], from gone: [Href: ItemID], on side: Side)
    async throws(SyncFailure) -> [Href]
  {
    if hrefs.isEmpty { return [] }
    let outcomes = try await on(side) { [sync] () throws(StorageError) in
      try await sync.storage(side).readAll(hrefs)
    }
    return outcomes.compactMap { outcome in
      guard case .found(let version, let data, let modified) = outcome.result,
        let item = try? sync.readItem(
          data, at: outcome.href, version: version, modified: modified
        ).get()
      else { return nil }
      return item.uid == gone[outcome.href] ? nil : outcome.href
    }
  }
}
