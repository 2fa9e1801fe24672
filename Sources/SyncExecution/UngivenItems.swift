import SyncModel
import SyncPlanning

/// What a side stored, and does not give back (Yahoo, of events with a VTIMEZONE).
///
/// What it made of such an item nobody knows, so nothing is agreed on as long as the other side has
/// what was sent: once it is given, it is looked at as ever. But as long as it has the entity tag
/// that the write was answered with, nobody has changed it there: what was sent is what a later
/// edit or a deletion goes on from, and that tag is the guard of both.
struct UngivenItems {
  /// Writes of this run, with the tags that they were answered with.
  var writes: [Intent.ID: (write: PreparedWrite, tag: EntityTag)] = [:]
  /// The places of items that are named as unclear.
  var places: [Side: [Href: ItemID]] = [:]
  /// Why what is there cannot be read, as far as that was seen in the last round.
  var reasons: [ItemID: ItemProblem] = [:]
}

extension SyncRun {
  /// A write was answered with success, and the look after it failed.
  mutating func noteUngiven(_ place: Place, _ id: Intent.ID) {
    let intent = place.write.intent
    guard let tag = place.stored.version.tag, tag.isStrong, !intent.isFirstHalf,
      place.stored.href == intent.href
    else { return }
    ungiven.writes[id] = (place.write, tag)
  }

  /// Gives what is listed and not given the tag of its write. A listing that has another one brings
  /// it to be read anew, as ever.
  mutating func markUngiven() async throws(SyncFailure) {
    let writes = ungiven.writes
    ungiven.writes = [:]
    if writes.isEmpty { return }
    let (open, differing) = try await recorded { [sync] () throws(JournalError) in
      (try await sync.journal.openIntents(), try await sync.journal.differing())
    }
    let waiting = Set(open.map(\.id))
    for (id, (write, tag)) in writes.sorted(by: { $0.key < $1.key }) where waiting.contains(id) {
      let (side, href) = (write.intent.side, write.intent.href)
      let seen = differing.observations.first { $0.side == side && $0.href == href }
      guard var seen, case .obstructed(nil, _) = seen.state else { continue }
      let problem = ItemProblem.ungiven(on: side)
      seen.state = .obstructed(tag, problem)
      let marked = seen
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(read: [.observed(marked)], on: side, contents: [])
        // It is there: that it was not stored is refuted.
        try await sync.journal.setWaits(
          [WaitChange(side: side.opposite, href: write.origin, wait: nil)], history: [],
          contents: [])
      }
      leftAlone.insert(write.intent.uid)
      unfinished[write.intent.uid] = ReportedProblem(
        item: sync.item(of: write.action), problem: problem)
    }
  }

  /// Agrees on what such a write of an earlier run sent where the other side has edited or deleted
  /// its item since: that goes its way then.
  mutating func goOnFromUngiven() async throws(SyncFailure) {
    if uncleared.isEmpty { return }
    let differing = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.differing()
    }
    for open in uncleared {
      let (intent, side) = (open.intent, open.intent.side)
      let seen = differing.observations.first { $0.side == side && $0.href == intent.href }
      guard case .obstructed(let tag, let problem) = seen?.state, problem.isUngiven else {
        continue
      }
      unfinished[intent.uid]?.problem = problem
      guard let source = intent.source, let news = try await sync.departure(of: source, from: side),
        let text = try await sync.sentText(of: intent),
        var item = sync.asSent(text, at: intent.href)
      else { continue }
      item.version.tag = tag
      let shared = sync.agreement(of: source, on: side, with: item)
      let content = StoredContent(digest: item.version.digest, data: text)
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.close(
          [ClosedIntent(id: open.id, outcome: .agreed(shared))], contents: [content])
        try await sync.journal.record(read: [.dropped(intent.href)], on: side, contents: [])
        try await sync.journal.record(read: news, on: side.opposite, contents: [])
      }
      uncleared.removeAll { $0.id == open.id }
      leftAlone.remove(intent.uid)
      unfinished[intent.uid] = nil
    }
  }

  /// What a server has stored, and is named by what became of its write, needs no second name for
  /// its place. What is wrong with a file has a mend of its own.
  mutating func namedOnce(_ problems: [ItemTrouble]) -> [ItemTrouble] {
    let named = Set(problems.compactMap(\.uid)).union(unfinished.keys)
    ungiven.reasons = [:]
    return problems.compactMap { trouble in
      if let uid = sentTo(trouble), named.contains(uid) {
        if let reason = sync.reason(of: trouble) { ungiven.reasons[uid] = reason }
        return nil
      }
      var trouble = trouble
      // What was sent is no later change.
      if trouble.problem.isUngiven { trouble.problem = .ungiven(on: trouble.side) }
      return trouble
    }
  }
}

