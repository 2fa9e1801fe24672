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
  let records: [CollectionRecord]
  let now: Instant
  /// Of what was listed on the way, what is to be told.
  private(set) var listing = PairListing()

  mutating func run() async throws(OpeningError) -> [MatchedCollection] {
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
    if remote.isOneCalendar { return try await matchOne(".", listed: listed) }
    return wasOne
      ? try await matchOne(".", listed: listed) : try await matchAll([.include("*")], listed)
  }

  private mutating func matchAll(
    _ rules: [CollectionRule], _ listed: [CollectionDescription]? = nil
  )
    async throws(OpeningError) -> [MatchedCollection]
  {
    let here = try await list(.local, local, nil)
    let there = try await list(.remote, remote, listed)
    for (side, opened) in [(Side.local, local), (.remote, remote)] {
      guard case .directory(let root, let path) = opened else { continue }
      listing.strays[side] = StrayFiles(folder: path, names: await root.strays.map(\.text))
    }
    let places = try await repointed()
    var records = records
    for (side, opened, folders) in [(Side.local, local, here), (.remote, remote, there)] {
      guard case .directory(let root, _) = opened, !places.contains(side) else { continue }
      let renames = FollowRenames(
        root: root, side: side, store: store, user: opened.user, now: now)
      records = try await renames.run(records, among: folders)
    }
    if case .account = remote, !places.contains(.remote) {
      records = try await moves.run(records, among: there)
    }
    return matchCollections(
      local: here, remote: there, known: try await known(records, here, there), rules: rules,
      repointed: places, isOffline: remote.isRemembered)
  }

  /// A calendar is known by its address, however its server spells that; a folder by its name:
  /// another one that takes its place is that collection, with nothing that was agreed on.
  private func known(
    _ records: [CollectionRecord], _ here: [CollectionDescription],
    _ there: [CollectionDescription]
  ) async throws(OpeningError) -> [KnownCollection] {
    var known: [KnownCollection] = []
    for record in records {
      var collection = record.known
      if case .account = local, let own = here.first(where: { $0.identity == record.localPlace }) {
        collection.local = own.href
      }
      if case .directory = remote, let own = there.first(where: { $0.href == collection.remote }) {
        collection.remoteIdentity = own.identity
      }
      collection.mapping = try await recorded { () throws(JournalError) in
        try await store.mapping(of: record.identity.name)
      }
      known.append(collection)
    }
    return known
  }

  private var moves: FollowMoves {
    let unseen = listing.unseen[.remote] ?? []
    return FollowMoves(store: store, remote: remote, now: now, seesAll: unseen.isEmpty)
  }

  private mutating func list(
    _ side: Side, _ opened: OpenedSide, _ listed: [CollectionDescription]?
  ) async throws(OpeningError) -> [CollectionDescription] {
    if let listed { return listed }
    let shown = try await reached(side) { () throws(StorageError) in
      try await opened.listCollections()
    }
    listing.unseen[side] = shown.unseen
    if side == .remote { listing.remoteNames = shown.calendars.map(\.name) }
    return shown.calendars
  }

  /// Sides that are another directory, server or user than in the last run.
  private func repointed() async throws(OpeningError) -> Set<Side> {
    var sides: Set<Side> = []
    for (side, opened) in [(Side.local, local), (.remote, remote)] {
      let kept = try await recorded { () throws(JournalError) in
        try await store.value("place \(side.rawValue)")
      }
      if let kept, kept != Array(opened.place.utf8) { sides.insert(side) }
    }
    return sides
  }

  // MARK: One collection

  /// `calendar = "…"`: a directory is itself the collection; an account is searched for the text.
  private mutating func matchOne(_ text: String, listed: [CollectionDescription]? = nil)
    async throws(OpeningError) -> [MatchedCollection]
  {
    let here = try await find(text, on: .local, local, listed: nil)
    let places = try await repointed()
    var listed = listed
    if case .account = remote { listed = try await list(.remote, remote, listed) }
    let former = places.contains(.remote) ? nil : try await findKnown(text, listed ?? [])
    // Somebody may give another calendar the name of the one that was chosen by it.
    let isAnotherMeant = listed?.contains { $0.isExactly(text) && $0 != former } ?? false
    var there = isAnotherMeant ? nil : former
    if there == nil { there = try await find(text, on: .remote, remote, listed: listed) }
    let known = try await known(under: text, here, there, repointed: places)
    if there != nil, case .account = remote { try await rememberChoice(text) }
    func counterpart(
      _ side: Side, _ found: CollectionDescription?, other: CollectionDescription?
    ) throws(OpeningError) -> MatchedCollection.Counterpart {
      if let found { return .present(found) }
      if let known, !places.contains(side) {
        return .gone(Href(side == .local ? known.folder : known.remoteHref))
      }
      // Without a look at it, nobody can say that there is none.
      let isUntold = side == .remote && remote.isRemembered
      guard isFolderName(text) || isUntold, other != nil else { throw .run(notFound(text, side)) }
      return .missing(
        CollectionProposal(name: text, displayName: other?.displayName, color: other?.color))
    }
    let name = known?.identity.name ?? here?.name ?? there?.name ?? text
    return [
      MatchedCollection(
        name: name, local: try counterpart(.local, here, other: there),
        remote: try counterpart(.remote, there, other: here))
    ]
  }

  /// What was agreed on for this choice. A folder is the collection that it was, whichever calendar
  /// it is kept the same with; between two servers another choice is another collection.
  private func known(
    under text: String, _ here: CollectionDescription?, _ there: CollectionDescription?,
    repointed: Set<Side>
  ) async throws(OpeningError) -> CollectionRecord? {
    guard case .account = local else { return records.first }
    if here == nil, there == nil {
      return try await rememberedChoice() == Array(text.utf8) ? records.first : nil
    }
    func mayBe(_ found: CollectionDescription?, _ side: Side, _ place: String) -> Bool {
      guard let found, !repointed.contains(side) else { return true }
      return found.identity == place
    }
    return records.first { record in
      mayBe(here, .local, record.localPlace)
        && mayBe(there, .remote, record.known.remoteIdentity)
    }
  }

  private mutating func find(
    _ text: String, on side: Side, _ opened: OpenedSide, listed: [CollectionDescription]?
  ) async throws(OpeningError) -> CollectionDescription? {
    switch opened {
    case .nothing(let made, _): return side == .local || text == "." ? made : nil
    case .remembered(let collections, _, _): return collections.first
    case .stream(let stream): return stream.description
    case .directory(let root, _):
      if side == .local || text == "." {
        return try await reached(side) { () throws(StorageError) in
          try await root.describeItself()
        }
      }
      return try await list(side, opened, listed).first { $0.answers(to: text) }
    case .account:
      let all = try await list(side, opened, listed)
      if opened.isOneCalendar, text == "." || text.contains("/") { return all.first }
      let found = all.meant(by: text)
      guard found.count < 2 else {
        throw .run(
          RunFailure(
            .configuration, code: "ambiguous-calendar",
            message: "\(found.count) calendars are called \"\(text)\"",
            why: CollectionDescription.addresses(of: found),
            hint: "write which of them it is: "
              + found.clearNames.map(tomlString).joined(separator: " or ")))
      }
      return found.first
    }
  }

  /// The calendar that the pair had in earlier runs under the same choice, whatever it is called by
  /// now, and wherever it is.
  private func findKnown(_ text: String, _ listed: [CollectionDescription])
    async throws(OpeningError) -> CollectionDescription?
  {
    if remote.isOneCalendar || records.count != 1 { return nil }
    guard try await rememberedChoice() == Array(text.utf8) else { return nil }
    let identity = try await moves.run(records, among: listed).first?.known.remoteIdentity
    return listed.first { $0.identity == identity }
  }

  private static let choice = "chosen calendar"

  private func rememberedChoice() async throws(OpeningError) -> [UInt8]? {
    try await recorded { () throws(JournalError) in try await store.value(Self.choice) }
  }

  private func rememberChoice(_ text: String) async throws(OpeningError) {
    if try await rememberedChoice() == Array(text.utf8) { return }
    try await recorded { () throws(JournalError) in
      try await store.setValue(Array(text.utf8), for: Self.choice)
    }
  }

  private func notFound(_ text: String, _ side: Side) -> RunFailure {
    let unseen = listing.unseen[side] ?? []
    let failures = unseen.map { RunFailure($0.trouble, place: "") }
    let gravest = ExitStatus.combined(failures.map(\.status))
    if var failure = failures.first(where: { $0.status == gravest }) {
      failure.message =
        "the \(side.rawValue) side does not show all of its calendars, and \"\(text)\" is none of"
        + " those that it shows"
      failure.why = unseen.map(\.words).joined(separator: "; ")
      return failure
    }
    return RunFailure(
      .configuration, code: "no-such-calendar",
      message: "there is no calendar \"\(text)\" on the \(side.rawValue) side",
      hint: "run `calgw discover` to see what there is")
  }
}

