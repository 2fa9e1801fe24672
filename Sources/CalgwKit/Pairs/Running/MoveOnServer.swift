import CalDAVStorage
import SQLiteJournal
import SyncExecution
import SyncModel

/// What was moved between the folders of two calendars of one account is moved there as well. So
/// the server has it once at each moment, whether it lets UIDs be twice in an account or makes one
/// event of them, and a meeting is not called off. What both sides shared goes along: an edit of
/// the same hour is an edit. Where the server does not move it, it goes the long way.
extension CollectionRun {
  /// Gives why it came to no end; nil where it did.
  mutating func moveOnServer(
    _ report: inout PairReport, reopening: () async throws(RunFailure) -> OpenedPair
  ) async throws(RunFailure) -> StopReason? {
    guard case .account = opened.remote, !options.isDryRun else { return nil }
    let ways = report.ways
    // A calendar that was made in this run is not among those that it found.
    for way in ways + report.brokenOffWays where await calendar(of: way.target) == nil {
      opened = try await reopening()
      break
    }
    var arrived = try await goOnCarrying(&report)
    var settled: Set<ItemID> = []
    for way in ways {
      let outcomes = try await move(way, besides: settled, &report)
      // An item that was in two calendars, or is in two folders now, has several ways.
      settled.formUnion(outcomes.moved.union(outcomes.unclear))
      if !outcomes.moved.isEmpty {
        arrived[way.target, default: []].formUnion(outcomes.moved)
      }
    }
    let isDue = report.collections.contains { !$0.departed.isEmpty }
    if arrived.isEmpty, !isDue { return nil }
    opened = try await reopening()
    return try await takeOver(arrived, &report)
  }

  /// Has collections take over what the server has moved to them. Gives why it came to no end; nil
  /// where it did.
  mutating func takeOver(
    _ arrived: [String: Set<ItemID>], _ report: inout PairReport
  ) async throws(RunFailure) -> StopReason? {
    for collection in opened.collections {
      guard let moved = arrived[collection.name] else { continue }
      // The next run goes on from what is noted.
      if let stop = watch.reason { return stop }
      try await sync(collection, moved: (moved, .moved(to: [])), &report)
      try await lookForUnseen(moved, in: collection, &report)
    }
    return nil
  }

  /// Gives the items that were moved, and those with which nothing more is done in this run. All
  /// are noted first.
  private mutating func move(
    _ way: Way, besides settled: Set<ItemID>, _ report: inout PairReport
  ) async throws(RunFailure) -> (moved: Set<ItemID>, unclear: Set<ItemID>) {
    guard let journal = try? await opened.store.journal(of: way.source),
      let old = await calendar(of: way.source), let new = await calendar(of: way.target)
    else { return ([], []) }
    var shared: [Agreement] = []
    for uid in way.items.subtracting(settled).sorted() {
      // At a vacated place another item is.
      if let agreement = try? await journal.agreement(of: uid), !agreement.remote.href.isVacated {
        shared.append(agreement)
      }
    }
    if shared.isEmpty { return ([], []) }
    let onTheirWay = departed[way.source]
    try await noteDeparting(
      shared.map { (uid: $0.uid, href: new.freshHref(for: $0.uid, attempt: 0)) },
      from: way.source, to: way.target)
    let places = report.places(in: way.source)
    let outcomes = await old.move(
      shared.map { ($0.uid, places[$0.uid] ?? $0.remote.href) }, to: new)
    var moved: Set<ItemID> = []
    var unclear: Set<ItemID> = []
    var refused: Set<ItemID> = []
    for (item, outcome) in zip(shared.map(\.remote), outcomes) {
      let uid = item.uid
      switch outcome {
      case .moved:
        moved.insert(uid)
        report.note(moved: uid, way)
      case .refused:
        refused.insert(uid)
        unmoved[way.source, default: []].insert(uid)
      case .failed:
        let wasEdited = report.isEdited(uid, in: way.source)
        let href = places[uid] ?? item.href
        // What an earlier run was to move, too, goes the long way, or is held (HoldMeetings).
        let isFirst = !onTheirWay.contains(uid) && opened.target.pair.invitations != .never
        var isMail = false
        if isFirst, !wasEdited { isMail = await callsOff(uid, at: href, in: way.source) }
        // It stays on its way, so that the next run knows that it waited.
        if !isMail { refused.insert(uid) }
        guard wasEdited || isMail else { continue }
        if report.leaveForLater(uid, way, wasEdited: wasEdited) { unclear.insert(uid) }
      case .unclear(let error):
        unclear.insert(uid)
        report.note(unclear: uid, way, error)
      }
    }
    try await noteStaying(refused, in: way.source)
    try await log(shared.filter { moved.contains($0.uid) }, way, in: journal)
    return (moved, unclear)
  }

