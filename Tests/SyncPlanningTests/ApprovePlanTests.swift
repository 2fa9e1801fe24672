import SyncModel
import SyncPlanning
import Testing

/// The mass-delete guard: more than five and more than max_delete, or all of three or more.
@Suite struct ApprovePlanTests {
  private func plan(deleting count: Int, on side: Side) -> Plan {
    var plan = Plan()
    plan.actions = (0..<count).map { number in
      let version = Build.version("A", uid: "event-\(number)", on: side)
      return .delete(on: side, old: version, gone: version, reason: "deleted")
    }
    return plan
  }

  private func items(_ count: Int) -> Set<ItemID> {
    Set((0..<count).map { ItemID("event-\($0)") })
  }

  @Test(arguments: [
    // deletions, agreed, max_delete, allowed
    (5, 6, 25.0, true),  // five are always allowed …
    (6, 20, 25.0, false),  // … six of twenty are more than a quarter
    (6, 24, 25.0, true),
    (25, 100, 25.0, true),
    (26, 100, 25.0, false),
    (2, 2, 25.0, true),  // all of two is tidying
    (3, 3, 25.0, false),  // all of three is a side that was emptied
    (4, 4, 25.0, false),
    (300, 300, 100.0, true),  // 100 % switches the guard off
    (1, 1000, 0.0, true),
    (6, 1000, 0.0, false),
  ])
  func `deleting of agreed items`(count: Int, agreed: Int, percent: Double, isAllowed: Bool) {
    let limit = DeletionLimit(percent: percent, isLifted: false)
    for side in Side.allCases {
      let approved = try? approve(
        plan(deleting: count, on: side), limit: limit, DeletionRecord(agreed: agreed))
      #expect((approved != nil) == isAllowed)
    }
  }

  @Test func `a person can lift the guard`() throws {
    let limit = DeletionLimit(percent: 25, isLifted: true)
    var record = DeletionRecord(agreed: 50)
    record.held = items(50)
    record.gone = [.local: items(50)]
    let approved = try approve(plan(deleting: 50, on: .remote), limit: limit, record)
    #expect(approved.plan.actions.count == 50)
  }

  @Test func `what is new since the run began fills no side that was emptied`() throws {
    let refused = plan(deleting: 3, on: .remote)
    var record = DeletionRecord(agreed: 3)
    record.gone = [.local: items(3)]
    record.agreed = 10
    let refusal = try #require(throws: PlanRefusal.self) {
      try approve(refused, limit: .standard, record)
    }
    #expect(refusal.emptied == 3)
    #expect(
      refusal.problem(canBringBack: true).message
        == "all 3 items are gone from the local side: this would delete 3 of 10 items on the"
        + " remote side")
    // Three of ten are tidying where the run itself has made one of them.
    record.new = items(1)
    #expect(throws: Never.self) { try approve(refused, limit: .standard, record) }
    (record.new, record.agreedAtStart) = ([], 2)
    #expect(throws: Never.self) { try approve(refused, limit: .standard, record) }
  }

  @Test(arguments: Side.allCases)
  func `what a later step deletes counts before it, once`(side: Side) throws {
    let first = plan(deleting: 5, on: side)
    var record = DeletionRecord(agreed: 20)
    record.later = [side: items(5)]
    #expect(throws: Never.self) { try approve(first, limit: .standard, record) }
    record.later = [side: items(6)]
    let refusal = try #require(throws: PlanRefusal.self) {
      try approve(first, limit: .standard, record)
    }
    #expect(refusal.deletions == 6 && refusal.items == items(6))
    #expect(throws: PlanRefusal.self) { try approve(Plan(), limit: .standard, record) }
    record.meant = items(6)
    #expect(throws: Never.self) { try approve(first, limit: .standard, record) }
    (record.later, record.meant) = ([side.opposite: items(6)], [])
    #expect(throws: PlanRefusal.self) { try approve(first, limit: .standard, record) }
  }

  @Test func `deletions of earlier rounds count, and a plan without one is never refused`() {
    let second = plan(deleting: 3, on: .local)
    var record = DeletionRecord(agreed: 20)
    record.deleted = [.local: 3]
    #expect(throws: PlanRefusal.self) { try approve(second, limit: .standard, record) }
    record.deleted = [.local: 19]
    #expect(throws: Never.self) { try approve(Plan(), limit: .standard, record) }
  }

  /// Of so many agreed items all are gone from a side; some were edited on the other meanwhile, or
  /// cannot be read there.
  @Test(arguments: [(5, 1), (5, 4), (3, 1), (20, 15)])
  func `an emptied side is one, whatever was edited on the other`(agreed: Int, edited: Int) throws {
    for side in Side.allCases {
      var record = DeletionRecord(agreed: agreed)
      record.gone = [side.opposite: items(agreed)]
      let rest = plan(deleting: agreed - edited, on: side)
      let error = try #require(throws: PlanRefusal.self) {
        try approve(rest, limit: .standard, record)
      }
      let other = side.opposite.rawValue
      #expect(
        error.problem(canBringBack: true).message
          == "all \(agreed) items are gone from the \(other) side: this would delete"
          + " \(agreed - edited) of \(agreed) items on the \(side.rawValue) side")
      record.gone[side.opposite]?.remove(ItemID("event-0"))
      if agreed - edited <= 5 {
        #expect(throws: Never.self) { try approve(rest, limit: .standard, record) }
      }
    }
  }

  @Test func `what was too much stays so until a person answers, also when it is less by now`() {
    var record = DeletionRecord(agreed: 20)
    record.held = items(6)
    let rest = plan(deleting: 1, on: .local)
    #expect(throws: PlanRefusal.self) { try approve(rest, limit: .standard, record) }
    record.meant = items(1)
    #expect(throws: Never.self) { try approve(rest, limit: .standard, record) }
  }

  @Test func `the refusal names the count, the side and the way out`() throws {
    do throws(PlanRefusal) {
      _ = try approve(plan(deleting: 41, on: .local), limit: .standard, DeletionRecord(agreed: 43))
      Issue.record("a plan that deletes 41 of 43 was approved")
    } catch {
      let problem = error.problem(canBringBack: true)
      #expect(problem.code == .massDelete)
      #expect(problem.message == "this would delete 41 of 43 items on the local side")
      #expect(problem.hint.contains("--allow-mass-delete"))
      #expect(
        problem.hint.contains(
          "`calgw resolve UID --take local` brings one back, and `calgw forget PAIR/COLLECTION`"))
    }
  }

  @Test func `where nothing may be brought back, the refusal names no command that does`() {
    for side in Side.allCases {
      do throws(PlanRefusal) {
        _ = try approve(plan(deleting: 41, on: side), limit: .standard, DeletionRecord(agreed: 43))
        Issue.record("a plan that deletes 41 of 43 was approved")
      } catch {
        let hint = error.problem(canBringBack: false).hint
        #expect(!hint.contains("resolve") && hint.contains("--allow-mass-delete"))
        #expect(hint.contains("`calgw move FILE PAIR/COLLECTION`") == (side == .local))
      }
    }
  }
}
