import Logging
import SQLiteJournal
import SyncModel

/// Finds known calendars at new addresses: a server may move a calendar that gets a new name
/// (Zimbra). Of one that a run gave a name, and that ended before it learned more, what has the
/// name must also hold one of the items that were agreed on; of one that another client renamed, a
/// new calendar must hold most of them.
struct FollowMoves: Sendable {
  let store: PairStore
  let remote: OpenedSide
  let now: Instant

  /// Gives the records as they are after the moves, which the store then knows.
  func run(_ records: [CollectionRecord], among calendars: [CollectionDescription])
    async throws(OpeningError) -> [CollectionRecord]
  {
    let known = Set(records.map(\.known.remoteIdentity))
    let there = Set(calendars.map(\.identity))
    var strangers = calendars.filter { !known.contains($0.identity) }
    var hasMoved = false
    for record in records where !there.contains(record.known.remoteIdentity) {
      guard !strangers.isEmpty, let place = try await place(of: record, among: strangers) else {
        continue
      }
      strangers.removeAll { $0.identity == place.identity }
      var moved = record
      moved.identity.remote = place.journalIdentity(user: remote.user)
      moved.remoteHref = place.href.spelling
      moved.remoteName = place.displayName ?? ""
      logger.info("the calendar \(record.identity.name) is at \(place.href.text) now")
      let current = moved
      try await recorded { () throws(JournalError) in
        try await store.moveRemote(current, to: place.href, at: now)
      }
      hasMoved = true
    }
    guard hasMoved else { return records }
    return try await recorded { () throws(JournalError) in try await store.collections() }
  }

  /// Calendars that are looked into: each costs a listing, in every run until a person has said
  /// what becomes of the one that is gone.
  private static let mostLooks = 8

  /// Where a calendar is by now. Nil where two may be it: a person has to say which.
  private func place(of record: CollectionRecord, among strangers: [CollectionDescription])
    async throws(OpeningError) -> CollectionDescription?
  {
    if let newName = try await renaming(record.identity.name) {
      let found = strangers.filter { $0.displayName == newName }
      guard found.count == 1, let place = found.first, try await holds(.one, of: record, place)
      else { return nil }
      return place
    }
    var found: [CollectionDescription] = []
    for stranger in strangers.prefix(Self.mostLooks)
    where try await holds(.most, of: record, stranger) {
      found.append(stranger)
    }
    return found.count == 1 ? found.first : nil
  }

  private func holds(
    _ share: ItemShare, of record: CollectionRecord, _ place: CollectionDescription
  ) async throws(OpeningError) -> Bool {
    let storage = try await reached(.remote) { () throws(StorageError) in
      try await remote.open(place)
    }
    return try await holdsItems(share, of: record, storage, on: .remote, store)
  }

  /// The name that the calendar of a collection was being given.
  private func renaming(_ collection: String) async throws(OpeningError) -> String? {
    let stored = try await recorded { () throws(JournalError) in
      try await store.value(MetadataSync.storeKey(collection))
    }
    return stored.flatMap { MetadataBases(encoded: $0).renaming }
  }
}
