import SyncModel
import SyncPlanning

/// A new item that a side said it stored, and that is not where it was sent to.
struct MisplacedWrite {
  let write: PreparedWrite
  /// What the side said that it stored.
  let told: Version
}

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
      guard let misplaced = misplaced[id], let source = misplaced.write.intent.source,
        let place = place(of: misplaced.write, among: differing),
        let shared = try await shared(by: misplaced, at: place)
      else { continue }
      let write = misplaced.write
      let agreement = sync.agreement(of: source, on: write.intent.side, with: shared.item)
      try await closeMisplaced(id, .agreed(agreement), contents: shared.contents)
      tell(foundDone: write)
    }
    try await followTwins(among: differing)
  }

  mutating func closeMisplaced(
    _ id: Intent.ID, _ outcome: IntentOutcome, contents: [StoredContent] = []
  ) async throws(SyncFailure) {
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.close([ClosedIntent(id: id, outcome: outcome)], contents: contents)
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

  /// What both sides share where a resource is what a server made of ours; what it says there of
  /// attendees is news besides, which the next round brings to the other side. Nil where it is
  /// not: it may be somebody's own item, which a server that is slow to list shows only now.
  private func shared(
    by misplaced: MisplacedWrite, at place: ItemVersion
  ) async throws(SyncFailure) -> (item: ItemVersion, contents: [StoredContent])? {
    let write = misplaced.write
    guard let text = write.write.data else { return nil }
    let texts = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents([place.version.digest])
    }
    guard let there = texts[place.version.digest] else { return nil }
    let sent = sync.sentText(text, over: nil, on: write.intent.side)
    // Without a tag it is a stranger's that is at another time.
    let mayBeOurs = misplaced.told.tag != nil || sent.isAtOneTime(with: there)
    guard
      sent.means(there) || sent.isOfOneSubstance(with: there) || sent.isAllSaid(in: there)
        || mayBeOurs && isAsTold(place, misplaced)
    else { return nil }
    guard sync.bringsAnswers(from: write.intent.side), let base = sent.unanswered(there),
      let item = sync.asSent(base, at: place.href)
    else { return (place, []) }
    return (item, [StoredContent(digest: item.version.digest, data: base)])
  }

  /// The resource came after the last listing, has the entity tag that the side told of ours, or it
  /// told none, and is called as ours, or as its title was cut off: whatever else it says is what
  /// the server made of it, as at the address that it was sent to (`ReadBack`).
  private func isAsTold(_ place: ItemVersion, _ misplaced: MisplacedWrite) -> Bool {
    let write = misplaced.write
    guard let before = placesBefore[write.intent.side], !before.contains(place.href),
      place.version.hasTag(of: misplaced.told), let source = write.intent.source,
      source.components == place.components
    else { return false }
    let isCutOff =
      place.summary.utf8.count >= Self.tellingBytes && source.summary.hasPrefix(place.summary)
    return place.summary == source.summary || isCutOff
  }
}
