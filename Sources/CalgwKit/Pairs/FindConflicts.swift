import ICalendar
public import SyncExecution
public import SyncModel
public import SyncPlanning

extension Gateway {
  /// How an item that a command line names stands. A name that no pair knows is status 66, one that
  /// several collections have in conflict is status 64.
  ///
  /// - Parameter orChange: what one side alone changed since both agreed counts as a conflict, and
  ///   so does a file that is broken, over which a version can be taken.
  public func standing(
    of argument: String, orChange: Bool = false
  ) async throws(RunFailure) -> ItemStanding {
    let names = try await itemNames([argument])
    var found: [WaitingConflict] = []
    var waiting: [PendingEntry] = []
    var isKnown = false
    for target in try targets(of: names) {
      if let failure = leavingOut("pair \(target.pair.name)") { throw failure }
      // Whatever the pair's policy would settle by itself: a person may want to.
      let view = await view(target, offline: false, policy: .ask)
      if let failure = view.failures.first { throw failure }
      for collection in view.collections {
        let meant = collection.items.filter { item in
          names.contains {
            $0.names(item.item, pair: target.pair.name, collection: collection.name)
          }
        }
        if !meant.isEmpty { isKnown = true }
        for pending in meant {
          let isBroken = await orChange ? collection.hasBroken(pending) : false
          let isMeant = pending.conflict != nil || isBroken || orChange && pending.isChangeOfAgreed
          if isMeant, let one = WaitingConflict(pending, in: collection, of: target.pair) {
            found.append(one)
          }
        }
        waiting += meant.filter { $0.problem != nil }.map {
          collection.entry(of: $0, in: target.pair)
        }
        if !isKnown, case .uid(let uid)? = names.first,
          case .success(.some) = await collection.sync.agreedItem(uid)
        {
          isKnown = true
        }
      }
    }
    if case .file(let href, let pair, let collection)? = names.first, !isKnown {
      let finder = office().finder
      let folder = try await finder.folders.folder(named: "\(pair)/\(collection)")
      isKnown = try await finder.item(named: href, in: folder) != nil
    }
    guard isKnown else {
      throw RunFailure(
        .missingInput, code: "no-such-item", message: "no pair knows an item \(argument)",
        hint: "run `calgw status` to see the conflicts")
    }
    guard found.count < 2 else {
      throw .usage(
        "\(argument) is in conflict in \(found.count) collections",
        hint: "name the file of the one that you mean: "
          + found.map(\.place).joined(separator: ", "))
    }
    if let conflict = found.first { return .conflict(conflict) }
    return waiting.isEmpty ? .settled : .waiting(waiting)
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
        .compactMap { WaitingConflict($0, in: collection, of: pair) }
    }
  }
}

/// How an item stands that a person wants to settle.
public enum ItemStanding: Sendable {
  case conflict(WaitingConflict)
  /// It is in no conflict, and waits for something else: in each collection that has it.
  case waiting([PendingEntry])
  case settled
}

/// A conflict whose versions are read when somebody wants to see them: a first sync may have as
/// many as items.
public struct WaitingConflict: Sendable {
  public let item: NamedItem
  private let pending: PendingItem
  private let collection: ViewedCollection

  /// Nil for what has no UID.
  fileprivate init?(
    _ pending: PendingItem, in collection: ViewedCollection, of pair: PairConfiguration
  ) {
    guard let uid = pending.item.uid else { return nil }
    item = NamedItem(
      pair: pair, collection: collection.name, uid: uid, reported: pending.item)
    self.pending = pending
    self.collection = collection
  }

  /// Both versions; nil where the journal does not give them.
  /// - Parameter here: where the person is who is to choose.
  public func view(here: EventZone) async -> ConflictView? {
    guard case .success(let differences) = await collection.sync.differences(of: pending) else {
      return nil
    }
    let digests = pending.versions.mapValues(\.version.digest)
    let kept = (try? await collection.journal.contents(digests.values.sorted())) ?? [:]
    let obstacle = await mergeObstacle()
    return ConflictView(
      entry: collection.entry(of: pending, in: item.pair),
      differences: differences,
      versions: VersionComparison(
        local: digests[.local].flatMap { kept[$0] }, remote: digests[.remote].flatMap { kept[$0] },
        differences: differences.between, here: here.zone),
      obstacle: obstacle,
      choices: collection.sync.choices.filter { obstacle == nil || $0 != .merged })
  }

  /// How a mend names it.
  public var names: MendNames { collection.names[pending.item] ?? MendNames(item.uid) }

  /// Its file, as a word of a command; where it has none its collection.
  fileprivate var place: String {
    names.file.map { safeWord($0) } ?? "\(item.pair.name)/\(item.collection)"
  }

  /// The side whose edit stays although the other one, which deleted the item, is chosen: an edit
  /// outlives a deletion (docs/reconcile.md). Nil where the choice is carried out as it is.
  public func survivor(of choice: ConflictChoice) -> Side? {
    switch (choice, pending.local, pending.remote) {
    case (.remote, .updated, .deleted): .local
    case (.local, .deleted, .updated): .remote
    case (.local, _, _), (.remote, _, _), (.merged, _, _), (.both, _, _): nil
    }
  }

  /// Why it cannot be merged; nil where it can, and where the journal does not give both versions.
  /// No side is asked again.
  public func mergeObstacle() async -> MergeObstacle? {
    guard let versions = await trees(of: pending) else { return nil }
    var base: BothSides<SyntaxTree>?
    if case .success(let agreed?) = await collection.sync.agreedItem(item.uid) {
      base = await trees(of: agreed)
    }
    // Which side was edited last decides what gives way, and not whether anything can.
    let outcome = merge(
      base: base, local: versions.local, remote: versions.remote,
      times: EditTimes(local: nil, remote: nil), zones: ItemZones(.system))
    if case .conflict(let obstacle) = outcome { return obstacle }
    return nil
  }

  /// What both sides have of an item, if the journal has both texts.
  private func trees(of item: PendingItem) async -> BothSides<SyntaxTree>? {
    let digests = item.versions.mapValues(\.version.digest)
    guard let local = digests[.local], let remote = digests[.remote],
      let kept = try? await collection.journal.contents([local, remote]),
      let here = kept[local], let there = kept[remote]
    else { return nil }
    return BothSides(SyntaxTree(bytes: here.bytes), SyntaxTree(bytes: there.bytes))
  }
}

extension ViewedCollection {
  /// It is the file of an item that both sides share, and no whole item any more.
  fileprivate func hasBroken(_ pending: PendingItem) async -> Bool {
    guard pending.problem != nil, let uid = pending.item.uid,
      case .success(let file?) = await sync.brokenFile(of: uid)
    else { return false }
    return pending.item.file == file
  }
}
