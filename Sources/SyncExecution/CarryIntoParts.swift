import ICalendar
import SyncModel
import SyncPlanning

/// What a run gave to new parts of series, by part: the version of the series that has the change.
/// A server may drop it, and the part then looks as if it was never given it.
struct CarriedChanges {
  private var planned: [ItemID: ContentDigest] = [:]
  private var done: [ItemID: ContentDigest] = [:]

  mutating func plan(_ part: ItemID, _ series: ContentDigest) { planned[part] = series }

  mutating func finish(_ part: ItemID) { done[part] = planned[part] }

  func isDone(_ part: ItemID, _ series: ContentDigest) -> Bool { done[part] == series }
}

/// A series that one side has split, and of which the other side changed the whole: the merge gives
/// that change to the half that kept the UID, and the new half, which only one side has, would go
/// without it.
extension SyncRun {
  /// Gives the new parts of such series what the other side changed, on the side that has them. The
  /// series itself and the way of the new part to the other side wait for the next round, which
  /// finds the change there: a run that ends in between begins with the same. On a side that the
  /// run may not write to, the part stays as it is.
  mutating func carryingIntoParts(_ plan: Plan) async throws(SyncFailure) -> Plan {
    var created: [Side: [ItemID: ItemVersion]] = [:]
    let writable = Side.allCases.filter(mayWrite)
    for case .create(let target, let part, _) in plan.actions
    where writable.contains(target.opposite) {
      created[target.opposite, default: [:]][part.uid] = part
    }
    if created.isEmpty { return plan }
    var amended: [ItemID: Action] = [:]
    var merged: Set<ItemID> = []
    for split in try await splits(plan.actions, created) {
      if carried.isDone(split.part.uid, split.changed) { continue }
      guard let text = try await text(of: split) else { continue }
      carried.plan(split.part.uid, split.changed)
      amended[split.part.uid] = .replace(
        on: split.side, old: split.part, source: split.part, text: .amended(text),
        reason: "the \(split.side.opposite.rawValue) side changed the series it was split off")
      merged.insert(split.series.local.uid)
    }
    var carrying = plan
    // It plans one round, and says what all of them will do.
    if sync.options.isDryRun {
      carrying.actions = amended.values.sorted { $0.uid < $1.uid } + plan.actions
      return carrying
    }
    carrying.actions = plan.actions.compactMap { action in
      merged.contains(action.uid) ? nil : amended[action.uid] ?? action
    }
    return carrying
  }

  /// A part that was given a change goes to the other side in the next round, as it is now: what
  /// the side has dropped of that is not sent again.
  mutating func finishAmended(_ write: PreparedWrite, on side: Side) -> IntentOutcome {
    finish(write)
    carried.finish(write.intent.uid)
    stale.insert(side)
    return .lookAgain
  }

  private func mayWrite(to side: Side) -> Bool {
    sync.options.direction.writes(to: side) && !sync.readOnly.contains(side)
  }

  private struct Split {
    let series: MergedItem
    let base: Agreement
    let side: Side
    let part: ItemVersion

    /// The version of the series that the change is in.
    var changed: ContentDigest { series[side.opposite].version.digest }
  }

  /// The new parts that a side has of merged series.
  private func splits(
    _ actions: [Action], _ created: [Side: [ItemID: ItemVersion]]
  ) async throws(SyncFailure) -> [Split] {
    var merges: [(series: MergedItem, base: Agreement)] = []
    for case .merge(let series) in actions {
      if let base = series.base { merges.append((series, base)) }
    }
    var splits: [Split] = []
    for side in Side.allCases {
      guard let own = created[side] else { continue }
      let changed = merges.map { series, base in
        ChangedSeries(
          uid: base.uid, before: base[side].version.digest, now: series[side].version.digest)
      }
      let parts = try await sync.newParts(of: changed, among: own)
      for (merge, parts) in zip(merges, parts) {
        for part in parts.sorted().compactMap({ own[$0] }) {
          splits.append(
            Split(series: merge.series, base: merge.base, side: side, part: part))
        }
      }
    }
    return splits
  }

  /// The part with what the other side changed; nil where that is nothing.
  private func text(of split: Split) async throws(SyncFailure) -> ItemData? {
    let (base, series) = (split.base, split.series)
    let digests = [base.local, base.remote, series[split.side.opposite], split.part]
      .map(\.version.digest)
    let texts = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.contents(digests)
    }
    let trees = digests.compactMap { texts[$0] }.map { SyntaxTree(bytes: $0.bytes) }
    guard trees.count == digests.count else { return nil }
    let times = EditTimes(series.local, series.remote, since: base, by: sync.clocks)
    return carryIntoPart(
      trees[3], splitOn: split.side, since: BothSides(trees[0], trees[1]), changed: trees[2],
      times: times, zones: sync.options.zones
    ).map(ItemData.init(bytes:))
  }
}