  /// Says in the log of the collection that items have left where they are, as it tells of what
  /// goes the long way.
  private func log(
    _ moved: [Agreement], _ way: Way, in journal: SQLiteJournal
  ) async throws(RunFailure) {
    if moved.isEmpty { return }
    let pair = opened.target.pair
    let now = gateway.surroundings.now()
    let entries = moved.map(\.remote).map { item in
      HistoryEntry(
        time: now, uid: item.uid, side: .remote, action: .moved,
        reason: "moved to \(pair.name)/\(way.target)", href: item.href,
        before: item.version.digest, after: item.version.digest)
    }
    try await gateway.journaled(pair) { () throws(JournalError) in
      try await journal.keep(entries, contents: [])
    }
  }
}

/// Items that leave one collection and come to another.
struct Way {
  var source: String
  var target: String
  var items: Set<ItemID>
}

extension PairReport {
  /// What comes to a collection and leaves another one, or was edited there.
  var ways: [Way] {
    ways(of: { target, source in
      Set(target.arriving.compactMap(\.uid))
        .intersection((source.leaving + source.edited).compactMap(\.uid))
    })
  }

  /// Of each two collections, the items that are on their way from one to the other.
  func ways(
    of items: (_ target: CollectionReport, _ source: CollectionReport) -> Set<ItemID>
  ) -> [Way] {
    collections.flatMap { target in
      collections.filter { $0.name != target.name }.compactMap { source in
        let found = items(target, source)
        return found.isEmpty ? nil : Way(source: source.name, target: target.name, items: found)
      }
    }
  }

  /// For each of the two it is what it would have been without a move: one more, and one less.
  mutating func note(moved uid: ItemID, _ way: Way) {
    let (old, new) = ("\(pair)/\(way.source)", "\(pair)/\(way.target)")
    for index in collections.indices {
      let own = collections[index]
      let left = own.leaving + own.edited
      if own.name == way.source, let item = left.first(where: { $0.uid == uid }) {
        collections[index].pushed.deleted += 1
        collections[index].departed.insert(uid)
        collections[index].actions.append(
          ReportedAction(kind: .delete, side: .remote, item: item, reason: "moved to \(new)"))
      }
      if own.name == way.target, let item = own.arriving.first(where: { $0.uid == uid }) {
        collections[index].pushed.created += 1
        collections[index].actions.append(
          ReportedAction(kind: .create, side: .remote, item: item, reason: "moved from \(old)"))
      }
    }
    settle(uid, in: way.target)
  }

  /// Where the server has what leaves a collection.
  func places(in name: String) -> [ItemID: Href] {
    let own = collections.first { $0.name == name }
    let places = ((own?.leaving ?? []) + (own?.edited ?? [])).compactMap { item in
      item.uid.flatMap { uid in item.href.map { (uid, $0) } }
    }
    return Dictionary(places, uniquingKeysWith: { first, _ in first })
  }

  fileprivate func isEdited(_ uid: ItemID, in name: String) -> Bool {
    let source = collections.first { $0.name == name }
    return source?.edited.contains { $0.uid == uid } ?? false
  }

  /// Nothing more is done in this run with what the server may yet move: with an edit that was made
  /// where it was, or without calling a meeting off. Gives false where it does not arrive.
  fileprivate mutating func leaveForLater(_ uid: ItemID, _ way: Way, wasEdited: Bool) -> Bool {
    guard let target = collections.firstIndex(where: { $0.name == way.target }),
      let item = collections[target].arriving.first(where: { $0.uid == uid })
    else { return false }
    settle(uid)
    let problem = ItemProblem.notMoved(from: "\(pair)/\(way.source)", wasEdited: wasEdited)
    collections[target].problems.append(ReportedProblem(item: item, problem: problem))
    return true
  }

  /// Nothing more is done with it in this run: the next one sees where it is.
  mutating func note(unclear uid: ItemID, _ way: Way, _ error: StorageError) {
    settle(uid)
    guard let index = collections.firstIndex(where: { $0.name == way.target }) else { return }
    // What it was refused for before may not be so any more.
    collections[index].problems.removeAll { $0.item.uid == uid }
    let failure = error.kind == .stopped ? SyncFailure.stopped : .storage(.remote, error)
    collections[index].failure = collections[index].failure ?? failure
  }

  /// - Parameter target: where it comes to no more; nil: nowhere.
  private mutating func settle(_ uid: ItemID, in target: String? = nil) {
    for index in collections.indices {
      collections[index].leaving.removeAll { $0.uid == uid }
      collections[index].edited.removeAll { $0.uid == uid }
      if target == nil || collections[index].name == target {
        collections[index].arriving.removeAll { $0.uid == uid }
      }
    }
  }
}

extension ItemProblem {
  /// - Parameter place: `PAIR/COLLECTION`.
  fileprivate static func notMoved(from place: String, wasEdited: Bool) -> ItemProblem {
    guard wasEdited else {
      return ItemProblem(
        .refused, "it was moved here from \(place), and the server failed to move it",
        hint: "Run the sync again later: where the server fails at it once more, it gets a new one"
          + " and deletes the one there, and may tell the guests of both.")
    }
    return ItemProblem(
      .refused,
      "it was moved here from \(place), where somebody has edited it on the server, and the server"
        + " failed to move it",
      hint: "Run the sync again later; if it stays, move its file back.")
  }
}
