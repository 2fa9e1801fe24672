import CalDAVStorage
import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel

/// Some servers move no items, and refuse a second one of a UID in an account without a word of why
/// (iCloud: a bare 412). That the UID is the reason shows only once the item has left its old
/// calendar; so it leaves that, goes to the new one, and back where that refuses it still. Before,
/// it is stored over itself where it is: what a calendar takes now may go back to it. A meeting
/// stays, since to delete it for a guess would call it off.
///
/// What was edited on the server after it was moved here goes so, too, where the server names the
/// UID as the reason: it arrives as it was there, and is merged with what was edited here.
extension CollectionRun {
  /// Gives why it came to no end; nil where it did.
  ///
  /// - Parameter sent: Of each collection, what was sent to it by this run.
  mutating func carryOver(
    _ sent: [String: Set<ItemID>], _ report: inout PairReport,
    reopening: () async throws(RunFailure) -> OpenedPair
  ) async throws(RunFailure) -> StopReason? {
    guard case .account = opened.remote, !options.isDryRun, opened.target.writes(to: .remote)
    else { return nil }
    // Whoever wants to be asked of each deletion has none made for a guess.
    let mayGuess = !opened.target.pair.confirmsDeletions || options.allowsMassDelete
    var arrived: [String: Set<ItemID>] = [:]
    for way in report.blockedWays(of: mayGuess ? sent : [:]) {
      let places = report.places(in: way.source)
      for uid in way.items.sorted() {
        if let stop = watch.reason { return stop }
        switch try await carryOver(uid, at: places[uid], way) {
        case .moved:
          report.note(carried: uid, way)
          arrived[way.target, default: []].insert(uid)
        case .unclear(let error): report.note(unclear: uid, way, error)
        case .refused, .failed: break
        }
      }
    }
    if arrived.isEmpty { return nil }
    opened = try await reopening()
    return try await takeOver(arrived, &report)
  }

  /// It is noted before the item leaves, as for a MOVE, and its text is in the log.
  private mutating func carryOver(
    _ uid: ItemID, at known: Href?, _ way: Way
  ) async throws(RunFailure) -> MoveOutcome {
    if try await putBack(from: way.source).holds(uid, at: gateway.surroundings.now()) {
      return .refused
    }
    guard let journal = try? await opened.store.journal(of: way.source),
      let agreement = try? await journal.agreement(of: uid),
      let old = await calendar(of: way.source), let new = await calendar(of: way.target),
      let item = await storedAnew(known ?? agreement.remote.href, in: old)
    else { return .refused }
    let former = known ?? agreement.remote.href
    let place = new.freshHref(for: uid, attempt: 0)
    try await noteDeparting(
      [(uid: uid, href: place)], carrying: item.data, from: way.source, to: way.target)
    try await log(uid, item, at: former, way, in: journal)
    let removal = await old.carryOut([.delete(former, expecting: item.version)])
    switch removal.first?.result {
    case .removed: break
    case .unknown(let error): return .unclear(error)
    case .stored, .changedMeanwhile, .refused, .failed, nil:
      try await noteStaying([uid], in: way.source)
      return .refused
    }
    switch await new.carryOut([.create(place, item.data)]).first?.result {
    case .stored: return .moved
    // It may be there. Where it is not, the next run goes on with what is noted.
    case .unknown(let error), .failed(let error): return .unclear(error.amidMove)
    case .refused, .changedMeanwhile, .removed, nil:
      return try await giveBack(uid, item.data, to: way.source, old)
    }
  }

  mutating func giveBack(
    _ uid: ItemID, _ text: ItemData, to name: String, _ calendar: CalDAVStorage
  ) async throws(RunFailure) -> MoveOutcome {
    let former = calendar.freshHref(for: uid, attempt: 0)
    guard case .stored? = await calendar.carryOut([.create(former, text)]).first?.result else {
      return .unclear(.nowhere)
    }
    try await noteStaying([uid], in: name)
    try await remember(putBack: uid, to: name)
    return .refused
  }