extension SyncRun {
  /// The item that was sent to where a server has something that names nobody.
  func sentTo(_ trouble: ItemTrouble) -> ItemID? {
    sync.isNamedByWrite(trouble) ? ungiven.places[trouble.side]?[trouble.href] : nil
  }

  /// Why what is there cannot be read says more than that it is not clear.
  func namingReason(_ unfinished: ReportedProblem) -> ReportedProblem {
    let isUnclear = Side.allCases.contains { unfinished.problem == .unclear(on: $0) }
    guard isUnclear, let uid = unfinished.item.uid, let reason = ungiven.reasons[uid] else {
      return unfinished
    }
    return ReportedProblem(item: unfinished.item, problem: reason)
  }
}

extension CollectionSync {
  /// Where a write led to it, that names it. What is wrong with a file has a mend of its own.
  func isNamedByWrite(_ trouble: ItemTrouble) -> Bool {
    trouble.uid == nil && storage(trouble.side).traits.keepsAddresses
  }

  /// What is wrong where an item was sent to; nil where it only does not show yet.
  func reason(of trouble: ItemTrouble) -> ItemProblem? {
    trouble.problem == notThere(trouble.href, on: trouble.side) ? nil : trouble.problem
  }

  /// What is to be noted of a write's source that is no more what was sent; nil where it still is,
  /// or is again what both sides shared before.
  fileprivate func departure(
    of source: ItemVersion, from target: Side
  ) async throws(SyncFailure) -> [ObservedChange]? {
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(target.opposite, hrefs: [source.href])
    }.first
    guard let known, !known.isGone else {
      return [
        sighting(of: source.href, on: target.opposite, .gone)
      ]
    }
    return known.isAgreed || known.digest == source.version.digest ? nil : []
  }

  /// Nil where the journal has lost it.
  fileprivate func sentText(of intent: Intent) async throws(SyncFailure) -> ItemData? {
    guard let digest = intent.effect.contents.last else { return nil }
    return try await recorded { () throws(JournalError) in
      try await journal.contents([digest])[digest]
    }
  }

  /// Where such items are. Recovery looks at them in each run, so that nothing else has to.
  func placesOfUngiven() async throws(SyncFailure) -> [Side: Set<Href>] {
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    return differing.observations.filter(\.isUngiven).reduce(into: [:]) { places, seen in
      places[seen.side, default: []].insert(seen.href)
    }
  }

  /// Has those read of which recovery has found what became of them.
  func rereadUngiven(besides unclear: [OpenIntent]) async throws(SyncFailure) {
    let places = try await placesOfUngiven()
    for side in Side.allCases {
      let waiting = unclear.filter { $0.intent.side == side }.map(\.intent.href)
      let found = (places[side] ?? []).subtracting(waiting).sorted()
      if found.isEmpty { continue }
      let news = found.map {
        sighting(of: $0, on: side, .unread(nil))
      }
      try await recorded { () throws(JournalError) in
        try await journal.record(read: news, on: side, contents: [])
      }
    }
  }
}

extension Observation {
  fileprivate var isUngiven: Bool {
    if case .obstructed(_, let problem) = state { problem.isUngiven } else { false }
  }
}

extension ItemProblem {
  static func ungiven(on side: Side) -> ItemProblem {
    ItemProblem(
      .brokenRemote, "the \(side.rawValue) side has stored it, and does not give it back",
      hint: "What you change or delete here goes there all the same; tell the server's operator,"
        + " and look whether other programs show the item.")
  }

  var isUngiven: Bool {
    Side.allCases.contains { message.hasPrefix(Self.ungiven(on: $0).message) }
  }
}
