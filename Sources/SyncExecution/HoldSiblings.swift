import SyncModel
import SyncPlanning

/// A split makes two items of a series: the one that ends earlier now, and a new one with the rest
/// (docs/spans.md). Alone, the first takes the later occurrences from the other side, and the
/// second doubles them there. So where one of them cannot go its way, the other waits, as long as
/// one of the two is new; later each goes for itself.
extension SyncRun {
  /// Leaves out the parts of series of which another part was left out of a plan, or is no part of
  /// it: in conflict, refused, or held since nobody said yes to it.
  ///
  /// - Parameter whole: what would be done if nothing was held.
  mutating func holdSiblings(
    of whole: Plan, in plan: Plan, _ items: [DifferingItem]
  ) async throws(SyncFailure) -> Plan {
    var due = whole
    // What comes from another collection in this run, or goes to one, is not stuck.
    let moving = Set((report.arriving + report.edited).compactMap(\.uid))
    due.actions.removeAll { moving.contains($0.uid) }
    var stuck = Self.blocked(in: plan, of: due, items)
    if stuck.isEmpty { return plan }
    let movable = Self.movable(plan.actions)
    let new = Set(items.filter(\.isNew).map(\.uid))
    var waiting: [ItemID: String] = [:]
    while !stuck.isEmpty {
      let blocked = stuck
      let parts = items.filter { blocked[$0.uid] != nil }
      stuck = [:]
      for (part, siblings) in zip(parts, try await sync.siblings(of: parts.map(\.digests))) {
        for uid in siblings.sorted() where waiting[uid] == nil {
          guard new.contains(uid) || new.contains(part.uid), let sides = movable[uid],
            let blocked = blocked[part.uid], !blocked.isDisjoint(with: sides)
          else { continue }
          waiting[uid] = part.anyVersion?.summary ?? ""
          stuck[uid] = sides
        }
      }
    }
    leaveSiblings(waiting, among: plan.actions)
    var held = plan
    held.actions.removeAll { waiting[$0.uid] != nil }
    return held
  }

  /// Leaves out the parts of series of which a new part was to be written before, in this round,
  /// to a side where they are to go, and was not.
  mutating func holdSiblings(ofUnwritten actions: [Action]) async throws(SyncFailure)
    -> [Action]
  {
    if unwritten.isEmpty || actions.isEmpty { return actions }
    let movable = Self.movable(actions)
    let parts = unwritten.values.sorted { $0.item.uid < $1.item.uid }
    var waiting: [ItemID: String] = [:]
    let named = try await sync.siblings(of: parts.map { [$0.item.version.digest] })
    for (part, siblings) in zip(parts, named) {
      for uid in siblings.sorted() where movable[uid]?.contains(part.side) == true {
        waiting[uid] = part.item.summary
      }
    }
    leaveSiblings(waiting, among: actions)
    return actions.filter { waiting[$0.uid] == nil }
  }

  /// New items are unwritten until their write has succeeded.
  mutating func noteUnwritten(_ actions: [Action], on side: Side) {
    for case .create(_, let source, _) in actions where deletedPlaces[side]?[source.uid] == nil {
      unwritten[source.uid] = (source, side)
    }
  }

  /// What a person named, with the new parts of these series: he means both.
  func withNewSiblings(
    _ only: Set<ItemID>?, _ items: [DifferingItem]
  ) async throws(SyncFailure) -> Set<ItemID>? {
    guard let only, !sync.options.isContinued else { return only }
    let parts = items.filter { only.contains($0.uid) }
    let named = try await sync.siblings(of: parts.map(\.digests)).reduce(into: Set()) {
      $0.formUnion($1)
    }
    return only.union(items.filter { $0.isNew && named.contains($0.uid) }.map(\.uid))
  }

  // MARK: What is joined, and what is stuck

  /// The items with which something is not done, and the sides to which they do not go.
  private static func blocked(
    in plan: Plan, of whole: Plan, _ items: [DifferingItem]
  ) -> [ItemID: Set<Side>] {
    var blocked: [ItemID: Set<Side>] = [:]
    for conflict in plan.conflicts { blocked[conflict.uid] = [.local, .remote] }
    for problem in plan.problems {
      if let uid = problem.uid { blocked[uid, default: []].insert(problem.side.opposite) }
    }
    // Where one change of it cannot go its way, neither does what the other side changed of it.
    let going = Set(plan.actions.map(\.uid))
    for item in items where blocked[item.uid] != nil && !going.contains(item.uid) {
      guard case .agreed(_, .modified, .modified) = item.state else { continue }
      blocked[item.uid] = [.local, .remote]
    }
    if whole.actions.count > plan.actions.count {
      for action in whole.actions where !going.contains(action.uid) {
        blocked[action.uid, default: []].formUnion(action.targets)
      }
    }
    return blocked
  }

  /// Items that may be the half of a split, and where they are to go: what is deleted takes nothing
  /// with it.
  private static func movable(_ actions: [Action]) -> [ItemID: Set<Side>] {
    var movable: [ItemID: Set<Side>] = [:]
    for action in actions {
      switch action {
      case .create, .replace, .merge: movable[action.uid] = Set(action.targets)
      case .delete, .record, .forget: continue
      }
    }
    return movable
  }

  private mutating func leaveSiblings(_ waiting: [ItemID: String], among actions: [Action]) {
    for action in actions {
      guard let other = waiting[action.uid] else { continue }
      leave(
        action, "it waits for the other part of its series, '\(other)', which cannot be synced",
        hint: "Settle that one, which is named, too; then both are synced.")
    }
  }
}

extension DifferingItem {
  /// One side has it, and the other never had.
  fileprivate var isNew: Bool {
    if case .unmet(let local, let remote) = state { local == nil || remote == nil } else { false }
  }

  fileprivate var digests: [ContentDigest] {
    Side.allCases.compactMap { version(on: $0)?.version.digest }
  }
}
