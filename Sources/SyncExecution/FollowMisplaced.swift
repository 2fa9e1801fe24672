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
      guard let write = misplaced[id], let source = write.intent.source,
        let place = place(of: write, among: differing),
        let found = try await agreement(on: write, of: source, at: place)
      else { continue }
      let outcome = ClosedIntent(id: id, outcome: .agreed(found.agreement))
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.close([outcome], contents: found.contents)
      }
      misplaced[id] = nil
      tell(foundDone: write)
    }
  }

  /// The only resource of the item on the side, as it was read; nil where there is none, or more.
  private func place(of write: PreparedWrite, among differing: Differing) -> ItemVersion? {
    let (side, uid) = (write.intent.side, write.intent.uid)
    if differing.agreements.contains(where: { $0.uid == uid }) { return nil }
    var found: ItemVersion?
    for observation in differing.observations where observation.side == side {
      guard case .read(let version) = observation.state, version.uid == uid else { continue }
      if found != nil || version.href == write.write.href { return nil }
      found = version
    }
    return found
  }

  /// What both sides share by it: what is there, as far as that is what the server made of ours.
  private func agreement(
    on write: PreparedWrite, of source: ItemVersion, at place: ItemVersion
  ) async throws(SyncFailure) -> (agreement: Agreement, contents: [StoredContent])? {
    guard let text = write.write.data else { return nil }
    let side = write.intent.side
    let texts = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents([place.version.digest])
    }
    guard let there = texts[place.version.digest] else { return nil }
    let sent = sync.sentText(text, over: nil, on: side)
    if sent.means(there) || sent.isOfOneSubstance(with: there) {
      return (sync.agreement(of: source, on: side, with: place), [])
    }
    let base = sent.shared(with: there)
    guard let shared = sync.asSent(base, at: place.href) else { return nil }
    return (
      sync.agreement(of: source, on: side, with: shared),
      [StoredContent(digest: shared.version.digest, data: base)]
    )
  }
}
