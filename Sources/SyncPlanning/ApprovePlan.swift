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

  fileprivate var isOff: Bool { isLifted || percent >= 100 }

  /// So many of `agreed` items are all there were, and no tidying.
  fileprivate static func isAll(_ count: Int, of agreed: Int) -> Bool {
    count >= agreed && count >= wholeCollection
  }

  /// Whether a side may lose `count` of `agreed` items.
  public func allows(_ count: Int, of agreed: Int) -> Bool {
    if isOff { return true }
    if Self.isAll(count, of: agreed) { return false }
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
  /// What would be deleted.
  public let items: Set<ItemID>
  /// So many items are all that both shared, and none of them is on the other side any more, though
  /// not all that they share by now would be deleted.
  public let emptied: Int?
  /// It is little by itself, and was part of what an earlier run was not to delete.
  public let isHeld: Bool

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
        "`calgw resolve UID --take \(side.rawValue)` brings one back, and"
          + " \(Self.forget) with a sync all of them; the others wait until then."
      case .local:
        "to keep one, move it to another calendar (`calgw move FILE PAIR/COLLECTION`)."
      case .remote: "to have one back, let the pair write to the local side again."
      }
    let held = isHeld ? "an earlier sync was to delete more, and nobody has answered: " : ""
    let before =
      emptied.map { "all \($0) items are gone from the \(side.opposite.rawValue) side: " } ?? ""
    return ItemProblem(
      .massDelete,
      "\(held)\(before)this would delete \(deletions) of \(agreed) items on the"
        + " \(side.rawValue) side",
      hint: "Look at the \(side.opposite.rawValue) side; if it is meant, run again with"
        + " --allow-mass-delete; \(way)")
  }
}

/// What the guard goes by besides the plan.
public struct DeletionRecord: Sendable {
  /// The most items that both sides shared so far in this run.
  public var agreed: Int
  /// Those that they shared when it began: where all of these are gone, the side was emptied,
  /// whatever is new there since.
  public var agreedAtStart: Int
  /// What has come to be shared since.
  public var new: Set<ItemID> = []
  /// What the run has deleted on each side before.
  public var deleted: [Side: Int] = [:]
  /// What a later step of the run is to delete on each side, and this plan leaves out.
  public var later: [Side: Set<ItemID>] = [:]
  /// Of the shared items those that were on a side no more, and on the other one still, when the
  /// run looked, whether they would be deleted there or not: an edit of one does not make an
  /// emptied calendar a tidied one, nor does what the run has brought back or deleted since.
  public var gone: [Side: Set<ItemID>] = [:]
  /// What an earlier run was not to delete: that stands until a person answers.
  public var held: Set<ItemID> = []
  /// What a person said yes to is no accident, and does not count.
  public var meant: Set<ItemID> = []

  /// As a run begins.
  public init(agreed: Int) { (self.agreed, agreedAtStart) = (agreed, agreed) }
}

extension DeletionRecord {
  /// How many items a side has lost, if that is all that was shared when the run began, or is by
  /// now.
  fileprivate func emptied(_ side: Side) -> Int? {
    let lost = gone[side, default: []].subtracting(meant)
    let isAllOfStart =
      agreedAtStart >= DeletionLimit.wholeCollection
      && lost.subtracting(new).count >= agreedAtStart
    if isAllOfStart { return agreedAtStart }
    return DeletionLimit.isAll(lost.count, of: agreed) ? agreed : nil
  }
}

/// Approves a plan, or refuses one that deletes too much.
public func approve(
  _ plan: Plan, limit: DeletionLimit, _ record: DeletionRecord
) throws(PlanRefusal) -> ApprovedPlan {
  for side in Side.allCases {
    let planned = plan.actions.compactMap { action -> ItemID? in
      guard case .delete(side, let old, _, _) = action, !record.meant.contains(old.uid) else {
        return nil
      }
      return old.uid
    }
    let later = record.later[side, default: []].subtracting(record.meant).subtracting(planned)
    let due = later.union(planned)
    if due.isEmpty || limit.isOff { continue }
    let total = planned.count + later.count + record.deleted[side, default: 0]
    let emptied = record.emptied(side.opposite)
    let isAllowed = limit.allows(total, of: record.agreed) && emptied == nil
    guard isAllowed, record.held.isDisjoint(with: due) else {
      throw PlanRefusal(
        side: side, deletions: total, agreed: record.agreed, items: due,
        emptied: total < record.agreed ? emptied : nil, isHeld: isAllowed)
    }
  }
  return ApprovedPlan(plan)
}
