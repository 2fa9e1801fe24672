public import SyncModel

/// How much a run may delete in one collection.
public struct DeletionLimit: Sendable, Hashable {
  /// Of the items that both sides last agreed on, in percent; 100 switches the guard off.
  public var percent: Double
  /// The person said that it is meant.
  public var isLifted: Bool

  /// The default of `max_delete`.
  public static let standard = DeletionLimit(percent: 25, isLifted: false)

  public init(percent: Double, isLifted: Bool) {
    self.percent = percent
    self.isLifted = isLifted
  }

  /// So few are always allowed: a person who tidies up deletes a handful at once.
  static let alwaysAllowed = 5
  /// All of so many is a side that was emptied, and no tidying.
  static let wholeCollection = 3

  /// Whether a side may lose `count` of `agreed` items.
  public func allows(_ count: Int, of agreed: Int) -> Bool {
    if isLifted || percent >= 100 { return true }
    if count >= agreed && count >= Self.wholeCollection { return false }
    return count <= Self.alwaysAllowed || Double(count) <= percent / 100 * Double(agreed)
  }
}

/// A plan that may be carried out. Only `approve` makes one.
public struct ApprovedPlan: Sendable, Hashable {
  public let plan: Plan

  fileprivate init(_ plan: Plan) { self.plan = plan }
}

/// A plan deletes more than it may: the collection is left alone whole.
public struct PlanRefusal: Error, Sendable, Hashable {
  /// The side that would lose items.
  public let side: Side
  public let deletions: Int
  public let agreed: Int

  /// How the hint names the command by which all that is gone comes back; who knows the collection
  /// puts its name there.
  public static let forget = "`calgw forget PAIR/COLLECTION`"

  /// The refusal as reports show it.
  ///
  /// - Parameter canBringBack: The side from which they are gone may be written to.
  public func problem(canBringBack: Bool) -> ItemProblem {
    let way =
      switch side {
      case _ where canBringBack:
        "`calgw resolve UID --take \(side.rawValue)` brings one back, after which the"
          + " rest is counted anew, and \(Self.forget) with a sync all of them."
      case .local:
        "to keep one, move it to another calendar (`calgw move FILE PAIR/COLLECTION`)."
      case .remote: "to have one back, let the pair write to the local side again."
      }
    return ItemProblem(
      .massDelete,
      "this would delete \(deletions) of \(agreed) items on the \(side.rawValue) side",
      hint: "Look at the \(side.opposite.rawValue) side; if it is meant, run again with"
        + " --allow-mass-delete; \(way)")
  }
}

/// Approves a plan, or refuses one that deletes too much. `agreed` is the number of items that both
/// sides shared when the run began, `deleted` what the run has deleted on each side before. What a
/// person said yes to, `meant`, is no accident and does not count.
public func approve(
  _ plan: Plan, limit: DeletionLimit, agreed: Int, deleted: [Side: Int] = [:],
  meant: Set<ItemID> = []
) throws(PlanRefusal) -> ApprovedPlan {
  for side in Side.allCases {
    let planned = plan.actions.count {
      if case .delete(side, let old, _, _) = $0 { !meant.contains(old.uid) } else { false }
    }
    let total = planned + deleted[side, default: 0]
    guard planned == 0 || limit.allows(total, of: agreed) else {
      throw PlanRefusal(side: side, deletions: total, agreed: agreed)
    }
  }
  return ApprovedPlan(plan)
}
