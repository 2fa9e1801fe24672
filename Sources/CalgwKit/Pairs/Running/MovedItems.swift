import SQLiteJournal
import SyncExecution
import SyncModel

/// Items that somebody moved from the folder of one collection into that of another one: for each
/// collection a deletion or a new item. Where the server cannot move them, they are created before
/// they are deleted, whichever comes first, so that an item which is refused is still on the server
/// where it was. Only where no two items of an account may have one UID (RFC 4791 §5.3.2.1) it goes
/// the other way.
extension CollectionRun {
  /// Finishes the moves of a run: sends what is new, deletes what arrived, and lets that go first
  /// which the server takes only then. A dry run counts on it that the server takes what it was not
  /// offered yet. Gives why it came to no end; nil where it did.
  mutating func finishMoves(
    _ report: inout PairReport, reopening: () async throws(RunFailure) -> OpenedPair
  ) async throws(RunFailure) -> StopReason? {
    await holdHalfMoved(&report)
    try await holdKnownMeetings(&report)
    var stop = try await moveOnServer(&report, reopening: reopening)
    if stop != nil { return stop }
    await foreseeMoves(&report)
    try await holdMeetings(&report)
    let coming = report.coming
    var departing = await departures(report)
    let isEdited = report.collections.contains { !$0.edited.isEmpty }
    if !departing.isEmpty || !coming.isEmpty || !report.refused.isEmpty || isEdited {
      // Both sides are not what they were: calendars were made, named and written to.
      if !options.isDryRun { opened = try await reopening() }
      stop = try await sync(coming, .arriving, &report)
      if stop == nil { stop = try await carryOver(coming, &report, reopening: reopening) }
      if stop == nil { stop = try await bringBackEdited(&report) }
      if !coming.isEmpty { departing = await departures(report) }
      if stop == nil { stop = try await letGo(departing, &report, reopening: reopening) }
      if stop == nil { stop = try await sync(report.refused, .refused, &report) }
    }
    if stop == nil { stop = try await forgetDeparted(&report) }
    await nameHolders(&report)
    report.noteStaying()
    return stop
  }

  private mutating func letGo(
    _ departing: Departures, _ report: inout PairReport,
    reopening: () async throws(RunFailure) -> OpenedPair
  ) async throws(RunFailure) -> StopReason? {
    try await noteTakenAlong(departing.places)
    if let stop = try await sync(departing.arrived, .arrived, &report) { return stop }
    if let stop = try await sync(departing.inTheWay, .makingRoom, &report) { return stop }
    if let stop = try await sync(departing.copied, .leaving, &report) { return stop }
    if options.isDryRun || departing.places.isEmpty { return nil }
    opened = try await reopening()
    return try await sync(departing.places, .takenAlong, &report)
  }

  mutating func sync(
    _ items: [String: Set<ItemID>], _ step: MoveStep, _ report: inout PairReport
  ) async throws(RunFailure) -> StopReason? {
    for collection in opened.collections {
      guard let moved = items[collection.name] else { continue }
      if let stop = watch.reason { return stop }
      try await sync(collection, moved: (moved, step), &report)
    }
    return nil
  }

  /// Of each collection, the items that may go: another one has them on both sides by now, or could
  /// not have them beside these.
  private struct Departures {
    var arrived: [String: Set<ItemID>] = [:]
    var inTheWay: [String: Set<ItemID>] = [:]
    var copied: [String: Set<ItemID>] = [:]
    /// Of each collection, those that stay in it.
    var places: [String: Set<ItemID>] = [:]

    var isEmpty: Bool { arrived.isEmpty && inTheWay.isEmpty && copied.isEmpty }
  }

  private func departures(_ report: PairReport) async -> Departures {
    var departures = Departures()
    for own in report.collections {
      let isHeld = own.problems.contains {
        $0.item.uid == nil && $0.problem.code == .massDelete
      }
      for uid in own.leaving.compactMap(\.uid) {
        let isInTheWay = report.collections.contains { other in
          other.name != own.name
            && other.problems.contains { $0.item.uid == uid && $0.problem.cause == .uidIsTaken }
        }
        let hasArrived = !isInTheWay && report.arrived.contains(uid)
        // Nothing but the end of a move is written where a person is to say first what may go.
        if isHeld, !hasArrived { continue }
        let place = await opened.store.collection(sharing: uid, besides: own.name)
        if let place { departures.places[place, default: []].insert(uid) }
        if isInTheWay {
          departures.inTheWay[own.name, default: []].insert(uid)
        } else if hasArrived {
          departures.arrived[own.name, default: []].insert(uid)
        } else if place != nil {
          departures.copied[own.name, default: []].insert(uid)
        }
      }
    }
    return departures
  }
}

extension PairReport {
  /// What is on the server anew.
  var arrived: Set<ItemID> {
    let created = collections.flatMap(\.actions).filter { $0.kind == .create && $0.side == .remote }
    return Set(created.compactMap(\.item.uid))
  }

  /// Of each collection, what is new to it and was not sent yet.
  fileprivate var coming: [String: Set<ItemID>] {
    var coming: [String: Set<ItemID>] = [:]
    for own in collections where !own.arriving.isEmpty {
      coming[own.name] = Set(own.arriving.compactMap(\.uid))
    }
    return coming
  }

  /// Of each collection, the items that its server did not take and that have left another calendar
  /// since.
  fileprivate var refused: [String: Set<ItemID>] {
    var arrivals: [String: Set<ItemID>] = [:]
    for own in collections {
      let others = collections.filter { $0.name != own.name }
      // Whoever deleted them there, and on which side.
      let departed = others.flatMap(\.actions).filter { [.delete, .forget].contains($0.kind) }
      let waiting = own.problems.filter { $0.problem.cause == .uidIsTaken }
        .compactMap(\.item.uid)
      let moved = Set(waiting).intersection(departed.compactMap(\.item.uid))
      if !moved.isEmpty { arrivals[own.name] = moved }
    }
    return arrivals
  }

  /// Says what stays where it was.
  fileprivate mutating func noteStaying() {
    for own in collections {
      notices += notesOfStaying(
        own.leaving + own.edited, in: "\(pair)/\(own.name)", isForeseen: isDryRun)
    }
  }
}

extension CollectionReport {
  /// Says in a dry run that what leaves goes last.
  mutating func sayWhenGoing() {
    for index in actions.indices where actions[index].kind == .delete {
      actions[index].reason = "moved, and goes once the other calendar has it"
    }
  }
}

/// So many are named of a collection.
private let namedOfStaying = 5

/// Says which items of a collection, `PAIR/COLLECTION`, stay on the server although their files
/// were moved into the folder of another one.
///
/// - Parameter isForeseen: It is what a run would leave there.
func notesOfStaying(_ items: [ReportedItem], in place: String, isForeseen: Bool) -> [String] {
  var notes = items.prefix(namedOfStaying).map { item in
    let title = item.summary.isEmpty ? item.uid?.text ?? "" : item.summary
    return "\"\(visibleText(title, limit: 60))\" was moved out of \(place), and"
      + " \(isForeseen ? "would stay" : "stays") there on the server until the calendar takes it"
      + " into which it was moved"
  }
  let rest = items.count - namedOfStaying
  if rest > 0 { notes.append("so it is with \(rest) more of \(place)") }
  return notes
}
