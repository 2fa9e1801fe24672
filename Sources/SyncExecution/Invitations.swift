import ICalendar
import SyncModel
import SyncPlanning

extension SyncRun {
  /// Leaves out new items with attendees that no person made here since the sides were in step,
  /// as of a first sync, a lost journal or a second server: the server may send invitations for all
  /// of them, so a person is asked, once a collection. Those to which he said no wait, and are
  /// named, in this run and in all later ones until he says otherwise.
  mutating func askBeforeInviting(_ plan: Plan) async throws(SyncFailure) -> Plan {
    let options = sync.options
    guard options.confirmInvitations != nil || !options.heldInvitations.isEmpty else {
      return plan
    }
    let fresh = try await invitingCreations(plan)
    if fresh.isEmpty { return plan }
    try sync.checkStop()
    let held: Set<ItemID>
    if let confirm = options.confirmInvitations {
      let answer: Bool
      if let given = mayInvite { answer = given } else { answer = await confirm(fresh.count) }
      try sync.checkStop()
      mayInvite = answer
      held = answer ? [] : fresh
    } else {
      held = fresh.intersection(options.heldInvitations)
    }
    report.heldInvitations = held
    var asked = plan
    asked.actions.removeAll { action in
      if case .create = action { held.contains(action.uid) } else { false }
    }
    for action in plan.actions where held.contains(action.uid) {
      report.problems.append(
        ReportedProblem(
          item: sync.item(of: action),
          problem: ItemProblem(
            .refused,
            "it has attendees and is new to the server, which may invite them; nobody said yes to"
              + " that",
            hint: "Run the sync on a terminal and answer, or set invitations = \"server\" or"
              + " \"never\".")))
    }
    return asked
  }

  private func invitingCreations(_ plan: Plan) async throws(SyncFailure) -> Set<ItemID> {
    let new = plan.actions.compactMap { action -> ItemVersion? in
      guard case .create(let side, let source, _) = action,
        sync.storage(side).traits.mayNotify,
        agreedAtStart == 0 || sync.storage(side.opposite).traits.mayNotify
          || sync.options.heldInvitations.contains(source.uid)
      else { return nil }
      return source
    }
    var inviting: Set<ItemID> = []
    for group in try await sync.groups(
      new, of: Self.textsAtATime, texts: { [$0.version.digest] })
    {
      let texts = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.contents(group.map(\.version.digest))
      }
      for item in group {
        // One whose text was lost may be one.
        let text = texts[item.version.digest]
        if text.map({ SchedulingAgent.isScheduled($0.bytes) }) ?? true {
          inviting.insert(item.uid)
        }
      }
    }
    return inviting
  }

  private static let textsAtATime = 200

  /// Counts items with attendees for which the side may have sent mail because of a write.
  mutating func noteMail(
    _ writes: [PreparedWrite], _ outcomes: [WriteOutcome], on side: Side
  ) {
    guard sync.storage(side).traits.mayNotify else { return }
    for (write, outcome) in zip(writes, outcomes) where write.isScheduled {
      switch outcome.result {
      case .stored, .removed, .unknown: notified.insert(write.intent.uid)
      case .changedMeanwhile, .refused, .failed: continue
      }
    }
    report.invitations = notified.count
  }
}

extension PreparedWrite {
  /// What it writes or removes has an organizer and attendees.
  fileprivate var isScheduled: Bool {
    (write.data ?? removed).map { SchedulingAgent.isScheduled($0.bytes) } ?? false
  }
}
