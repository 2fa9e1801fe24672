import ICalendar
import SQLiteJournal
import SyncExecution
import SyncModel

/// Items that somebody moved from the folder of one collection into that of another one: for each
/// collection a deletion or a new item. They are created before they are deleted, whichever comes
/// first, so that an item which is refused is still on the server where it was. Only where no two
/// items of an account may have one UID (RFC 4791 §5.3.2.1) it goes the other way.
extension CollectionRun {
  /// Tells of items that are gone from a collection which of them are in another one: both sides
  /// have them there, they arrived there in this run, or they are in its folder alone as yet.
  func leaving(
    _ name: String, _ report: PairReport
  ) -> @Sendable (Set<ItemID>) async -> Set<ItemID> {
    let (run, finder, arrived) = (self, gateway.office().finder, report.arrived)
    return { gone in
      var found = gone.intersection(arrived)
      for uid in gone where await run.opened.store.collection(sharing: uid, besides: name) != nil {
        found.insert(uid)
      }
      for (folder, collection) in await run.folders(besides: name, finder) {
        let shared = await run.agreedFiles(of: collection)
        try? await finder.forEachFile(of: folder, besides: shared) { _, data in
          let uids = CalendarObject(SyntaxTree(bytes: data.bytes)).uids.map { ItemID(bytes: $0) }
          found.formUnion(gone.intersection(uids))
        }
      }
      return found
    }
  }

  /// The folders of the other collections with their names, of those as well that this run is not
  /// about.
  private func folders(
    besides name: String, _ finder: ItemFinder
  ) async -> [(folder: EventFolder, collection: String)] {
    var seen: Set<[UInt8]> = []
    var folders: [(folder: EventFolder, collection: String)] = []
    for collection in opened.collections {
      guard case .present(let own) = collection.local,
        let folder = EventFolder(of: opened.local, named: own.href.spelling)
      else { continue }
      seen.insert(folder.path)
      if collection.name != name { folders.append((folder, collection.name)) }
    }
    let records = (try? await opened.store.collections()) ?? []
    for folder in (try? await finder.folders.folders(of: opened.target.pair)) ?? []
    where seen.insert(folder.path).inserted {
      let record = records.first {
        EventFolder(of: opened.local, named: $0.folder)?.path == folder.path
      }
      if record?.identity.name != name { folders.append((folder, record?.identity.name ?? "")) }
    }
    return folders
  }

  /// Finishes the moves of a run: deletes what arrived, and lets that go first which the server
  /// takes only then. A dry run counts on it that the server takes what it was not offered yet.
  /// Gives why it came to no end; nil where it did.
  mutating func finishMoves(
    _ report: inout PairReport, reopening: () async throws(RunFailure) -> OpenedPair
  ) async throws(RunFailure) -> StopReason? {
    let departing = await departures(report)
    var stop: StopReason?
    if !departing.isEmpty || !report.arrivals.isEmpty {
      // Both sides are not what they were: calendars were made, named and written to.
      if !options.isDryRun { opened = try await reopening() }
      try await noteTakenAlong(departing.places)
      stop = try await sync(departing.arrived, .arrived, &report)
      if stop == nil { stop = try await sync(departing.others, .leaving, &report) }
      if stop == nil, !options.isDryRun {
        stop = try await sync(departing.places, .takenAlong, &report)
      }
      if stop == nil { stop = try await sync(report.arrivals, .arriving, &report) }
    }
    report.noteStaying()
    return stop
  }

  private func sync(
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
    var others: [String: Set<ItemID>] = [:]
    /// Of each collection, those that stay in it.
    var places: [String: Set<ItemID>] = [:]

    var isEmpty: Bool { arrived.isEmpty && others.isEmpty }
  }

  private func departures(_ report: PairReport) async -> Departures {
    var departures = Departures()
    for own in report.collections {
      for uid in own.leaving.compactMap(\.uid) {
        let isInTheWay = report.collections.contains { other in
          other.name != own.name
            && other.problems.contains { $0.item.uid == uid && $0.problem.isOfUID }
        }
        let place = await opened.store.collection(sharing: uid, besides: own.name)
        if let place { departures.places[place, default: []].insert(uid) }
        if !isInTheWay, report.arrived.contains(uid) {
          departures.arrived[own.name, default: []].insert(uid)
        } else if isInTheWay || place != nil {
          departures.others[own.name, default: []].insert(uid)
        }
      }
    }
    return departures
  }

  /// The files whose items a collection shares with the other side, as they were then.
  private func agreedFiles(of name: String) async -> [Href: EntityTag] {
    guard let journal = try? await opened.store.journal(of: name),
      let known = try? await journal.known(.local)
    else { return [:] }
    let agreed = known.filter(\.isAgreed)
    return Dictionary(
      agreed.compactMap { file in file.tag.map { (file.href, $0) } }, uniquingKeysWith: { $1 })
  }
}

extension PairReport {
  /// What is on the server anew.
  fileprivate var arrived: Set<ItemID> {
    let created = collections.flatMap(\.actions).filter { $0.kind == .create && $0.side == .remote }
    return Set(created.compactMap(\.item.uid))
  }

  /// Of each collection, the items that its server did not take and that have left another calendar
  /// since.
  fileprivate var arrivals: [String: Set<ItemID>] {
    var arrivals: [String: Set<ItemID>] = [:]
    for own in collections {
      let others = collections.filter { $0.name != own.name }
      // Whoever deleted them there, and on which side.
      let departed = others.flatMap(\.actions).filter { [.delete, .forget].contains($0.kind) }
      let refused = own.problems.filter(\.problem.isOfUID).compactMap(\.item.uid)
      let moved = Set(refused).intersection(departed.compactMap(\.item.uid))
      if !moved.isEmpty { arrivals[own.name] = moved }
    }
    return arrivals
  }

  /// Says what stays where it was.
  fileprivate mutating func noteStaying() {
    for own in collections {
      notices += notesOfStaying(own.leaving, in: "\(pair)/\(own.name)", isForeseen: isDryRun)
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
