import ICalendar
import SyncExecution
import SyncModel
public import SyncPlanning

extension Gateway {
  /// The conflict of an item that a command line names; nil where it is in none. A name that no
  /// pair knows is status 66, one that several collections have in conflict is status 64.
  ///
  /// - Parameter orChange: what one side alone changed since both agreed counts as one.
  public func conflict(
    _ argument: String, orChange: Bool = false
  ) async throws(RunFailure) -> WaitingConflict? {
    let names = try await itemNames([argument])
    var found: [WaitingConflict] = []
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
        found += meant.compactMap {
          WaitingConflict($0, in: collection, of: target.pair, orChange: orChange)
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
      let places = found.map { "\($0.item.pair.name)/\($0.item.collection)" }
      throw .usage(
        "\(argument) is in conflict in \(found.count) collections",
        hint: "name the file in one of them: \(places.joined(separator: ", "))")
    }
    return found.first
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
      collection.items.compactMap { WaitingConflict($0, in: collection, of: pair) }
    }
  }
}

/// A conflict whose versions are read when somebody wants to see them: a first sync may have as
/// many as items.
public struct WaitingConflict: Sendable {
  public let item: NamedItem
  private let pending: PendingItem
  private let collection: ViewedCollection

  /// Nil for what is in no conflict.
  init?(
    _ pending: PendingItem, in collection: ViewedCollection, of pair: PairConfiguration,
    orChange: Bool = false
  ) {
    let isMeant = pending.conflict != nil || orChange && pending.isChangeOfAgreed
    guard isMeant, let uid = pending.item.uid else { return nil }
    item = NamedItem(pair: pair, collection: collection.name, uid: uid)
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
      entry: PendingEntry(pair: item.pair.name, collection: item.collection, pending),
      differences: differences,
      versions: VersionComparison(
        local: digests[.local].flatMap { kept[$0] }, remote: digests[.remote].flatMap { kept[$0] },
        differences: differences.between, here: here.zone),
      obstacle: obstacle,
      choices: collection.sync.choices.filter { obstacle == nil || $0 != .merged })
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
