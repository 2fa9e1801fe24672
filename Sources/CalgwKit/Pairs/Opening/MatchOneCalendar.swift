import CalDAVStorage
import SQLiteJournal
import SyncModel
import VdirStorage

/// `calendar = "…"`: a directory is itself the collection; an account is searched for the text.
extension PairMatching {
  mutating func matchOne(_ text: String, listed: [CollectionDescription]? = nil)
    async throws(OpeningError) -> [MatchedCollection]
  {
    let places = try await repointed()
    let shown = try await show(remote: listed)
    let here = try await choose(text, on: .local, listed: shown[.local], places)
    let there = try await choose(text, on: .remote, listed: shown[.remote], places)
    let known = try await known(under: text, here, there, repointed: places)
    let elsewhere = places.union(try await elsewhere(known))
    func counterpart(
      _ side: Side, _ found: CollectionDescription?, other: CollectionDescription?
    ) throws(OpeningError) -> MatchedCollection.Counterpart {
      if let found { return .present(found) }
      // What the pair had stands there still: the text is a mistake, and not a new calendar's name.
      if let known, shown[side]?.contains(where: { known.place(on: side) == $0.identity }) == true {
        return .unknown(text)
      }
      if let known, !elsewhere.contains(side) {
        return .gone(Href(side == .local ? known.folder : known.remoteHref))
      }
      // Without a look at it, nobody can say that there is none.
      let isUntold = side == .remote && remote.isRemembered
      guard isFolderName(text) || isUntold, other != nil else { throw .run(notFound(text, side)) }
      return .missing(
        CollectionProposal(name: text, displayName: other?.displayName, color: other?.color))
    }
    let name = known?.identity.name ?? here?.name ?? there?.name ?? text
    if here != nil && local.isServer || there != nil && remote.isServer {
      try await remember(text, as: name)
    }
    return [
      MatchedCollection(
        name: name, local: try counterpart(.local, here, other: there),
        remote: try counterpart(.remote, there, other: here))
    ]
  }

  /// What the accounts of the pair have.
  private mutating func show(remote listed: [CollectionDescription]?)
    async throws(OpeningError) -> [Side: [CollectionDescription]]
  {
    var shown: [Side: [CollectionDescription]] = [:]
    for side in Side.allCases {
      guard case .account = opened(side) else { continue }
      shown[side] = try await list(side, opened(side), side == .remote ? listed : nil)
    }
    return shown
  }

  /// What a choice means on a side: the calendar that the pair had there in earlier runs under the
  /// same choice, whatever it is called by now, and wherever it is; else what answers to the text.
  private mutating func choose(
    _ text: String, on side: Side, listed: [CollectionDescription]?, _ repointed: Set<Side>
  ) async throws(OpeningError) -> CollectionDescription? {
    let opened = opened(side)
    guard case .account = opened, let listed else {
      return try await find(text, on: side, opened, listed: listed)
    }
    if !repointed.contains(side), try await isFollowed(text, on: side) {
      try await follow(side, among: listed)
      let place = try await chosen(by: text)?.place(on: side)
      if let former = listed.first(where: { $0.identity == place }) {
        // Somebody may give another calendar the name of the one that was chosen by it.
        let isAnotherMeant = listed.contains { $0.isExactly(text) && $0 != former }
        if !isAnotherMeant { return former }
      }
    } else {
      try await remember(side, listed)
    }
    return try await find(text, on: side, opened, listed: listed)
  }

  /// The calendar of earlier runs is looked for, since something was agreed on under this choice.
  private func isFollowed(_ text: String, on side: Side) async throws(OpeningError) -> Bool {
    if opened(side).isOneCalendar { return false }
    guard let former = try await chosen(by: text) else { return false }
    // Another choice has had it since: then the name says which is meant.
    let last = try await recorded { () throws(JournalError) in
      try await store.value(Self.lastChoice(of: former.identity.name))
    }
    return last == nil || last == Array(text.utf8)
  }

  /// What was agreed on for this choice. A folder is the collection that it was, whichever calendar
  /// it is kept the same with; between two servers another choice is another collection.
  private func known(
    under text: String, _ here: CollectionDescription?, _ there: CollectionDescription?,
    repointed: Set<Side>
  ) async throws(OpeningError) -> CollectionRecord? {
    guard case .account = local else { return record(of: here) }
    if here == nil, there == nil { return try await chosen(by: text) }
    func mayBe(_ found: CollectionDescription?, _ side: Side, _ record: CollectionRecord) -> Bool {
      guard let found, !repointed.contains(side) else { return true }
      return found.identity == record.place(on: side)
    }
    return records.first { mayBe(here, .local, $0) && mayBe(there, .remote, $0) }
  }

  /// What was agreed on for a directory that is itself the collection. One that was a folder of the
  /// pair's directory before is known by itself; any other has nothing to do with such a folder.
  private func record(of here: CollectionDescription?) -> CollectionRecord? {
    guard let here else { return records.first }
    let identity = here.journalIdentity(user: local.user)
    return records.first { $0.identity.local == identity }
      ?? records.first { $0.folder == here.href.spelling }
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
              + found.clearNames().map(tomlString).joined(separator: " or ")))
      }
      return found.first
    }
  }

  // MARK: The choice of earlier runs

  /// Under what the pair's store keeps which collection was chosen by a text.
  private static func choice(_ text: String) -> String { "chosen by \(text)" }

  /// Under what it keeps by which text a collection was chosen last.
  private static func lastChoice(of collection: String) -> String { "choice of \(collection)" }

  /// The collection of earlier runs, if one was chosen by the same text.
  private func chosen(by text: String) async throws(OpeningError) -> CollectionRecord? {
    let (name, former) = try await recorded { () throws(JournalError) in
      (
        try await store.value(Self.choice(text)),
        // An earlier release kept the last text alone.
        try await store.value("chosen calendar")
      )
    }
    guard let name else {
      return former == Array(text.utf8) && records.count == 1 ? records.first : nil
    }
    return records.first { Array($0.identity.name.utf8) == name }
  }

  private func remember(_ text: String, as collection: String) async throws(OpeningError) {
    try await recorded { () throws(JournalError) in
      let name = Array(collection.utf8)
      let values = [
        (Self.choice(text), name), (Self.lastChoice(of: collection), Array(text.utf8)),
      ]
      for (key, value) in values where try await store.value(key) != value {
        try await store.setValue(value, for: key)
      }
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
      failure.side = side
      return failure
    }
    return RunFailure(
      .configuration, code: "no-such-calendar",
      message: "there is no calendar \"\(text)\" on the \(side.rawValue) side",
      hint: "run `calgw discover` to see what there is")
  }
}
