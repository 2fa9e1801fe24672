import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel

/// Items that somebody moved from the folder of one collection into that of another one: for each
/// collection a deletion or a new item. They are created before they are deleted, whichever comes
/// first, so that an item which is refused is still on the server where it was. Only where no two
/// items of an account may have one UID (RFC 4791 §5.3.2.1) it goes the other way.
extension CollectionRun {
  /// Tells of items that are gone from a collection which of them another one's folder has, as long
  /// as that does not share them with the other side.
  func leaving(_ name: String) -> @Sendable (Set<ItemID>) async -> Set<ItemID> {
    let others = opened.collections.filter { $0.name != name }
    let (local, store, finder) = (opened.local, opened.store, gateway.office().finder)
    return { gone in
      var found: Set<ItemID> = []
      for other in others {
        guard case .present(let own) = other.local,
          let folder = EventFolder(of: local, named: own.href.spelling)
        else { continue }
        let shared = await agreedFiles(of: other.name, in: store)
        try? await finder.forEachFile(of: folder, besides: shared) { _, data in
          let uids = CalendarObject(SyntaxTree(bytes: data.bytes)).uids.map { ItemID(bytes: $0) }
          found.formUnion(gone.intersection(uids))
        }
      }
      return found
    }
  }

  /// Finishes the moves of a run: deletes what arrived, and lets that go first which the server
  /// takes only then. Gives why it came to no end; nil where it did.
  mutating func finishMoves(
    _ report: inout PairReport, reopening: () async throws(RunFailure) -> OpenedPair
  ) async throws(RunFailure) -> StopReason? {
    if options.isDryRun { return nil }
    let departing = await departures(report)
    var stop: StopReason?
    if !departing.isEmpty || !report.arrivals.isEmpty {
      // Both sides are not what they were: calendars were made, named and written to.
      opened = try await reopening()
      stop = try await sync(departing, &report)
      if stop == nil { stop = try await sync(report.arrivals, &report) }
    }
    report.noteStaying()
    return stop
  }

  private func sync(
    _ items: [String: Set<ItemID>], _ report: inout PairReport
  ) async throws(RunFailure) -> StopReason? {
    for collection in opened.collections {
      guard let moved = items[collection.name] else { continue }
      if let stop = watch.reason { return stop }
      try await sync(collection, moved: moved, &report)
    }
    return nil
  }

  /// Of each collection, the items that may go: another one has them on both sides by now, or could
  /// not have them beside these.
  private func departures(_ report: PairReport) async -> [String: Set<ItemID>] {
    var departing: [String: Set<ItemID>] = [:]
    for own in report.collections {
      for uid in own.leaving.compactMap(\.uid) {
        let others = report.collections.filter { $0.name != own.name }
        let isInTheWay = others.contains { other in
          other.problems.contains { $0.item.uid == uid && $0.problem.isPerhapsOfUID }
        }
        if isInTheWay { departing[own.name, default: []].insert(uid) }
        for other in others where !isInTheWay {
          if await isShared(uid, by: other.name) { departing[own.name, default: []].insert(uid) }
        }
      }
    }
    return departing
  }

  private func isShared(_ uid: ItemID, by name: String) async -> Bool {
    guard let journal = try? await opened.store.journal(of: name) else { return false }
    return (try? await journal.agreement(of: uid)) ?? nil != nil
  }
}

/// The files whose items a collection shares with the other side.
private func agreedFiles(of name: String, in store: PairStore) async -> Set<Href> {
  guard let journal = try? await store.journal(of: name),
    let known = try? await journal.known(.local)
  else { return [] }
  return Set(known.filter(\.isAgreed).map(\.href))
}

extension PairReport {
  /// Of each collection, the items that its server did not take and that have left another calendar
  /// since.
  fileprivate var arrivals: [String: Set<ItemID>] {
    var arrivals: [String: Set<ItemID>] = [:]
    for own in collections {
      let others = collections.filter { $0.name != own.name }
      let departed = others.flatMap(\.actions).filter { $0.kind == .delete && $0.side == .remote }
      let refused = own.problems.filter(\.problem.isPerhapsOfUID).compactMap(\.item.uid)
      let moved = Set(refused).intersection(departed.compactMap(\.item.uid))
      if !moved.isEmpty { arrivals[own.name] = moved }
    }
    return arrivals
  }

  /// So many are named of a collection.
  private static let namedOfStaying = 5

  /// Says what stays where it was.
  fileprivate mutating func noteStaying() {
    for own in collections {
      for item in own.leaving.prefix(Self.namedOfStaying) {
        let title = item.summary.isEmpty ? item.uid?.text ?? "" : item.summary
        notices.append(
          "\"\(visibleText(title, limit: 60))\" was moved out of \(pair)/\(own.name), and stays"
            + " there on the server until the calendar takes it into which it was moved")
      }
      let rest = own.leaving.count - Self.namedOfStaying
      if rest > 0 { notices.append("so it is with \(rest) more of \(pair)/\(own.name)") }
    }
  }
}
