import ICalendar
import SyncModel
import SyncPlanning

extension SyncRun {
  /// Finds new items that a server stored under a name of its own, without a word about it
  /// (`Location`): it said that it stored them, nothing is where they were sent to, and the listing
  /// after that shows the UID at one place that nobody knew. To meet them there as strangers would
  /// take what the server dropped or added for somebody's edit.
  ///
  /// Of earlier runs' writes that is not said: their answers are not known.
  mutating func followMisplaced() async throws(SyncFailure) {
    if misplaced.isEmpty { return }
    let (open, differing) = try await recorded { [sync] () throws(JournalError) in
      (try await sync.journal.openIntents(), try await sync.journal.differing())
    }
    let waiting = Set(open.map(\.id))
    misplaced = misplaced.filter { waiting.contains($0.key) }
    for id in misplaced.keys.sorted() {
      guard let write = misplaced[id], let source = write.intent.source else { continue }
      if let place = place(of: write, among: differing),
        let agreement = try await agreement(on: write, of: source, at: place)
      {
        try await close(id, .agreed(agreement))
        tell(foundDone: write)
      } else if let twin = try await misplacedTwin(of: write, among: differing) {
        let problem = ItemProblem.twin(twin, of: write.intent.uid, on: write.intent.side)
        try await note(twin, of: write, because: problem)
        try await close(id, .nothingWritten)
      }
    }
  }

  private mutating func close(
    _ id: Intent.ID, _ outcome: IntentOutcome
  ) async throws(SyncFailure) {
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.close([ClosedIntent(id: id, outcome: outcome)], contents: [])
    }
    misplaced[id] = nil
  }

  /// The only resource of the item on the side, as it was read; nil where there is none, or more.
  ///
  /// An edit that outlives a deletion has an agreement still, on what is gone from its place there,
  /// or has another item in it, or the edit itself: some servers make the name out of the UID.
  private func place(of write: PreparedWrite, among differing: Differing) -> ItemVersion? {
    let (side, uid) = (write.intent.side, write.intent.uid)
    var former = differing.agreements.first { $0.uid == uid }?[side].href
    var found: ItemVersion?
    for observation in differing.observations where observation.side == side {
      if observation.href == former {
        switch observation.state {
        case .gone, .read: former = nil
        case .unread, .obstructed: return nil
        }
      }
      guard case .read(let version) = observation.state, version.uid == uid else { continue }
      if found != nil || version.href == write.write.href { return nil }
      found = version
    }
    // Without news of that place the item is there as ever.
    return former == nil ? found : nil
  }

  /// Nil where what is there is not what a server makes of ours: it may be somebody's own item,
  /// which a server that is slow to list shows only now.
  private func agreement(
    on write: PreparedWrite, of source: ItemVersion, at place: ItemVersion
  ) async throws(SyncFailure) -> Agreement? {
    guard let text = write.write.data else { return nil }
    let texts = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents([place.version.digest])
    }
    guard let there = texts[place.version.digest] else { return nil }
    let sent = sync.sentText(text, over: nil, on: write.intent.side)
    guard sent.means(there) || sent.isOfOneSubstance(with: there) || sent.isAllSaid(in: there)
    else { return nil }
    return sync.agreement(of: source, on: write.intent.side, with: place)
  }

  /// The only new resource of the side that is what was sent, but for its UID (`Twins.swift`); nil
  /// where there is none, or more.
  private func misplacedTwin(
    of write: PreparedWrite, among differing: Differing
  ) async throws(SyncFailure) -> ItemVersion? {
    guard let text = write.write.data else { return nil }
    let (side, own) = (write.intent.side, write.intent.uid)
    var known = Set(differing.agreements.map(\.uid))
    for case .read(let version) in differing.observations.filter({ $0.side != side }).map(\.state) {
      known.insert(version.uid)
    }
    let new = differing.observations.compactMap { seen -> ItemVersion? in
      guard seen.side == side, seen.wait == nil, case .read(let version) = seen.state,
        version.uid != own, !known.contains(version.uid)
      else { return nil }
      return version
    }
    if new.isEmpty { return nil }
    let digests = new.map(\.version.digest)
    let texts = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents(digests)
    }
    let ours = sync.sentText(text, over: nil, on: side)
    let twins = new.filter { version in
      texts[version.version.digest].map { ours.isSaid(in: $0, under: version.uid, for: own) }
        ?? false
    }
    return twins.count == 1 ? twins.first : nil
  }
}

extension SentText {
  /// So much of a UID nobody else gives an item at the same time: the side has cut it off.
  private static let tellingBytes = 16

  /// It is ours, but for the UID.
  fileprivate func isSaid(in found: ItemData, under uid: ItemID, for own: ItemID) -> Bool {
    if uid.bytes.count >= Self.tellingBytes, own.bytes.starts(with: uid.bytes) { return true }
    guard let same = try? SyntaxTree(bytes: found.bytes).underUID(own.bytes) else { return false }
    let text = ItemData(bytes: same.bytes)
    return isOfOneSubstance(with: text) || isAllSaid(in: text)
  }
}
