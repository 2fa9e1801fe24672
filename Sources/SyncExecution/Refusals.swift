import SyncModel
import SyncPlanning

extension SyncRun {
  /// What a server refused is offered again after a day: it may have been mended by then.
  static let retryRefused: Int64 = 86_400_000
  /// A hundred years: what a server will not do differently, and clocks are set back and forth by
  /// years.
  static let retryNever: Int64 = 36_500 * 86_400_000
  /// What a server failed at is sent again by the next run, and then once an hour: a failure is
  /// mostly the server's own passing trouble, but some items make a server fail each time.
  static let retryFailed: Int64 = 3_600_000

  /// How long what a side refused is not offered again, in milliseconds.
  func pause(
    after outcome: WriteOutcome, of write: PreparedWrite, _ failedBefore: Set<Href>
  ) -> Int64 {
    if outcome.isOfTheMoment { return 0 }
    if !outcome.isTransient { return Self.retryRefused }
    // Two rounds of one run are the same trouble of the server's.
    let isRepeated =
      failedBefore.contains(write.origin) && !failedHere.contains(write.origin)
    return isRepeated ? Self.retryFailed : 0
  }

  /// What a side failed at is not sent again by a later round: the same trouble most likely lasts,
  /// and a server may have told the guests of a meeting before it failed. What it had no room for
  /// may find some once something is deleted there (`madeRoom`).
  mutating func noteFailure(
    _ outcome: WriteOutcome, _ problem: ItemProblem, of write: PreparedWrite, on side: Side
  ) {
    guard outcome.isTransient else { return }
    failedHere.insert(write.origin)
    if outcome.isOfTheMoment { return }
    failedItems[side, default: [:]].updateValue(problem.cause, forKey: write.intent.uid)
  }

  /// Something was deleted on a side.
  mutating func madeRoom(on side: Side) {
    failedItems[side] = failedItems[side]?.filter { $0.value != .outOfRoom }
  }

  /// Takes out of a plan what would be written where it failed in this run; it is named already.
  func leaveOutFailed(of plan: inout Plan) {
    plan.actions.removeAll { action in
      action.targets.contains { failedItems[$0]?.keys.contains(action.uid) ?? false }
    }
  }

  /// A side that says it stored something, and has not, is believed no more than one that fails.
  mutating func hold(_ write: PreparedWrite, because problem: ItemProblem, isRepeated: Bool) {
    refusals.append(
      WaitChange(
        side: write.intent.side.opposite, href: write.origin,
        wait: refusal(of: write, problem, for: isRepeated ? Self.retryFailed : 0)))
  }

  /// The write's content is not offered again for so many milliseconds.
  func refusal(
    of write: PreparedWrite, _ problem: ItemProblem, for pause: Int64
  ) -> Observation.Wait {
    .refused(write.guardedDigest, problem, retry: sync.surroundings.now().advanced(by: pause))
  }

  /// Of the writes at which the side failed, the sources whose same content it failed at before.
  func failedBefore(
    _ writes: [PreparedWrite], _ outcomes: [WriteOutcome], on side: Side
  ) async throws(SyncFailure) -> Set<Href> {
    try await refusedBefore(zip(writes, outcomes).filter { $0.1.isTransient }.map(\.0), on: side)
  }

  /// Of some writes, the sources of which the side has refused the same content before.
  func refusedBefore(
    _ failed: [PreparedWrite], on side: Side
  ) async throws(SyncFailure) -> Set<Href> {
    if failed.isEmpty { return [] }
    let origins = failed.map(\.origin)
    let here = failed.map(\.write.href)
    let known = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.known(side.opposite, hrefs: origins)
        + sync.journal.known(side, hrefs: here)
    }
    let waits = Dictionary(
      known.map { ($0.href, $0.wait) }, uniquingKeysWith: { first, _ in first })
    return Set(
      failed.filter { write in
        [write.origin, write.write.href].contains { href in
          if case .refused(write.guardedDigest, _, _)?? = waits[href] { true } else { false }
        }
      }.map(\.origin))
  }
}

