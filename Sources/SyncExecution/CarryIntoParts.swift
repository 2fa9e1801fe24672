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
    var created: [ItemID: (side: Side, part: ItemVersion)] = [:]
    let writable = Side.allCases.filter(mayWrite)
    for case .create(let target, let part, _) in plan.actions
    where writable.contains(target.opposite) {
      created[part.uid] = (target.opposite, part)
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

  /// The new parts that a side has, and that its version of a merged series names since then.
  private func splits(
    _ actions: [Action], _ created: [ItemID: (side: Side, part: ItemVersion)]
  ) async throws(SyncFailure) -> [Split] {
    var merges: [(series: MergedItem, base: Agreement)] = []
    for case .merge(let series) in actions {
      if let base = series.base { merges.append((series, base)) }
    }
    if merges.isEmpty { return [] }
    var splits: [Split] = []
    for side in Side.allCases {
      let now = try await siblings(of: merges.map { [$0.series[side].version.digest] })
      let before = try await siblings(of: merges.map { [$0.base[side].version.digest] })
      let own = created.filter { $0.value.side == side }
      let unnamed = try await parts(own, of: shortened(merges, on: side), on: side)
      for (merge, (now, before)) in zip(merges, zip(now, before)) {
        let named = now.subtracting(before).union(unnamed[merge.series[side].uid] ?? [])
        for uid in named.sorted() {
          guard let new = own[uid] else { continue }
          splits.append(
            Split(series: merge.series, base: merge.base, side: side, part: new.part))
        }
      }
    }
    return splits
  }

  /// Those whose rule a side has changed, as who splits a series does.
  private func shortened(
    _ merges: [(series: MergedItem, base: Agreement)], on side: Side
  ) async throws(SyncFailure) -> [MergedItem] {
    let now = try await related(
      merges.map { [$0.series[side].version.digest] }, by: recurrenceRules(in:))
    let before = try await related(
      merges.map { [$0.base[side].version.digest] }, by: recurrenceRules(in:))
    return zip(merges, zip(now, before)).filter { $1.0 != $1.1 }.map(\.0.series)
  }

  /// New parts of series that no series names: those that Google calls after it, and those of one
  /// set, as Apple's programs say.
  private func parts(
    _ created: [ItemID: (side: Side, part: ItemVersion)], of merges: [MergedItem], on side: Side
  ) async throws(SyncFailure) -> [ItemID: Set<ItemID>] {
    if created.isEmpty { return [:] }
    let uids = created.keys.sorted()
    var parts: [ItemID: Set<ItemID>] = [:]
    let split = Set(merges.map { $0[side].uid })
    for uid in uids {
      guard let series = uid.seriesOfPart, split.contains(series) else { continue }
      parts[series, default: []].insert(uid)
    }
    let sets = try await related(merges.map { [$0[side].version.digest] }, by: recurrenceSets(in:))
    if sets.allSatisfy(\.isEmpty) { return parts }
    let own = try await related(
      uids.compactMap { created[$0].map { [$0.part.version.digest] } }, by: recurrenceSets(in:))
    var members: [ItemID: Set<ItemID>] = [:]
    for (uid, sets) in zip(uids, own) {
      for set in sets.sorted() { members[set, default: []].insert(uid) }
    }
    for (merge, sets) in zip(merges, sets) {
      for set in sets.sorted() {
        parts[merge[side].uid, default: []].formUnion(members[set] ?? [])
      }
    }
    return parts
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
