import ICalendar
public import SyncExecution
public import SyncModel
public import SyncPlanning

/// A conflict whose versions are read when somebody wants to see them: a first sync may have as
/// many as items.
public struct WaitingConflict: Sendable {
  public let item: NamedItem
  /// How a mend names it.
  public let names: MendNames
  private let pending: PendingItem
  private let collection: ViewedCollection

  /// Nil for what has no UID.
  ///
  /// - Parameter names: where the collection was not asked for those of all that is not in step.
  init?(_ pending: PendingItem, in collection: ViewedCollection, names: MendNames? = nil) {
    guard let uid = pending.item.uid else { return nil }
    item = NamedItem(
      pair: collection.pair, collection: collection.name, uid: uid, reported: pending.item)
    self.names = names ?? collection.names[pending.item] ?? MendNames(uid)
    self.pending = pending
    self.collection = collection
  }

  /// The versions that `view` shows, by their canonical digests.
  public var shown: [Side: ContentDigest] { pending.versions.mapValues(\.canonical) }

  /// Both sides changed it; else one side alone.
  var isConflict: Bool { pending.conflict != nil }

  /// Both versions; nil where the journal does not give them.
  /// - Parameter here: where the person is who is to choose.
  public func view(here: EventZone) async -> ConflictView? {
    guard case .success(let differences) = await collection.sync.differences(of: pending) else {
      return nil
    }
    let digests = pending.versions.mapValues(\.version.digest)
    let kept = (try? await collection.journal.contents(digests.values.sorted())) ?? [:]
    let times = await collection.sync.editTimes(of: pending)
    let merging = await merging(times)
    var obstacle: MergeObstacle?
    if case .conflict(let found)? = merging?.outcome { obstacle = found }
    let choices = collection.sync.choices.filter { obstacle == nil || $0 != .merged }
    var entry = collection.entry(of: pending)
    entry.names = names
    return ConflictView(
      entry: entry,
      differences: differences,
      versions: VersionComparison(
        local: digests[.local].flatMap { kept[$0] }, remote: digests[.remote].flatMap { kept[$0] },
        differences: differences.between, here: here.zone),
      obstacle: obstacle, choices: choices,
      merging: choices.contains(.merged) ? merging?.preview(differences, times) : nil)
  }

  /// Its file, as a word of a command; where it has none its collection.
  var place: String {
    names.file.map { safeWord($0) } ?? "\(item.pair.name)/\(item.collection)"
  }

  /// The side whose edit stays although the other one, which deleted the item, was chosen: an edit
  /// outlives a deletion (docs/reconcile.md). Nil where the choice was carried out as it is, and
  /// where the run left the item to a person: that says why.
  ///
  /// - Parameter report: of the run that settled it.
  public func survivor(of choice: ConflictChoice, after report: PairReport) -> Side? {
    if isLeft(by: report) || isDeleted(by: report) { return nil }
    switch (choice, pending.local, pending.remote) {
    case (.remote, .updated, .deleted): return .local
    case (.local, .deleted, .updated): return .remote
    case (.local, _, _), (.remote, _, _), (.merged, _, _), (.both, _, _): return nil
    }
  }

  /// Whether a run deleted the version that was left: by the policy no edit outlives a deletion on
  /// the side that was chosen.
  private func isDeleted(by report: PairReport) -> Bool {
    report.collections.contains { own in
      own.name == item.collection
        && own.actions.contains { $0.kind == .delete && $0.item.uid == item.uid }
    }
  }

  /// Whether a run did not settle it. What it left of other items does not count.
  private func isLeft(by report: PairReport) -> Bool {
    guard report.failure == nil,
      let own = report.collections.first(where: { $0.name == item.collection }),
      own.failure == nil
    else { return true }
    let left = own.conflicts.map(\.item) + own.problems.map(\.item)
    return left.contains { other in
      other.uid == item.uid || other.file != nil && other.file == item.reported.file
    }
  }

  /// Why it cannot be merged; nil where it can, and where the journal does not give both versions.
  /// No side is asked again.
  public func mergeObstacle() async -> MergeObstacle? {
    // Which side was edited last decides what gives way, and not whether anything can.
    let outcome = await merging(EditTimes(local: nil, remote: nil))?.outcome
    if case .conflict(let obstacle)? = outcome { return obstacle }
    return nil
  }

  /// What comes of merging the two versions; nil where the journal does not give both.
  private func merging(_ times: EditTimes) async -> Merging? {
    guard let own = await texts(of: pending) else { return nil }
    var agreed: BothSides<ItemData>?
    if case .success(let shared?) = await collection.sync.agreedItem(item.uid) {
      agreed = await texts(of: shared)
    }
    let isTooLarge = [own, agreed].compactMap(\.self).contains { texts in
      texts.local.isTooLargeToCompare || texts.remote.isTooLargeToCompare
    }
    let versions = Self.trees(own)
    if isTooLarge { return Merging(versions: versions, outcome: .conflict(.tooLarge)) }
    return Merging(
      versions: versions,
      outcome: merge(
        base: agreed.map(Self.trees), local: versions.local, remote: versions.remote,
        times: times, zones: ItemZones(.system)))
  }

  /// What both sides have of an item, if the journal has both texts.
  private func texts(of item: PendingItem) async -> BothSides<ItemData>? {
    let digests = item.versions.mapValues(\.version.digest)
    guard let local = digests[.local], let remote = digests[.remote],
      let kept = try? await collection.journal.contents([local, remote]),
      let here = kept[local], let there = kept[remote]
    else { return nil }
    return BothSides(here, there)
  }

  private static func trees(_ texts: BothSides<ItemData>) -> BothSides<SyntaxTree> {
    BothSides(SyntaxTree(bytes: texts.local.bytes), SyntaxTree(bytes: texts.remote.bytes))
  }
}

/// Two versions, and what merging them gives.
private struct Merging {
  var versions: BothSides<SyntaxTree>
  var outcome: MergeOutcome

  /// What gives way in it; nil where they cannot be merged.
  func preview(_ differences: ItemDifferences, _ times: EditTimes) -> MergePreview? {
    guard case .merged(let merged) = outcome else { return nil }
    func losses(_ side: Side, _ own: [PropertyDifference]) -> [PropertyDifference] {
      describeLosses(
        of: side, in: merged, from: versions[side], own: own, zones: ItemZones(.system))
    }
    return MergePreview(
      local: losses(.local, differences.local), remote: losses(.remote, differences.remote),
      isGuessed: !times.areTelling && merged.lost.contains(where: \.isByTime))
  }
}
