import Logging
import SQLiteJournal
import SyncModel
import WebDAV

/// Finds known calendars at new addresses: a provider may move an account to another of its hosts
/// (iCloud), and a server may move a calendar that gets a new name (Zimbra).
///
/// What has the path of one that is gone, on another host of the account, must also hold half of
/// the items that were agreed on, and what has the name that a run gave it before it ended one of
/// them, if there are any; of one that another client renamed, a new calendar must hold most. Where
/// it does not hold all of them, it is met as for the first time.
///
/// All are looked for among calendars that were not there when the one that is gone was there last
/// (`FormerStrangers`), and that the pair's rules would not leave out in its place. So is what has
/// another calendar in its place by now (`replaced`).
struct FollowMoves: Sendable {
  let store: PairStore
  let side: Side
  let opened: OpenedSide
  let now: Instant
  /// The account shows all of its calendars: what is not listed is not there. Else nothing is
  /// followed: a copy beside one that only cannot be seen now would be taken for it.
  let seesAll: Bool
  /// Nil where the pair is about one calendar.
  let rules: CollectionRules?
  /// A calendar that cannot be reached ends the run: what it holds decides what becomes of another.
  var needsAnswers = false

  /// Gives the records as they are after the moves, which the store then knows.
  func run(_ records: [CollectionRecord], among calendars: [CollectionDescription])
    async throws(OpeningError) -> FollowedCollections
  {
    let known = Set(records.map { $0.place(on: side) })
    let strangers = calendars.filter { !known.contains($0.identity) }
    let former = try await FormerStrangers.read(.calendars, on: side, in: store)
    let followed = try await follow(records, among: calendars, strangers, former)
    // Not before: a run that fails on the way has to find them new once more.
    if seesAll { try await former.remember(calendars, beside: followed.records, in: store) }
    return followed
  }

  private func follow(
    _ records: [CollectionRecord], among calendars: [CollectionDescription],
    _ strangers: [CollectionDescription], _ former: FormerStrangers
  ) async throws(OpeningError) -> FollowedCollections {
    let there = Set(calendars.map(\.identity))
    let lost = records.filter {
      !there.contains($0.place(on: side)) && !records.hasSuccessor(of: $0, on: side)
    }
    let news = seesAll && former.isKnown ? former.newcomers(among: strangers) : []
    let replaced = try await replaced(records, by: news, among: calendars)
    if lost.isEmpty && replaced.isEmpty || strangers.isEmpty {
      return FollowedCollections(records: records)
    }
    var found = try await places(of: lost, among: strangers, former)
    // Taken for another one, it would be sent to the other side as new, and what is gone from its
    // former place be deleted there.
    var search = self
    search.needsAnswers = true
    found.add(
      try await search.places(
        of: replaced, among: news.filter { one in !found.places.values.contains(one) }, former))
    if !seesAll {
      for record in lost {
        guard let place = found.places.removeValue(forKey: record.place(on: side)) else { continue }
        found.lookalikes[place.identity] = Lookalike(name: place.name, former: record.known)
      }
    }
    var followed = FollowedCollections(records: records, lookalikes: found.lookalikes)
    for record in lost + replaced {
      guard let place = found.places[record.place(on: side)] else { continue }
      let isAnew = found.partial.contains(place.identity)
      try await move(record, to: place, anew: isAnew)
      if isAnew { followed.anew.insert(record.identity.name) }
    }
    if !found.places.isEmpty {
      followed.records = try await recorded { () throws(JournalError) in
        try await store.collections()
      }
    }
    return followed
  }

  private func move(
    _ record: CollectionRecord, to place: CollectionDescription, anew isAnew: Bool
  ) async throws(OpeningError) {
    var moved = record
    moved.identity[side] = place.journalIdentity(user: opened.user)
    switch side {
    case .local: moved.folder = place.href.spelling
    case .remote:
      moved.remoteHref = place.href.spelling
      moved.remoteName = place.displayName ?? ""
    }
    let words = "\(place.href.text) on the \(side.rawValue) side"
    logger.info("the calendar \(record.identity.name) is at \(words) now")
    let current = moved
    try await recorded { () throws(JournalError) in
      if isAnew {
        _ = try await store.openCollection(current, at: now)
      } else {
        try await store.move(side, of: current, to: place.href, at: now)
      }
    }
  }

  private struct Found {
    /// Where calendars are by now, by their former identities: several records may have had one.
    var places: [String: CollectionDescription] = [:]
    var lookalikes: [String: Lookalike] = [:]
    /// The identities of places for which only their items speak, and that lack some: these may be
    /// on their way still, as where a calendar is imported anew, and count as deleted nowhere.
    var partial: Set<String> = []