  /// The item as the calendar has it once it was stored there over itself; nil where that does not
  /// take it, or it is a meeting.
  private func storedAnew(
    _ href: Href, in calendar: CalDAVStorage
  ) async -> (version: Version, data: ItemData)? {
    guard case .found(let version, let data, _)? = await look(at: href, in: calendar),
      !SchedulingAgent.isScheduled(data.bytes),
      case .stored? = await calendar.carryOut([.replace(href, expecting: version, with: data)])
        .first?.result,
      case .found(let now, let text, _)? = await look(at: href, in: calendar)
    else { return nil }
    return (now, text)
  }

  func look(at href: Href, in calendar: CalDAVStorage) async -> ReadOutcome.Result? {
    (try? await calendar.read([href]))?.first?.result
  }

  private func log(
    _ uid: ItemID, _ item: (version: Version, data: ItemData), at href: Href, _ way: Way,
    in journal: SQLiteJournal
  ) async throws(RunFailure) {
    let pair = opened.target.pair
    let entry = HistoryEntry(
      time: gateway.surroundings.now(), uid: uid, side: .remote, action: .deleted,
      reason: "moved to \(pair.name)/\(way.target)", href: href, before: item.version.digest,
      after: nil)
    let text = StoredContent(digest: item.version.digest, data: item.data)
    try await gateway.journaled(pair) { () throws(JournalError) in
      try await journal.keep([entry], contents: [text])
    }
  }

  // MARK: What went back is not tried again for a day

  static func putBackKey(_ name: String) -> String { "put back \(name)" }

  private func putBack(from name: String) async throws(RunFailure) -> HeldMeetings {
    let store = opened.store
    return try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      HeldMeetings(encoded: try await store.value(Self.putBackKey(name)) ?? [])
    }
  }

  private func remember(putBack uid: ItemID, to name: String) async throws(RunFailure) {
    var known = try await putBack(from: name)
    known.note([uid], at: gateway.surroundings.now())
    let (store, encoded) = (opened.store, known.encoded)
    try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      try await store.setValue(encoded, for: Self.putBackKey(name))
    }
  }
}

extension PairReport {
  /// What was sent to a collection, refused without a word of why, and leaves another one; and what
  /// one refuses because another one has it, and somebody edited it there. Where nobody did, its
  /// file is all that is to be sent (`letGo`).
  fileprivate func blockedWays(of sent: [String: Set<ItemID>]) -> [Way] {
    ways(of: { target, source in
      let edited = Set(source.edited.compactMap(\.uid))
      let guessed = (sent[target.name] ?? []).intersection(target.refused(for: .uidMayBeTaken))
      return target.refused(for: .uidIsTaken).intersection(edited)
        .union(guessed.intersection(edited.union(source.leaving.compactMap(\.uid))))
    })
  }

  fileprivate mutating func note(carried uid: ItemID, _ way: Way) {
    guard let index = collections.firstIndex(where: { $0.name == way.target }),
      let problem = collections[index].problems.first(where: { $0.item.uid == uid })
    else { return }
    collections[index].problems.removeAll { $0.item.uid == uid }
    collections[index].arriving.append(problem.item)
    note(moved: uid, way)
  }
}

extension StorageError {
  /// The same, met where an item had left its old calendar.
  fileprivate var amidMove: StorageError {
    if kind == .stopped { return self }
    var told = self
    told.message =
      "an item that is on its way to another calendar may be in neither on the server now: "
      + message
    told.hint = "leave its file where it is, and run the sync again: it goes on from there"
    return told
  }

  /// An item left its old calendar, and neither that nor the new one took it.
  fileprivate static let nowhere = StorageError(
    .unreachable, "an item that is on its way to another calendar is in neither on the server now",
    why: "the old one took it a moment ago, and not any more",
    hint: "run the sync again: it sends the item from its folder; `calgw log` has the text as well")
}
