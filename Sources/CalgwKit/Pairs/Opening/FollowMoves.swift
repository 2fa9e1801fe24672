import Logging
import SQLiteJournal
import SyncModel
import WebDAV

/// Finds known calendars at new addresses: a provider may move an account to another of its hosts
/// (iCloud), and a server may move a calendar that gets a new name (Zimbra).
///
/// What has the path of one that is gone, on another host of the account, must also hold half of
/// the items that were agreed on, and what has the name that a run gave it before it ended one of
/// them, if there are any; of one that another client renamed, a new calendar must hold most.
struct FollowMoves: Sendable {
  let store: PairStore
  let remote: OpenedSide
  let now: Instant
  /// The account shows all of its calendars: what is not listed is not there. Else nothing is
  /// followed: a copy beside one that only cannot be seen now would be taken for it.
  let seesAll: Bool

  /// Gives the records as they are after the moves, which the store then knows.
  func run(_ records: [CollectionRecord], among calendars: [CollectionDescription])
    async throws(OpeningError) -> [CollectionRecord]
  {
    guard seesAll else { return records }
    let known = Set(records.map(\.known.remoteIdentity))
    let there = Set(calendars.map(\.identity))
    let lost = records.filter { !there.contains($0.known.remoteIdentity) }
    let strangers = calendars.filter { !known.contains($0.identity) }
    let places = try await places(of: lost, among: strangers)
    if places.isEmpty { return records }
    for record in lost {
      guard let place = places[record.known.remoteIdentity] else { continue }
      var moved = record
      moved.identity.remote = place.journalIdentity(user: remote.user)
      moved.remoteHref = place.href.spelling
      moved.remoteName = place.displayName ?? ""
      logger.info("the calendar \(record.identity.name) is at \(place.href.text) now")
      let current = moved
      try await recorded { () throws(JournalError) in
        try await store.moveRemote(current, to: place.href, at: now)
      }
    }
    return try await recorded { () throws(JournalError) in try await store.collections() }
  }

  /// Where calendars are by now, by their former identities: several records may have had one.
  private func places(of lost: [CollectionRecord], among strangers: [CollectionDescription])
    async throws(OpeningError) -> [String: CollectionDescription]
  {
    var places: [String: CollectionDescription] = [:]
    var strangers = strangers
    // A path says more than items do, and hardly costs a look: it comes first.
    for goesByPath in [true, false] {
      for record in lost where places[record.known.remoteIdentity] == nil && !strangers.isEmpty {
        let found =
          goesByPath
          ? try await namesake(of: record, among: strangers, lost)
          : try await place(of: record, among: strangers)
        guard let found else { continue }
        places[record.known.remoteIdentity] = found
        strangers.removeAll { $0.identity == found.identity }
      }
    }
    return places
  }

  /// The calendar that has the path of one that is gone on another host. All that is listed is on
  /// hosts that the account trusts. Nil where two may be it.
  private func namesake(
    of record: CollectionRecord, among strangers: [CollectionDescription],
    _ lost: [CollectionRecord]
  ) async throws(OpeningError) -> CollectionDescription? {
    let found = strangers.filter { $0.hasPath(of: record.known.remoteIdentity) }
    guard found.count == 1, let place = found.first else { return nil }
    let claimants = lost.map(\.known.remoteIdentity).filter { place.hasPath(of: $0) }
    guard Set(claimants).count == 1, try await holds(.half, of: record, place) else { return nil }
    return place
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

  /// False for a calendar that does not show what it holds: it is left to be another one, and what
  /// ails it is told where it is synced.
  private func holds(
    _ share: ItemShare, of record: CollectionRecord, _ place: CollectionDescription
  ) async throws(OpeningError) -> Bool {
    do throws(OpeningError) {
      let storage = try await reached(.remote) { () throws(StorageError) in
        try await remote.open(place)
      }
      return try await holdsItems(share, of: record, storage, on: .remote, store)
    } catch {
      guard case .storage(_, let trouble) = error else { throw error }
      switch trouble.kind {
      case .denied, .protocolBroken, .vanished, .unreachable: return false
      case .cannotCreate, .io, .stopped, .tryLater: throw error
      }
    }
  }

  /// The name that the calendar of a collection was being given.
  private func renaming(_ collection: String) async throws(OpeningError) -> String? {
    let stored = try await recorded { () throws(JournalError) in
      try await store.value(MetadataSync.storeKey(collection))
    }
    return stored.flatMap { MetadataBases(encoded: $0).renaming }
  }
}

extension CollectionDescription {
  /// True if it is on another server than an address, under the same path.
  func hasPath(of address: String) -> Bool {
    guard let own = try? WebURL(absolute: identity), let other = try? WebURL(absolute: address)
    else { return false }
    return own.origin != other.origin && own.pathKey == other.pathKey
  }
}