    mutating func add(_ other: Found) {
      places.merge(other.places) { own, _ in own }
      lookalikes.merge(other.lookalikes) { own, _ in own }
      partial.formUnion(other.partial)
    }
  }

  private func places(
    of lost: [CollectionRecord], among strangers: [CollectionDescription],
    _ former: FormerStrangers
  ) async throws(OpeningError) -> Found {
    var found = Found()
    var strangers = strangers
    // A path says more than items do, and hardly costs a look: it comes first.
    for goesByPath in [true, false] {
      for record in lost where found.places[record.place(on: side)] == nil && !strangers.isEmpty {
        let news = newcomers(among: strangers, since: record, former)
        let candidates =
          goesByPath
          ? try await namesake(of: record, among: news, lost)
          : try await candidates(for: record, among: news)
        var isSaid = goesByPath
        if !goesByPath, candidates.count == 1 {
          isSaid = try await isNamed(candidates[0], record)
        }
        // Nobody can say which of two it is, or whether it was there before: a person has to.
        guard candidates.count == 1, let place = candidates.first, isSaid || former.isKnown else {
          for one in candidates {
            found.lookalikes[one.identity] = Lookalike(name: one.name, former: record.known)
          }
          continue
        }
        found.places[record.place(on: side)] = place
        if !isSaid, try await !holds(.all, of: record, place) {
          found.partial.insert(place.identity)
        }
        strangers.removeAll { $0.identity == place.identity }
      }
    }
    return found
  }

  /// Those that a known calendar may be by now, as far as their addresses and names say.
  private func newcomers(
    among strangers: [CollectionDescription], since record: CollectionRecord,
    _ former: FormerStrangers
  ) -> [CollectionDescription] {
    former.newcomers(among: strangers, since: record).filter { place in
      rules?.keep(record.known.names, with: place.names) ?? true
    }
  }

  /// The calendar that has the path of one that is gone on another host. All that is listed is on
  /// hosts that the account trusts. Nothing where two may be it.
  private func namesake(
    of record: CollectionRecord, among strangers: [CollectionDescription],
    _ lost: [CollectionRecord]
  ) async throws(OpeningError) -> [CollectionDescription] {
    let found = strangers.filter { $0.hasPath(of: record.place(on: side)) }
    guard found.count == 1, let place = found.first else { return [] }
    let claimants = lost.map { $0.place(on: side) }.filter { place.hasPath(of: $0) }
    guard Set(claimants).count == 1, try await holds(.half, of: record, place) else { return [] }
    return [place]
  }

  /// Calendars that are looked into: each costs a listing, in every run until a person has said
  /// what becomes of the one that is gone.
  static let mostLooks = 8

  /// What a calendar may be by now.
  private func candidates(for record: CollectionRecord, among strangers: [CollectionDescription])
    async throws(OpeningError) -> [CollectionDescription]
  {
    var named: [CollectionDescription] = []
    for stranger in strangers where try await isNamed(stranger, record) { named.append(stranger) }
    if named.count == 1, let place = named.first, try await holds(.one, of: record, place) {
      return named
    }
    var found: [CollectionDescription] = []
    for stranger in strangers.prefix(Self.mostLooks)
    where try await holds(.most, of: record, stranger) {
      found.append(stranger)
    }
    return found
  }

  private func holds(
    _ share: ItemShare, of record: CollectionRecord, _ place: CollectionDescription
  ) async throws(OpeningError) -> Bool {
    try await shows(place) { storage async throws(OpeningError) in
      try await holdsItems(share, of: record, storage, on: side, store)
    }
  }

  /// False for a calendar that does not show what it holds: it is left to be another one, and what
  /// ails it is told where it is synced.
  func shows(
    _ place: CollectionDescription,
    _ question: (any Storage) async throws(OpeningError) -> Bool
  ) async throws(OpeningError) -> Bool {
    do throws(OpeningError) {
      let storage = try await reached(side) { () throws(StorageError) in
        try await opened.open(place)
      }
      return try await question(storage)
    } catch {
      guard case .storage(_, let trouble) = error else { throw error }
      switch trouble.kind {
      case .unreachable where needsAnswers: throw error
      case .denied, .protocolBroken, .vanished, .unreachable: return false
      case .cannotCreate, .io, .stopped, .tryLater: throw error
      }
    }
  }

  /// It has the name that the calendar of a collection was being given.
  private func isNamed(_ place: CollectionDescription, _ record: CollectionRecord)
    async throws(OpeningError) -> Bool
  {
    let stored = try await recorded { () throws(JournalError) in
      try await store.value(MetadataSync.storeKey(record.identity.name))
    }
    let name = stored.flatMap { MetadataBases(encoded: $0).renaming[side] }
    return name != nil && place.displayName == name
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