extension CollectionSync {
  /// The items of which nobody has to wait for the day: those that were larger than a side said it
  /// takes, where it says something else now, or nothing; those that it had no room for, where
  /// something was deleted since; and the new items that the remote side refused since it had
  /// another one of their UID, where that one is gone since.
  func freed(_ items: [DifferingItem]) async -> Set<ItemID> {
    var freed = Set(items.filter(hasAnotherLimit).map(\.uid))
    freed.formUnion(await withRoom(items))
    guard let isFree = options.isFree else { return freed }
    for item in items {
      guard case .refused(_, let problem, let retry) = item.waits[.local],
        problem.cause == .uidIsTaken
      else { continue }
      if await isFree(item.uid, retry.advanced(by: -SyncRun.retryRefused)) {
        freed.insert(item.uid)
      }
    }
    return freed
  }

  /// What a side had no room for before the last deletion. That may have been made on either side:
  /// the other one follows.
  private func withRoom(_ items: [DifferingItem]) async -> [ItemID] {
    let refused = items.flatMap { item in
      Side.allCases.compactMap { side -> (uid: ItemID, time: Instant)? in
        guard case .refused(_, let problem, let retry) = item.waits[side],
          problem.cause == .outOfRoom
        else { return nil }
        return (item.uid, retry.advanced(by: -SyncRun.retryFailed))
      }
    }
    // What a clock had that was ahead then tells nothing.
    guard !refused.isEmpty, let last = await options.lastDeletion?(), last <= surroundings.now()
    else { return [] }
    return refused.filter { $0.time < last }.map(\.uid)
  }

  /// What an item exceeded is not the limit of the side any more. The storage compares it with the
  /// new one, without a request.
  private func hasAnotherLimit(_ item: DifferingItem) -> Bool {
    Side.allCases.contains { side in
      guard case .refused(_, let problem, _) = item.waits[side], problem.cause == .exceedsLimit
      else {
        return false
      }
      return storage(side.opposite).traits.maxItemSize.map { !problem.isOf(limit: $0) } ?? true
    }
  }
}

extension ItemProblem {
  /// The same, with when what was refused is offered again and what offers it at once.
  ///
  /// - Parameter pause: in milliseconds.
  func offered(after pause: Int64, again write: PreparedWrite) -> ItemProblem {
    // That has a mend of its own; and an amended part of a series is offered in each run.
    let hasMend = [.tellsAttendees, .uidIsTaken, .exceedsLimit, .unfitText].contains(cause)
    if pause == 0 || hasMend || write.isAmended { return self }
    let holder = write.intent.side.opposite.rawValue
    var told = self
    told.hint =
      (hint.hasSuffix(".") ? hint : hint + ".")
      + " It is offered again after \(pause < SyncRun.retryRefused ? "an hour" : "a day"), or at"
      + " once, over whatever is there by then, by `calgw resolve UID --take \(holder)`."
    return told
  }

  /// - Parameter isSeen: Something else is there, so nobody has deleted it.
  static func notStored(on side: Side, isSeen: Bool = false) -> ItemProblem {
    let again = " the sync again, and if it stays, tell the server's operator."
    return ItemProblem(
      .refused, "the \(side.rawValue) side said that it stored it, and it has not",
      hint: isSeen
        ? "Run\(again)"
        : "If somebody has deleted it there meanwhile, delete it here, too; else run\(again)")
  }

  /// A side said that it stored an edit, and has the text from before it: some servers cut texts
  /// off, and an edit of what they do not keep changes nothing there.
  ///
  /// - Parameters:
  ///   - names: what differs; empty where a few words cannot say it.
  ///   - atComma: It is cut off where a comma or semicolon lacks its backslash.
  static func keptWhole(_ names: [String], by side: Side, atComma: Bool) -> ItemProblem {
    let former = names.isEmpty ? "text of it" : names.joined(separator: ", ")
    let mend =
      atComma
      ? "A text ends there at a comma or semicolon that has no backslash before it: write `\\,` or"
        + " `\\;` on the \(side.opposite.rawValue) side. `calgw check FILE` names the places."
      : "Run the sync again; if it stays, shorten it where a text is long, since some servers cut"
        + " texts off, or undo the edit on the \(side.opposite.rawValue) side."
    return ItemProblem(
      .refused, "the \(side.rawValue) side said that it stored it, and keeps the former \(former)",
      hint: mend)
  }
}
