import CalDAVStorage
import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning

/// What calgw knows of the meetings that it has sent with SCHEDULE-AGENT=CLIENT to one calendar, so
/// that its own word is told from that of others, who may have written the same one.
///
/// Nothing on the wire shows it: a server may drop whatever would. So the journal has the items to
/// which such a text was ever sent, by their UIDs, and what their texts were before; the word of
/// everything else is somebody else's.
package actor SilencedItems {
  package typealias Keep = @Sendable (Set<ItemID>) async throws(JournalError) -> Void
  /// Gives the texts, without calgw's word, of which one may be what an item's text on the server
  /// was made of: the newest first.
  package typealias FindTexts = @Sendable (ItemID) async throws(JournalError) -> [ItemData]

  private let former: Set<ItemID>
  private var own: Set<ItemID>
  private let keep: Keep
  private let findTexts: FindTexts

  /// - Parameters:
  ///   - former: those that other calendars of the pair got: an item may have been moved.
  ///   - keep: stores some more of this calendar for later runs.
  package init(
    former: Set<ItemID> = [], own: Set<ItemID> = [], keep: @escaping Keep,
    findTexts: @escaping FindTexts
  ) {
    self.former = former
    self.own = own
    self.keep = keep
    self.findTexts = findTexts
  }

  /// Notes what is about to be sent with calgw's word. A killed run has noted it, too.
  func note(_ items: Set<ItemID>) async throws(JournalError) {
    let new = items.subtracting(own)
    if new.isEmpty { return }
    try await keep(new)
    own.formUnion(new)
  }

  /// What an item's text on the server may be with calgw's word taken away, the likeliest first;
  /// that text alone where none of its words is calgw's, or nothing shows that one is. A word that
  /// is kept by mistake sends no mail to anybody.
  func forms(of text: [UInt8]) async throws(JournalError) -> [[UInt8]] {
    guard !own.isEmpty || !former.isEmpty, SchedulingAgent.isClient(in: text),
      let uid = Self.uid(of: text), own.contains(uid) || former.contains(uid)
    else { return [text] }
    let texts = try await findTexts(uid)
    let forms = texts.map { RenamedOrganizer.unquieted(text, as: $0.bytes) }
    // What gives the very text back is what it was made of.
    let exact = zip(forms, texts).filter { $0 == $1.bytes }.map { $0.0 }
    return exact + forms + [text]
  }

  /// Of an item, which has one; nil where there is none.
  static func uid(of text: [UInt8]) -> ItemID? {
    CalendarObject(SyntaxTree(bytes: text)).uids.first.map { ItemID(bytes: $0) }
  }
}

extension CollectionOpener {
  /// The sides, told what they may tell attendees.
  func invited(
    _ local: any Storage, _ remote: any Storage, of name: String, _ journal: SQLiteJournal
  ) async throws(OpeningError) -> BothSides<any Storage> {
    BothSides(
      try await restrained(.local, local, of: name, journal),
      try await restrained(.remote, remote, of: name, journal))
  }

  /// Only a server sends invitations, and replies to them.
  private func restrained(
    _ side: Side, _ storage: any Storage, of name: String, _ journal: SQLiteJournal
  ) async throws(OpeningError) -> any Storage {
    guard pair.side(side).isServer else { return storage }
    let calendar = storage as? CalDAVStorage
    let invitations = pair.target.pair.invitations
    if invitations == .server, !options.deletesQuietly { calendar?.deleteWithReplies() }
    guard invitations == .never else { return storage }
    let silenced = try await silencedItems(side, of: name, journal)
    return QuietStorage(storage, digest: liveDigest, silenced: silenced) {
      await calendar?.tellsAttendees() ?? true
    }
  }

  private func silencedItems(
    _ side: Side, of name: String, _ journal: SQLiteJournal
  ) async throws(OpeningError) -> SilencedItems {
    let (kind, store) = (HeldItems.silenced(on: side), pair.store)
    let all = try await recorded { () throws(JournalError) in
      try await kind.loadAll(from: store)
    }
    return SilencedItems(
      former: all.values.reduce(into: []) { $0.formUnion($1) }, own: all[name] ?? []
    ) { items async throws(JournalError) in
      try await kind.add(items, to: name, in: store)
    } findTexts: { uid async throws(JournalError) in
      // A write under way, or left by a killed run, is newer than what both sides shared.
      let open = try await journal.openIntents().map(\.intent).filter {
        $0.side == side && $0.uid == uid
      }
      var digests = open.reversed().compactMap(\.textToWrite)
      if let agreement = try await journal.agreement(of: uid) {
        digests.append(agreement[side].version.digest)
      } else {
        // Of what was moved here, another collection has that until this one has taken it over.
        for agreement in try await store.agreements(of: uid, besides: name) {
          digests.append(agreement[side].version.digest)
        }
      }
      let texts = try await journal.contents(digests)
      return digests.compactMap { texts[$0] }
    }
  }
}

extension PairStore {
  /// What both sides share of an item in other collections.
  fileprivate func agreements(
    of uid: ItemID, besides name: String
  ) async throws(JournalError) -> [Agreement] {
    var found: [Agreement] = []
    for other in try collections() where other.identity.name != name {
      guard let journal = try self.journal(of: other.identity.name) else { continue }
      if let agreement = try await journal.agreement(of: uid) { found.append(agreement) }
    }
    return found
  }
}

extension Intent {
  fileprivate var textToWrite: ContentDigest? {
    switch effect {
    case .create(_, let digest), .replace(_, _, let digest): digest
    case .delete: nil
    }
  }
}

extension HeldItems {
  /// Those of a side.
  fileprivate static func silenced(on side: Side) -> HeldItems {
    side == .local ? .silencedHere : .silencedThere
  }
}
