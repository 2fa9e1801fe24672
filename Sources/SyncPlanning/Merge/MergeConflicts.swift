public import SyncModel

extension Conflict {
  /// The texts that merging it needs.
  public var texts: [ContentDigest] {
    [local, remote, base?.local, base?.remote].compactMap { $0?.version.digest }
  }
}

extension MergeObstacle {
  /// The reason of a conflict for which nothing else stands in the way; nil where it has none of
  /// its own.
  var reason: Conflict.Reason? {
    switch self {
    case .schedule: .schedule(occurrence: nil)
    case .occurrence(let words): .schedule(occurrence: words)
    case .kind: .kind
    case .tooLarge, .unmergeable: nil
    }
  }
}

/// Takes out of a plan the conflicts that need no person: what can be merged becomes an action.
///
/// `texts` are those of the conflicts, by digest; without one of a base the item is merged as if
/// the sides had never agreed, and without one of a side it waits, unless a policy settles it.
public func mergeConflicts(
  _ plan: Plan, texts: [ContentDigest: ItemData], zones: ItemZones, rules: ReconcileRules
) -> Plan {
  var merged = plan
  merged.conflicts = []
  for conflict in plan.conflicts {
    let settling = SettleConflict(conflict, texts, zones, rules)
    switch settling?.settlement ?? conflict.settlementUnseen(rules) {
    case .nothing: break
    case .act(let action): merged.actions.append(action)
    case .problem(let trouble): merged.problems.append(trouble)
    case .conflict(let reason, let canMerge):
      var waiting = conflict
      waiting.reason = reason
      waiting.canMerge = canMerge
      merged.conflicts.append(waiting)
    }
  }
  if merged.actions.count > plan.actions.count { merged.actions.sort { $0.uid < $1.uid } }
  return merged
}
