import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel

/// The items of a collection that later runs have to know of, as the pair's store keeps them. Some
/// wait until a person says yes: a run that cannot ask holds them back, too.
enum HeldItems: String, CaseIterable {
  /// Nobody let them go to a server yet.
  case invitations = "uninvited"
  /// Their deletion was too much.
  case deletions = "undeleted"
  /// They are in this collection as well as in another one, where they were, or are to be, deleted:
  /// a server may delete both with one. Until they were looked at they are not taken for deleted.
  case takenAlong = "taken along"
  /// A server has moved them from this collection to another one, or may have: what both sides
  /// shared of them is kept until that one has taken it over.
  case departed = "moved away"
  /// The local side, a server, was sent them with calgw's word that it is to tell nobody
  /// (`SilencedItems`).
  case silencedHere = "silenced local"
  /// The same of the remote side.
  case silencedThere = "silenced remote"

  func storeKey(_ collection: String) -> String { "\(rawValue) \(collection)" }

  func load(_ collection: String, from store: PairStore) async throws(JournalError) -> Set<ItemID> {
    Self.items(try await store.value(storeKey(collection)) ?? [])
  }

  /// Those of every collection that has any.
  func loadAll(from store: PairStore) async throws(JournalError) -> [String: Set<ItemID>] {
    let prefix = storeKey("")
    var found: [String: Set<ItemID>] = [:]
    for (key, lines) in try await store.values(under: prefix) {
      // What was added has a number behind a slash, and no name has one.
      let name = String(key.dropFirst(prefix.count).prefix { $0 != "/" })
      found[name, default: []].formUnion(Self.items(lines))
    }
    return found
  }

  private static func items(_ lines: [UInt8]) -> Set<ItemID> {
    Set(lines.split(separator: UInt8(ascii: "\n")).map { ItemID(bytes: Array($0)) })
  }

  func save(
    _ held: Set<ItemID>, of collection: String, in store: PairStore
  ) async throws(JournalError) {
    try await store.setValue(
      held.isEmpty ? nil : Self.lines(held), for: storeKey(collection))
  }

  /// Saves some more; of a kind that grows with each batch of a run, all would be written for each.
  /// `loadAll` alone gives them.
  func add(
    _ more: Set<ItemID>, to collection: String, in store: PairStore
  ) async throws(JournalError) {
    try await store.addValue(Self.lines(more), to: storeKey(collection))
  }

  private static func lines(_ items: Set<ItemID>) -> [UInt8] {
    Array(items.sorted().map(\.bytes).joined(separator: [UInt8(ascii: "\n")]))
  }
}

extension Gateway {
  /// What the configuration says of invitations, and what earlier runs held back.
  ///
  /// - Parameter confirm: Asks a person; nil where there is nobody to ask.
  func invitationConsent(
    _ collection: String, of opened: OpenedPair,
    asking confirm: (@Sendable (_ place: String, _ count: Int) async -> Bool)?
  ) async throws(RunFailure) -> InvitationConsent {
    let (pair, store) = (opened.target.pair, opened.store)
    var consent = InvitationConsent()
    if pair.invitations != nil {
      consent.answer = .given
    } else if let confirm {
      consent.answer = .asked { await confirm("\(pair.name)/\(collection)", $0) }
    }
    consent.held = try await journaled(pair) { () throws(JournalError) in
      try await HeldItems.invitations.load(collection, from: store)
    }
    consent.keep = { held async throws(JournalError) in
      try await HeldItems.invitations.save(held, of: collection, in: store)
    }
    return consent
  }

  /// What was too much for earlier runs to delete.
  func heldDeletions(
    _ collection: String, of opened: OpenedPair
  ) async throws(RunFailure) -> HeldDeletions {
    let store = opened.store
    var deletions = HeldDeletions()
    deletions.held = try await journaled(opened.target.pair) { () throws(JournalError) in
      try await HeldItems.deletions.load(collection, from: store)
    }
    deletions.keep = { held async throws(JournalError) in
      try await HeldItems.deletions.save(held, of: collection, in: store)
    }
    return deletions
  }
}

extension CollectionOpener {
  /// The run's options, where meetings that a collection shared with another place before wait for
  /// a yes, too: nobody made them for the place to which the collection leads now.
  func holdingFormer(_ collection: String) async throws(OpeningError) -> SyncOptions {
    var holding = options
    let former = try await formerMeetings(collection, besides: options.invitations.held)
    if former.isEmpty { return holding }
    holding.invitations.held.formUnion(former)
    // At once: as soon as both sides share anything, nothing but this says what waits.
    if pair.mode == .write, !options.isDryRun {
      let consent = holding.invitations
      try await recorded { () throws(JournalError) in try await consent.keep(consent.held) }
    }
    return holding
  }

  /// Texts that are in memory at once.
  private static let textsAtATime = 200

  private func formerMeetings(_ collection: String, besides held: Set<ItemID>)
    async throws(OpeningError) -> Set<ItemID>
  {
    try await recorded { () throws(JournalError) in
      let all = try await pair.store.itemsSetAside(under: collection)
      let former = Array(all.filter { !held.contains($0.key) })
      var rest = former[...]
      var meetings: Set<ItemID> = []
      while !rest.isEmpty {
        let group = rest.prefix(Self.textsAtATime)
        rest = rest.dropFirst(Self.textsAtATime)
        let texts = try await pair.store.contents(group.flatMap(\.value))
        for (uid, digests) in group {
          // One whose text was lost may be one.
          let isMeeting = digests.contains { digest in
            texts[digest].map { SchedulingAgent.isScheduled($0.bytes) } ?? true
          }
          if isMeeting { meetings.insert(uid) }
        }
      }
      return meetings
    }
  }
}
