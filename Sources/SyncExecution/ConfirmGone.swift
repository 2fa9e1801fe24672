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
    /// The item itself is there.
    var present: Set<Href> = []

    func isCertain(_ place: Href) -> Bool {
      absent.contains(place) || takenOver.contains(place) || present.contains(place)
    }

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
    stillThere[side.opposite, default: []].formUnion(found.present)
    return found.absent.union(found.takenOver)
  }

  /// Of the items that shall be created anew where they were deleted, those that are perhaps still
  /// there. They are looked at again in the next round.
  mutating func doubtfulAbsences(_ actions: [Action], on side: Side) async throws(SyncFailure)
    -> Set<ItemID>
  {
    var gone: [Href: ItemID] = [:]
    for case .create(_, let source, _) in actions {
      if let place = deletedPlaces[side]?[source.uid] { gone[place] = source.uid }
    }
    if gone.isEmpty { return [] }
    let found = try await confirmGone(gone, on: side)
    stillThere[side, default: []].formUnion(found.present)
    return found.doubtful(of: gone)
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
      let found = try await confirmGone(gone, on: side)
      stillThere[side, default: []].formUnion(found.present)
      let unproved = found.doubtful(of: gone)
      if !unproved.isEmpty { stale.insert(side) }
      doubtful.formUnion(unproved)
    }
    return doubtful
  }

  /// Looks a second time whether items are gone from a side, or another one is at the address. What
  /// is neither for certain counts as not read.
  ///
  /// - Parameter isUnlikely: most are expected to be there, so that they are read at once.
  func confirmGone(_ gone: [Href: ItemID], on side: Side, isUnlikely: Bool = false)
    async throws(SyncFailure) -> ConfirmedGone
  {
    var found = ConfirmedGone()
    // Another item was seen at the address of such a place. In a folder the item itself may have
    // the name that this one had, and which the listing missed.
    let keepsAddresses = sync.storage(side).traits.keepsAddresses
    if keepsAddresses { found.absent = Set(gone.keys.filter(\.isVacated)) }
    let hrefs = gone.keys.filter { !$0.isVacated }.sorted()
    if isUnlikely { try await look(at: hrefs, of: gone, on: side, &found) }
    let unseen = gone.keys.filter { !found.isCertain($0) }.sorted()
    if !unseen.isEmpty {
      found.absent.formUnion(
        try await on(side) { [sync] () throws(StorageError) in
          try await sync.storage(side).confirmAbsence(of: unseen)
        })
    }
    if !isUnlikely {
      let there = unseen.filter { !$0.isVacated && !found.absent.contains($0) }
      try await look(at: there, of: gone, on: side, &found)
    }
    if !keepsAddresses, try await !areSure(found.takenOver, of: gone, on: side) {
      found.takenOver = []
    }
    let doubtful = hrefs.filter { !found.absent.contains($0) && !found.takenOver.contains($0) }
    if !doubtful.isEmpty {
      let news = doubtful.map {
        sync.sighting(of: $0, on: side, .unread(nil))
      }
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(read: news, on: side, contents: [])
      }
    }
    return found
  }

  /// Whether the places of items are lost to others for good. Two that exchange their names after
  /// the folder was listed are each at the other's.
  private func areSure(
    _ places: Set<Href>, of gone: [Href: ItemID], on side: Side
  ) async throws(SyncFailure) -> Bool {
    let vacated = places.sorted().compactMap { place in gone[place].map { place.vacated(by: $0) } }
    if vacated.isEmpty { return true }
    let absent = try await on(side) { [sync] () throws(StorageError) in
      try await sync.storage(side).confirmAbsence(of: vacated)
    }
    return absent.count == vacated.count
  }

  /// Reads what is at the addresses: the items themselves, or others that somebody wrote over them.
  private func look(
    at hrefs: [Href], of gone: [Href: ItemID], on side: Side, _ found: inout ConfirmedGone
  ) async throws(SyncFailure) {
    if hrefs.isEmpty { return }
    let outcomes = try await on(side) { [sync] () throws(StorageError) in
      try await sync.storage(side).readAll(hrefs)
    }
    for outcome in outcomes {
      guard let item = sync.item(outcome) else { continue }
      if item.uid == gone[outcome.href] {
        found.present.insert(outcome.href)
      } else {
        found.takenOver.insert(outcome.href)
      }
    }
  }
}
