import ICalendar
import SyncModel
import SyncPlanning

extension SyncRun {
  /// What a batch of writes came to, once what the side made of them was looked at.
  struct Stored {
    /// Without those that could not be looked at: their intents stay open, and the next run looks.
    var closed: [ClosedIntent]
    /// Texts that the side stored in the place of ours.
    var contents: [StoredContent] = []
    /// What somebody else wrote over ours meanwhile.
    var news: [ObservedChange] = []
    /// Writes that the side said were done, and that were not.
    var denied: Set<Intent.ID> = []
    /// Those of them in whose place a look has shown another text, as the problems that they are.
    var shown: [Intent.ID: ItemProblem] = [:]
    /// Those of them that may be done later: their intents stay open, too.
    var late: Set<Intent.ID> = []
    /// The side has news of attendees in what it stored.
    var hasAnswers = false
    /// Items that the side stored under another UID.
    var renamed: [Intent.ID: ItemProblem] = [:]
    /// Edits of which the side kept values as they were before.
    var former: [Intent.ID: KeptFormer] = [:]
    /// These edits, where they come from.
    var pending: [ObservedChange] = []
    /// Some could not be looked at.
    var hasUnseen = false
    /// Looking failed.
    var failure: SyncFailure?
  }

  /// Reads what a server made of our writes and takes it as that side's base.
  ///
  /// A strong entity tag proves nothing here: four of six servers give one and rewrite all the
  /// same. Where the tag is the one that our write got, or it got none (which is how a server says
  /// that it rewrites, RFC 4791 §5.3.4), what is there a moment later is the server's rewriting of
  /// it; but what it says of attendees is news (`SentText.unanswered`). Where it is another tag,
  /// and more is new than servers make new by habit (some give a tag for every look), somebody was
  /// quicker, and the next round deals with it as with any change.
  mutating func readBack(
    _ closed: [ClosedIntent], _ sent: [Intent.ID: PreparedWrite], on side: Side
  ) async -> Stored {
    var stored = Stored(closed: closed)
    guard sync.storage(side).traits.mayRewrite else { return stored }
    noteNews(of: closed, on: side)
    let places = places(of: closed, sent, on: side)
    if places.isEmpty { return stored }
    var waiting = Set(places.keys)
    let misplacedBefore = misplaced.count
    var parts = ReadInParts(waiting.sorted(), of: sync.storage(side))
    do throws(SyncFailure) {
      while let part = try await nextPart(of: &parts, on: side) {
        let replaced = try await replaced(part, places)
        let restless = try await restless(part, places, on: side)
        let former = try await formerTexts(part, places)
        for outcome in part {
          guard var place = places[outcome.href], let text = place.write.write.data else {
            continue
          }
          place.isRestless = restless.contains(outcome.href)
          let old = place.write.intent.effect.replaced.flatMap { replaced[$0] }
          let ours = sync.sentText(text, over: old, on: side)
          let isKnown =
            place.write.intent.isFirstHalf
            ? compareHalf(outcome, with: place, ours, &stored)
            : compare(outcome, with: place, ours, former, &stored)
          if isKnown { waiting.remove(outcome.href) }
        }
      }
      if misplaced.count > misplacedBefore { try await notePlaces(beforeListing: side) }
    } catch {
      stored.failure = error
    }
    for place in waiting.sorted().compactMap({ places[$0] }) {
      noteUngiven(place, closed[place.index].id)
    }
    let unseen = Set(waiting.compactMap { places[$0].map { closed[$0.index].id } })
    stored.closed.removeAll { [late = stored.late] in
      unseen.contains($0.id) || late.contains($0.id)
    }
    // Recovery looks once more, and the next run: to plan it anew would send a new item twice, and
    // take what the server drops of an edit for an edit there.
    let unclear = Set(unseen.compactMap { sent[$0]?.intent.uid })
    leftAlone.formUnion(unclear)
    halfMerged.removeAll { unclear.contains($0.local.uid) }
    stored.hasUnseen = !unseen.isEmpty
    if stored.hasAnswers { stale.insert(side) }
    return stored
  }

  /// What we wrote is news to the server's own list of changes, deletions too: taking note of it
  /// now makes the next run a quiet one.
  private mutating func noteNews(of closed: [ClosedIntent], on side: Side) {
    noteOwnWrites(closed, on: side)
    if sync.storage(side).traits.listsDeltas, closed.contains(where: \.isDone) {
      stale.insert(side)
    }
  }

  private func nextPart(
    of parts: inout ReadInParts, on side: Side
  ) async throws(SyncFailure) -> [ReadOutcome]? {
    do throws(StorageError) { return try await parts.next() } catch {
      throw SyncFailure(error, on: side)
    }
  }

  /// A write, and what the side said that it stored.
  struct Place {
    /// Among those that were closed.
    let index: Int
    let write: PreparedWrite
    let stored: ItemVersion
    /// What was to be replaced is there still, and has another entity tag with each look.
    var isRestless = false
  }

