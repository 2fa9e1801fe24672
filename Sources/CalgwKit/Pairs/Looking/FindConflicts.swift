import ICalendar
import SyncExecution
import SyncModel
import SyncPlanning

extension Gateway {
  /// How an item that a command line names stands. A name that no pair knows is status 66, one that
  /// several collections have out of step is status 64.
  ///
  /// - Parameter orChange: what one side alone changed since both agreed counts as a conflict, and
  ///   so does a file that is broken, over which a version can be taken.
  public func standing(
    of argument: String, holding side: Side? = nil
  ) async throws(RunFailure) -> ItemStanding {
    let name = try await itemName(argument)
    let (viewed, failed) = try await collectionsToSearch(for: name)
    if !failed.isEmpty { return .hidden(failed) }
    let meant = viewed.flatMap { collection in
      collection.items.filter { name.names($0, in: collection) }
        .map { MeantItem(pending: $0, collection: collection) }
    }
    if meant.isEmpty {
      if let quiet = try await quietItem(name, viewed) { return .quiet(quiet) }
      throw await unknown(
        argument,
        RunFailure(
          .missingInput, code: "no-such-item", message: "no pair knows an item \(argument)",
          hint: "run `calgw status` to see the conflicts"))
    }
    let open = await conflicts(among: meant, holding: side)
    // Of a file that two pairs have, the first one's is settled: that changes the other one's.
    guard Set(open.map(\.place)).count < 2 else { throw ambiguous(argument, among: open) }
    if let conflict = open.first { return .conflict(conflict) }
    return .quiet(await quiet(meant))
  }

  /// Looks at the collections that may have what a command line names, and reports the pairs that
  /// could not be looked at and may have it.
  private func collectionsToSearch(for name: ItemName) async throws(RunFailure)
    -> (viewed: [ViewedCollection], failed: [PairReport])
  {
    var viewed: [ViewedCollection] = []
    var failed: [PairReport] = []
    for target in try await targets(of: [name]) {
      if let failure = leavingOut("pair \(target.pair.name)") { throw failure }
      // Whatever the pair's policy would settle by itself: a person may want to.
      let view = await view(target, offline: false, policy: .ask)
      viewed += view.collections
      if view.failures.isEmpty { continue }
      var report = PairReport(target.pair)
      report.failure = view.failures.first
      report.shortfalls = Array(view.failures.dropFirst())
      failed.append(report)
    }
    // Trouble elsewhere is none of an item that was found.
    let isFound = viewed.contains { collection in
      name.isIn(collection) || collection.items.contains { name.names($0, in: collection) }
    }
    return (viewed, isFound ? [] : failed)
  }

  /// Those that are in no conflict. What is gone from a side waits with the rest of a collection of
  /// which too much would be deleted.
  private func quiet(_ meant: [MeantItem]) async -> QuietItem {
    var folders = MendFolders()
    var entries: [(PendingEntry, ViewedCollection)] = []
    for item in meant {
      let (pending, collection) = (item.pending, item.collection)
      var entry = collection.entry(of: pending)
      if entry.problem == nil, let holder = pending.onlyHolder, let refusal = collection.refusal {
        entry.problem = refusal
        let names = await mendNames(
          of: [pending.item], in: collection.name, of: collection.opened, among: &folders)
        // Of an item that is gone from the other side the mend for these would say the opposite.
        let isHeld = refusal.message.hasSuffix("on the \(holder.rawValue) side")
        entry.names = isHeld ? names[pending.item] ?? entry.names : MendNames()
      }
      entries.append((entry, collection))
    }
    return QuietItem(entries)
  }

  /// An item that is in no collection's list; nil where none knows it.
  private func quietItem(
    _ name: ItemName, _ viewed: [ViewedCollection]
  ) async throws(RunFailure) -> QuietItem? {
    switch name {
    case .file(let href, let folder):
      guard try await isInStep(href, in: folder, viewed) else { return nil }
      guard let item = try await office().finder.item(named: href, in: folder) else { return nil }
      return await quietItem(item.uid, viewed) ?? leftOut(item, viewed)
        ?? QuietItem(configuration.pairs.filter { $0.name == folder.pair })
    case .uid(let uid):
      if let agreed = await quietItem(uid, viewed) { return agreed }
      return await leftOut(uid, viewed)
    }
  }

  private func quietItem(_ uid: ItemID, _ viewed: [ViewedCollection]) async -> QuietItem? {
    for collection in viewed {
      guard case .success(var item?) = await collection.sync.agreedItem(uid) else { continue }
      item.problem = collection.pair.leavesOut(item.versions.values.flatMap(\.components))
      return QuietItem([(collection.entry(of: item), collection)])
    }
    return nil
  }

  /// One that the pair leaves out, and has from no earlier run: only a file tells of it.
  private func leftOut(_ uid: ItemID, _ viewed: [ViewedCollection]) async -> QuietItem? {
    let finder = office().finder
    for collection in viewed where collection.pair.components != nil {
      guard let path = collection.folder else { continue }
      let folder = EventFolder(
        path: path, pair: collection.pair.name, collection: collection.name)
      for file in (try? await finder.files(of: uid, in: folder)) ?? [] {
        guard let item = try? await finder.item(named: file, in: folder) else { continue }
        if let quiet = leftOut(item, [collection]) { return quiet }
      }
    }
    return nil
  }

