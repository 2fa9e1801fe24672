import CalDAVStorage
import SQLiteJournal
import SyncModel
import VdirStorage

/// Finds out which collections a pair has, and which belong together.
struct PairMatching {
  let pair: PairConfiguration
  let local: OpenedSide
  let remote: OpenedSide
  let store: PairStore
  /// As they are after the moves that were followed.
  private(set) var records: [CollectionRecord]
  let now: Instant
  /// Of what was listed on the way, what is to be told.
  var listing = PairListing()
  /// What the sides showed; nothing before they were asked.
  var shown: [Side: CalendarListing] = [:]
  /// Calendars that are there, and that no listing shows.
  var unlisted: [Side: [CollectionDescription]] = [:]
  /// What folders and calendars hold that nothing joins for sure; nil before anybody looked.
  var comparison: ItemComparison?

  mutating func run() async throws(OpeningError) -> [MatchedCollection] {
    try await loadAsked()
    let matched = try await match()
    guard try await findUnlisted(among: matched) else { return matched }
    // As if they had been listed: a mapping may mean one of them, too.
    return try await match()
  }

  private mutating func match() async throws(OpeningError) -> [MatchedCollection] {
    switch pair.selection {
    case .collections(let rules): return try await matchAll(rules)
    case .calendar(let text): return try await matchOne(text)
    case .asFound:
      return try await matchAsFound(try await list(.remote, remote, nil))
    }
  }

  /// The URL is a calendar, or was one in an earlier run: discovery from one that is gone finds the
  /// user's other calendars, and they have no place in its folder.
  private mutating func matchAsFound(_ listed: [CollectionDescription]) async throws(OpeningError)
    -> [MatchedCollection]
  {
    let oneCalendar = Array("calendar".utf8)
    let wasOne = try await recorded { () throws(JournalError) in
      try await store.value("shape") == oneCalendar
    }
    if remote.isOneCalendar, !wasOne {
      try await recorded { () throws(JournalError) in
        try await store.setValue(oneCalendar, for: "shape")
      }
    }
    if remote.isOneCalendar || wasOne { return try await matchOne(".", listed: listed) }
    if records.isEmpty { listing.besides = remote.connection?.urlBeside(listed) }
    return try await matchAll([.include("*")], listed)
  }

  private mutating func matchAll(
    _ rules: [CollectionRule], _ listed: [CollectionDescription]? = nil
  )
    async throws(OpeningError) -> [MatchedCollection]
  {
    let here = try await list(.local, local, nil)
    let there = try await list(.remote, remote, listed)
    if records.isEmpty, rules == [.include("*")] {
      listing.besides = listing.besides ?? remote.connection?.urlInVain(there)
    }
    for (side, opened) in [(Side.local, local), (.remote, remote)] {
      guard case .directory(let root, let path) = opened else { continue }
      listing.strays[side] = StrayFiles(
        folder: path, names: await root.strays.map(\.text),
        remedy: pair.selection == .asFound
          ? "give the URL of its calendar as --remote"
          : "set `calendar` in place of `collections`")
    }
    let places = try await repointed()
    for (side, listed) in [(Side.local, here), (.remote, there)] {
      if places.contains(side) {
        try await remember(side, listed)
      } else {
        try await follow(side, among: listed)
      }
    }
    let known = try await known(here, there)
    let asked = CollectionRules(rules)
    for (side, listed) in [(Side.local, here), (.remote, there)] {
      listing.probes[side] =
        listed.filter { asked.select($0.names) && asked.leavesOut(probe: $0, known) }
        .map(\.href.text)
    }
    let shown = withoutUnnamed(BothSides(here, there), rules)
    var matching = Matching(
      local: shown.local, remote: underFormerName(shown.remote, known, rules, places),
      known: known, rules: asked, isOffline: remote.isRemembered,
      areServers: local.isServer && remote.isServer)
    matching.joinSettled(places)
    matching.join(try await compareItems(of: matching))
    matching.joinOthers()
    return matching.sorted
  }

  /// A subscription, or a file, whose address has changed keeps the folder that it had: of what is
  /// one calendar alone, the name in its address means nothing.
  private func underFormerName(
    _ there: [CollectionDescription], _ known: [KnownCollection], _ rules: [CollectionRule],
    _ repointed: Set<Side>
  ) -> [CollectionDescription] {
    guard case .stream = remote, repointed.contains(.remote), rules == [.include("*")],
      known.count == 1, there.count == 1
    else { return there }
    var feed = there[0]
    feed.name = known[0].name
    return [feed]
  }

  /// Finds collections of a side that are called otherwise by now, or are elsewhere.
  mutating func follow(_ side: Side, among listed: [CollectionDescription])
    async throws(OpeningError)
  {
    let opened = opened(side)
    let followed: FollowedCollections
    switch opened {
    case .directory(let root, _):
      let renames = FollowRenames(
        root: root, side: side, store: store, user: opened.user, now: now,
        rules: rules ?? CollectionRules([]))
      followed = try await renames.run(records, among: listed)
    case .account:
      let seesAll = seesAll(of: side)
      let moves = FollowMoves(
        store: store, side: side, opened: opened, now: now, seesAll: seesAll, rules: rules)
      followed = try await moves.run(records, among: listed)
    case .stream, .nothing, .remembered: return
    }
    records = followed.records
    listing.lookalikes[side] = followed.lookalikes
    listing.anew.formUnion(followed.anew)
  }

