import SyncModel

extension JournalState {
  mutating func record(_ changes: [ObservedChange], on side: Side) {
    for change in changes {
      switch change {
      case .observed(var seen):
        seen.side = side
        observe(seen)
      case .refreshed(let item):
        refresh(item, on: side)
      case .dropped(let href):
        observations[Place(side, href)] = nil
      }
    }
  }

  /// `gone` without an agreement that refers to it says nothing.
  private mutating func observe(_ seen: Observation) {
    let place = Place(seen.side, seen.href)
    if seen.state == .gone, holders[place] == nil {
      observations[place] = nil
    } else {
      write(seen)
    }
  }

  /// It keeps `since` where both found nothing there, or both something and the former one no item;
  /// where an agreement has the place, `missed` until its item is read there.
  mutating func write(_ seen: Observation) {
    let place = Place(seen.side, seen.href)
    let former = observations[place]
    var seen = seen
    let unread =
      switch former?.state {
      case .unread, .obstructed: former?.since
      case .gone, .read, nil: Instant?.none
      }
    if isMissing(in: seen) {
      if let former, isMissing(in: former), let missed = former.missed {
        seen.missed = missed
      } else if seen.missed == nil, seen.state == .gone || seen.readItem != nil {
        seen.missed = seen.since.map { now in min(unread ?? now, now)...max(unread ?? now, now) }
      }
    }
    let isAsBefore = (former?.state == .gone) == (seen.state == .gone) && former?.readItem == nil
    if isAsBefore { seen.since = former?.since ?? seen.since }
    observations[place] = seen
  }

  /// An agreement has the place, and what is seen there is not read as its item.
  private func isMissing(in seen: Observation) -> Bool {
    guard let holder = holders[Place(seen.side, seen.href)] else { return false }
    return seen.readItem?.uid != holder
  }

  /// Without an agreement it was read, and that is kept.
  private mutating func refresh(_ item: ItemVersion, on side: Side) {
    guard var agreement = agreements[item.uid] else {
      return observe(Observation(side: side, href: item.href, state: .read(item)))
    }
    agreement[side] = item
    put(agreement)
    observations[Place(side, item.href)] = nil
  }

  mutating func setWaits(_ waits: [WaitChange]) {
    for change in waits { observations[Place(change.side, change.href)]?.wait = change.wait }
  }

  mutating func store(_ texts: [StoredContent]) {
    for text in texts { contents[text.digest] = text.data }
  }

  mutating func append(_ entries: [HistoryEntry]) {
    for entry in entries {
      lastHistory += 1
      history.append(RecordedHistoryEntry(number: lastHistory, entry: entry))
    }
  }

  /// A write that is tried again has its entry already: it is the newest of the item on this side,
  /// the sides have not agreed since, and the same was to become of the same content.
  mutating func appendAttempts(_ entries: [HistoryEntry]) {
    for entry in entries {
      let newest = history.lastIndex { $0.entry.uid == entry.uid && $0.entry.side == entry.side }
      if let newest, entry.before != nil, history[newest].entry.before == entry.before,
        history[newest].entry.action == entry.action,
        attempts.contains(history[newest].number),
        !history[newest...].contains(where: { later in
          later.entry.uid == entry.uid
            && later.entry.time.milliseconds
              > history[newest].entry.time.milliseconds + HistoryEntry.oneAttempt
        })
      {
        history[newest] = RecordedHistoryEntry(number: history[newest].number, entry: entry)
      } else {
        append([entry])
        attempts.insert(lastHistory)
      }
    }
  }

  /// What was written of an item until now is done: what comes is no other try of it.
  mutating func settleAttempts(_ uid: ItemID) {
    for recorded in history where recorded.entry.uid == uid { attempts.remove(recorded.number) }
  }

  mutating func open(_ new: [Intent]) -> [Intent.ID] {
    new.map { intent in
      lastIntent += 1
      let id = Intent.ID(lastIntent)
      intents[id] = intent
      return id
    }
  }

  /// An intent that is closed already stays as it is.
  mutating func close(_ closed: ClosedIntent) {
    guard let intent = intents.removeValue(forKey: closed.id) else { return }
    let target = Place(intent.side, intent.href)
    switch closed.outcome {
    case .agreed(let agreement):
      overtake(target, by: intent.effect)
      put(agreement)
      settleAttempts(intent.uid)
    case .forgotten:
      overtake(target, by: intent.effect)
      remove(intent.uid)
      settleAttempts(intent.uid)
    case .nothingWritten:
      break
    case .lookAgain:
      write(Observation(side: intent.side, href: intent.href, state: .unread(nil)))
    case .refused(let wait):
      refuse(intent, wait)
    }
  }

  private mutating func overtake(_ place: Place, by effect: Intent.Effect) {
    if let seen = observations[place], seen.isOvertaken(by: effect) { observations[place] = nil }
  }

  private mutating func refuse(_ intent: Intent, _ wait: Observation.Wait) {
    let side = intent.side.opposite
    if let source = intent.source {
      let read = Observation(side: side, href: source.href, state: .read(source))
      observations[Place(side, source.href), default: read].wait = wait
    } else if let agreed = agreements[intent.uid]?[side] {
      observations[Place(side, agreed.href)]?.wait = wait
    }
  }

  /// Drops what is both older than the limit and beyond the newest versions of its item, and no
  /// side of a conflict that waits.
  mutating func prune(olderThan: Instant, versionsAnItem: Int) {
    let inConflict = Set(
      observations.values.compactMap { seen -> ItemID? in
        guard seen.wait == .conflict, case .read(let item) = seen.state else { return nil }
        return item.uid
      })
    var newer: [ItemID: Int] = [:]
    let kept = history.reversed().filter { recorded in
      let rank = newer[recorded.entry.uid, default: 0]
      newer[recorded.entry.uid] = rank + 1
      return rank < versionsAnItem || recorded.entry.time >= olderThan
        || recorded.entry.action == .conflict && inConflict.contains(recorded.entry.uid)
    }
    history = kept.reversed()
    attempts.formIntersection(history.map(\.number))
    let wanted = referredDigests
    contents = contents.filter { wanted.contains($0.key) }
  }

  private var referredDigests: Set<ContentDigest> {
    var wanted: Set<ContentDigest> = []
    for agreement in agreements.values {
      wanted.insert(agreement.local.version.digest)
      wanted.insert(agreement.remote.version.digest)
    }
    for seen in observations.values {
      if case .read(let item) = seen.state { wanted.insert(item.version.digest) }
    }
    for intent in intents.values {
      wanted.formUnion(intent.effect.digests)
      if let source = intent.source { wanted.insert(source.version.digest) }
    }
    for recorded in history {
      wanted.formUnion([recorded.entry.before, recorded.entry.after].compactMap(\.self))
    }
    return wanted
  }
}

extension Observation {
  fileprivate var readItem: ItemVersion? {
    if case .read(let item) = state { item } else { nil }
  }
}

extension Intent.Effect {
  fileprivate var digests: [ContentDigest] {
    switch self {
    case .create(_, let new): [new]
    case .replace(_, let expecting, let new): [expecting.digest, new]
    case .delete(_, let expecting): [expecting.digest]
    }
  }
}