  private func leftOut(_ item: FoundItem, _ viewed: [ViewedCollection]) -> QuietItem? {
    for collection in viewed where collection.folder == item.folder.path {
      guard let problem = collection.pair.leavesOut(item.object.kinds) else { continue }
      var entry = PendingEntry(
        pair: collection.pair.name, collection: collection.name,
        item: ReportedItem(
          uid: item.uid, file: item.href, href: nil, summary: item.summary))
      entry.problem = problem
      return QuietItem([(entry, collection)])
    }
    return nil
  }

  /// Those that a person can settle.
  private func conflicts(among meant: [MeantItem], holding side: Side?) async -> [WaitingConflict] {
    var found: [WaitingConflict] = []
    var folders = MendFolders()
    for item in meant {
      guard await item.canBeSettled(holding: side) else { continue }
      let (pending, collection) = (item.pending, item.collection)
      // What waits for nobody has no names yet.
      let names = await mendNames(
        of: [pending.item], in: collection.name, of: collection.opened, among: &folders)
      if let one = WaitingConflict(pending, in: collection, names: names[pending.item]) {
        found.append(one)
      }
    }
    return found
  }

  private func ambiguous(_ argument: String, among found: [WaitingConflict]) -> RunFailure {
    let state = found.allSatisfy(\.isConflict) ? "in conflict" : "not in step"
    return .usage(
      "\(argument) is \(state) in \(found.count) collections",
      hint: "name the file of the one that you mean: "
        + found.map(\.place).joined(separator: ", "))
  }

  /// The conflicts of a run that just ended, for a person to settle.
  public func conflicts(of report: PairReport) async -> [WaitingConflict] {
    guard let pair = configuration.pairs.first(where: { $0.name == report.pair }) else {
      return []
    }
    let names = Set(report.collections.filter { !$0.conflicts.isEmpty }.map(\.name))
    if names.isEmpty { return [] }
    let target = PairTarget(pair: pair, collections: names)
    let view = await view(target, offline: false, policy: .ask)
    return view.collections.flatMap { collection in
      collection.items.filter { $0.conflict != nil }
        .compactMap { WaitingConflict($0, in: collection) }
    }
  }
}

/// How an item stands that a person wants to settle.
public enum ItemStanding: Sendable {
  case conflict(WaitingConflict)
  case quiet(QuietItem)
  /// Nobody can say: of each pair that may have it and could not be looked at, why.
  case hidden([PairReport])
}

/// An item that is in no conflict: nothing is done about it.
public struct QuietItem: Sendable {
  /// In which collections it waits for something else, and for what.
  public private(set) var waiting: [PendingEntry] = []
  /// Of each pair that has it, what a run says that left it as it is.
  public private(set) var reports: [PairReport] = []

  /// One of which the pairs know nothing but its file.
  fileprivate init(_ pairs: [PairConfiguration]) { reports = pairs.map { PairReport($0) } }

  fileprivate init(_ entries: [(PendingEntry, ViewedCollection)]) {
    for (entry, collection) in entries { add(entry, in: collection) }
  }

  private mutating func add(_ entry: PendingEntry, in collection: ViewedCollection) {
    if entry.problem != nil { waiting.append(entry) }
    if reports.last?.pair != entry.pair { reports.append(PairReport(collection.pair)) }
    reports[reports.count - 1].leave(entry, in: collection.folder)
  }
}

extension PairConfiguration {
  /// Why an item with components of these kinds is not synced; nil where it is.
  fileprivate func leavesOut(_ kinds: [String]) -> ItemProblem? {
    guard let kind = kinds.sorted().first(where: { components?.contains($0) == false }) else {
      return nil
    }
    return ItemProblem(
      .unsupported, "this pair leaves out \(kind)",
      hint: "Add \(kind) to the pair's `components` to have it synced.")
  }
}

extension PairReport {
  /// Of a run that did nothing.
  fileprivate init(_ pair: PairConfiguration) {
    self.init(pair: pair.name, direction: pair.direction, isDryRun: false)
  }

  /// Names what an item waits for that was left as it is.
  fileprivate mutating func leave(_ entry: PendingEntry, in folder: [UInt8]?) {
    if collections.last?.name != entry.collection {
      collections.append(CollectionReport(name: entry.collection))
      folders[entry.collection] = folder.map { EventFolder(path: $0, pair: nil, collection: nil) }
    }
    guard let problem = entry.problem else { return }
    collections[collections.count - 1].problems.append(
      ReportedProblem(item: entry.item, problem: problem))
  }
}

extension PendingItem {
  /// The side that has it still, where it is gone from the other one.
  fileprivate var onlyHolder: Side? {
    switch (local, remote) {
    case (.deleted, .deleted): nil
    case (.deleted, _): .remote
    case (_, .deleted): .local
    case (.unchanged, _), (.created, _), (.updated, _): nil
    }
  }
}

/// An item that a command line named.
private struct MeantItem: Sendable {
  let pending: PendingItem
  let collection: ViewedCollection

  /// A version of it can be taken.
  func canBeSettled(holding side: Side?) async -> Bool {
    if pending.conflict != nil { return true }
    guard let side else { return false }
    if pending.isChangeOfAgreed || pending.isOffered(from: side) { return true }
    return await isBroken()
  }

  /// It is the file of an item that both sides share, and no whole item any more.
  private func isBroken() async -> Bool {
    guard pending.problem != nil, let uid = pending.item.uid,
      case .success(let file?) = await collection.sync.brokenFile(of: uid)
    else { return false }
    return pending.item.file == file
  }
}