  /// Where to look.
  private func places(
    of closed: [ClosedIntent], _ sent: [Intent.ID: PreparedWrite], on side: Side
  ) -> [Href: Place] {
    let halves = Dictionary(
      halfMerged.map { ($0.local.uid, $0[side]) }, uniquingKeysWith: { first, _ in first })
    var places: [Href: Place] = [:]
    for (index, intent) in closed.enumerated() {
      guard let write = sent[intent.id] else { continue }
      var stored = write.intent.isFirstHalf ? halves[write.intent.uid] : nil
      if case .agreed(let agreement) = intent.outcome { stored = agreement[side] }
      if let stored { places[stored.href] = Place(index: index, write: write, stored: stored) }
    }
    return places
  }

  /// What was to be replaced by writes of which no entity tag tells that they are what is there, or
  /// where it is there still.
  private func replaced(
    _ part: [ReadOutcome], _ places: [Href: Place]
  ) async throws(SyncFailure) -> [ContentDigest: ItemData] {
    let old = part.compactMap { outcome -> ContentDigest? in
      guard let place = places[outcome.href], case .found(let version, _, _) = outcome.result,
        let replaced = place.write.intent.effect.replaced
      else { return nil }
      let stored = place.stored.version
      let isKnown = stored.tag != nil && version.hasTag(of: stored) && version.digest != replaced
      return isKnown ? nil : replaced
    }
    if old.isEmpty { return [:] }
    return try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents(old)
    }
  }

  /// False where what is there cannot be read, or nothing shows: then nobody knows what the side
  /// made of ours.
  private mutating func compare(
    _ outcome: ReadOutcome, with place: Place, _ ours: SentText,
    _ former: [ContentDigest: ItemData], _ stored: inout Stored
  ) -> Bool {
    let (write, sent) = (place.write, place.stored)
    let id = stored.closed[place.index].id
    guard case .agreed(let agreement) = stored.closed[place.index].outcome else { return true }
    if case .missing = outcome.result, write.write.data != nil {
      // It may show later: the next run looks for a new item before it sends it again. Of an edit,
      // one wrong answer would make what the server keeps of it somebody's there.
      if case .create = write.write {
        misplaced[id] = MisplacedWrite(write: write, told: sent.version)
      }
      stored.denied.insert(id)
      return false
    }
    if let instead = denial(of: place, ours, by: outcome) {
      stored.denied.insert(id)
      stored.shown[id] = notStored(place, ours, by: outcome)
      // Sent again at once, what the server makes of the first one later would look like an edit.
      if case .nothingWritten = instead { stored.late.insert(id) }
      stored.closed[place.index] = ClosedIntent(id: id, outcome: instead)
      return true
    }
    guard case .found(let version, let data, _) = outcome.result, let item = sync.item(outcome)
    else {
      return false
    }
    guard item.uid == sent.uid else {
      guard version.hasTag(of: sent.version) || sync.isOurName(write.intent),
        isTwin(data, item.uid, of: place, ours)
      else {
        return false
      }
      let text = StoredContent(digest: version.digest, data: data)
      noteTwin(item, text, of: place, &stored)
      return true
    }
    let text = StoredContent(digest: version.digest, data: data)
    agree(agreement, on: item, text, of: place, ours, former, &stored)
    return true
  }

  /// Agrees on what is there, as far as it is what the side made of ours.
  private mutating func agree(
    _ planned: Agreement, on item: ItemVersion, _ text: StoredContent, of place: Place,
    _ ours: SentText, _ former: [ContentDigest: ItemData], _ stored: inout Stored
  ) {
    var agreement = planned
    let (write, side, data) = (place.write, place.write.intent.side, text.data)
    stored.contents.append(text)
    let isRewritten = isRewriting(item, data, of: place, ours)
    if isRewritten {
      agreement[side] = item
      keepFormer(data, of: place, former, &agreement, &stored)
    }
    // Whoever was quicker went on from what the server had kept of ours.
    let base =
      isRewritten
      ? unanswered(item, data, after: write, place.stored, ours) : ours.shared(with: data)
    if let base {
      if isRewritten || base != ours.sent, let shared = sync.asSent(base, at: item.href) {
        agreement[side] = shared
        stored.contents.append(StoredContent(digest: shared.version.digest, data: base))
      }
      stored.news.append(
        sync.sighting(of: item.href, on: side, .read(item)))
      stored.hasAnswers = stored.hasAnswers || isRewritten
    }
    let id = stored.closed[place.index].id
    stored.closed[place.index] = ClosedIntent(id: id, outcome: .agreed(agreement))
  }

  /// What both sides shared, where the server has news of attendees in what it stored: they are a
  /// change there, which the next round brings to the other side. Nil where it has none, or where
  /// they go nowhere in this run.
  private func unanswered(
    _ found: ItemVersion, _ data: ItemData, after write: PreparedWrite, _ sent: ItemVersion,
    _ ours: SentText
  ) -> ItemData? {
    guard sync.bringsAnswers(from: write.intent.side) else { return nil }
    // Where it kept nothing of ours, what it has said before is no answer to it.
    guard found.canonical != sent.canonical,
      found.version.digest != write.intent.effect.replaced
    else { return nil }
    return ours.unanswered(data)
  }
}

extension CollectionSync {
  /// Whether news of attendees on a side goes to the other one in this run. A change that waits
  /// would look like a person's; and a side that makes its own of what it is given might answer in
  /// its turn, and so on for ever.
  func bringsAnswers(from side: Side) -> Bool {
    let other = side.opposite
    return options.direction.writes(to: other) && !readOnly.contains(other)
      && !storage(other).traits.mayRewrite
  }
}