extension CollectionRecord {
  /// As the matching of collections needs it.
  var known: KnownCollection {
    KnownCollection(
      name: identity.name, local: Href(folder), remoteIdentity: Self.place(identity.remote),
      remote: Href(remoteHref), remoteName: remoteName)
  }

  /// What made the local collection the one it was.
  fileprivate var localPlace: String { Self.place(identity.local) }

  /// The identity without the user, who comes last: a path may hold a line end.
  private static func place(_ identity: [UInt8]) -> String {
    let end = identity.lastIndex(of: UInt8(ascii: "\n")) ?? identity.endIndex
    return String(decoding: identity[..<end], as: UTF8.self)
  }
}

extension OpenedSide {
  /// Where the side is, as far as its configuration says: if it differs from the last run's, the
  /// pair was pointed somewhere else.
  var place: String {
    switch self {
    case .directory(_, let path), .nothing(_, let path): "directory \(path)"
    case .account(let connection): connection.key(.location)
    case .stream(let stream): stream.place
    case .remembered: ""
    }
  }

  /// It is what the journal remembers of it.
  var isRemembered: Bool {
    if case .remembered = self { true } else { false }
  }

  /// The account's URL is itself a calendar.
  var isOneCalendar: Bool {
    guard case .account(let connection) = self,
      case .calendar? = connection.account.location
    else { return false }
    return true
  }
}
