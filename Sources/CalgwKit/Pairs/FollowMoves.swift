import Logging
import SQLiteJournal
import SyncModel

/// Finds known calendars at new addresses: a server may move a calendar that gets a new name
/// (Zimbra), and the run that gave it the name may have ended before it learned that. What has the
/// name must also hold one of the items that were agreed on.
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
      guard !strangers.isEmpty, let newName = try await renaming(record.identity.name) else {
        continue
      }
      // Two of one name: a person has to say which.
      let found = strangers.filter { $0.displayName == newName }
      guard found.count == 1, let place = found.first, try await holdsItems(record, place) else {
        continue
      }
      strangers.removeAll { $0.identity == place.identity }
      var moved = record
      moved.identity.remote = place.journalIdentity(user: remote.user)
      moved.remoteHref = place.href.spelling
      moved.remoteName = newName
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

  private func holdsItems(_ record: CollectionRecord, _ place: CollectionDescription)
    async throws(OpeningError) -> Bool
  {
    let storage = try await reached(.remote) { () throws(StorageError) in
      try await remote.open(place)
    }
    return try await CalgwKit.holdsItems(of: record, storage, on: .remote, store)
  }

  /// The name that the calendar of a collection was being given.
  private func renaming(_ collection: String) async throws(OpeningError) -> String? {
    let stored = try await recorded { () throws(JournalError) in
      try await store.value(MetadataSync.storeKey(collection))
    }
    return stored.flatMap { MetadataBases(encoded: $0).renaming }
  }
}