  /// Keeps for the next run what a side has in which this one looks for nothing that is gone.
  func remember(_ side: Side, _ listed: [CollectionDescription]) async throws(OpeningError) {
    let kind: FormerStrangers.Kind
    let opened = opened(side)
    switch opened {
    case .directory: kind = .folders
    case .account:
      // Of one calendar alone nobody looks at what is beside it.
      if opened.isOneCalendar || !seesAll(of: side) { return }
      kind = .calendars
    case .stream, .nothing, .remembered: return
    }
    let former = try await FormerStrangers.read(kind, on: side, in: store)
    try await former.remember(listed, beside: records, in: store)
  }

  /// The account shows all of its calendars.
  func seesAll(of side: Side) -> Bool { (listing.unseen[side] ?? []).isEmpty }

  /// What the pair takes; nil where it is about one calendar.
  private var rules: CollectionRules? {
    switch pair.selection {
    case .collections(let rules): CollectionRules(rules)
    case .asFound: CollectionRules([.include("*")])
    case .calendar: nil
    }
  }

  /// A calendar is known by its address, however its server spells that; a folder by its name:
  /// another one that takes its place is that collection, with nothing that was agreed on.
  private func known(_ here: [CollectionDescription], _ there: [CollectionDescription])
    async throws(OpeningError) -> [KnownCollection]
  {
    var known: [KnownCollection] = []
    for record in records {
      var collection = record.known
      if case .account = local,
        let own = here.first(where: { $0.identity == record.place(on: .local) })
      {
        collection.local = own.href
      }
      if case .directory = remote, let own = there.first(where: { $0.href == collection.remote }) {
        collection.remoteIdentity = own.identity
      }
      collection.mapping = try await recorded { () throws(JournalError) in
        try await store.mapping(of: record.identity.name)
      }
      collection.elsewhere = try await elsewhere(record)
      known.append(collection)
    }
    return known
  }

  func opened(_ side: Side) -> OpenedSide { side == .local ? local : remote }

  mutating func list(
    _ side: Side, _ opened: OpenedSide, _ listed: [CollectionDescription]?
  ) async throws(OpeningError) -> [CollectionDescription] {
    if let listed { return listed }
    let found: CalendarListing
    if let before = shown[side] {
      found = before
    } else {
      do throws(OpeningError) {
        found = try await reached(side) { () throws(StorageError) in
          try await opened.listCollections()
        }
      } catch {
        // The next run asks for others than the home that kept this one from all of them.
        try? await store.rememberHomes(of: opened)
        throw error
      }
      shown[side] = found
    }
    listing.unseen[side] = found.unseen
    let calendars = found.calendars + (unlisted[side] ?? [])
    if side == .remote { listing.remoteNames = calendars.map(\.name) }
    return calendars.map { withAskedName(withFormerName($0, on: side), on: side) }
  }

  /// Sides that are another directory, server or user than in the last run.
  func repointed() async throws(OpeningError) -> Set<Side> {
    var sides: Set<Side> = []
    for (side, opened) in [(Side.local, local), (.remote, remote)] {
      let isElsewhere = try await recorded { () throws(JournalError) in
        try await store.wasElsewhere(side, than: opened.place)
      }
      if isElsewhere { sides.insert(side) }
    }
    return sides
  }
}

extension CollectionRecord {
  /// As the matching of collections needs it.
  var known: KnownCollection {
    KnownCollection(
      name: identity.name, local: Href(folder), remoteIdentity: place(on: .remote),
      remote: Href(remoteHref), remoteName: remoteName)
  }

  /// What made the collection of a side the one it was: the identity without the user, who comes
  /// last, since a path may hold a line end.
  func place(on side: Side) -> String {
    let identity = identity[side]
    let end = identity.lastIndex(of: UInt8(ascii: "\n")) ?? identity.endIndex
    return String(decoding: identity[..<end], as: UTF8.self)
  }
}

extension OpenedSide {
  /// Where the side is, as far as its configuration says: if it differs from the last run's, the
  /// pair was pointed somewhere else.
  var place: String {
    switch self {
    case .directory(_, let path), .nothing(_, let path): Self.place(ofDirectory: path)
    case .account(let connection): connection.key(.location)
    case .stream(let stream): stream.place
    case .remembered: ""
    }
  }

  /// - Parameter path: without symbolic links.
  static func place(ofDirectory path: String) -> String { "directory \(path)" }

  /// It is what the journal remembers of it.
  var isRemembered: Bool {
    if case .remembered = self { true } else { false }
  }

  /// The account's connection; nil of what is none.
  fileprivate var connection: AccountConnection? {
    if case .account(let connection) = self { connection } else { nil }
  }

  /// The account's URL is itself a calendar.
  var isOneCalendar: Bool {
    guard case .calendar? = connection?.account.location else { return false }
    return true
  }
}
