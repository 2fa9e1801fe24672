import SyncModel
import SyncPlanning

extension SyncRun {
  /// Leaves out the deletions to which a person said no, or to which nobody could say yes: they
  /// wait, are reported, and are asked about again by the next run.
  mutating func askBeforeDeleting(_ plan: Plan) async throws(SyncFailure) -> Plan {
    guard let confirm = sync.options.confirmDeletion else { return plan }
    var asked = plan
    asked.actions = []
    for action in plan.actions {
      guard case .delete(let side, _, let gone, _) = action else {
        asked.actions.append(action)
        continue
      }
      let item = sync.item(of: action)
      let answer: Bool
      if let given = answers[action.uid] {
        answer = given
      } else {
        try sync.checkStop()
        // Where it was is how a person knows one of two with the same title.
        var known = item
        if side == .remote { known.file = gone.href } else { known.href = gone.href }
        answer = await confirm(known, side)
        // Whoever ended the run has answered nothing.
        try sync.checkStop()
        answers[action.uid] = answer
      }
      if answer {
        asked.actions.append(action)
      } else {
        report.problems.append(ReportedProblem(item: item, problem: .awaitsDeletion(on: side)))
      }
    }
    return asked
  }

  /// The items to whose deletion a person said yes: the guard against mass deletions is for those
  /// that nobody saw.
  var meantDeletions: Set<ItemID> { Set(answers.keys.filter { answers[$0] == true }) }

  /// For that guard.
  mutating func countDeletion(of write: PreparedWrite) {
    if answers[write.intent.uid] == true { return }
    deleted[write.intent.side, default: 0] += 1
  }
}

extension ItemProblem {
  /// What nobody has said yes to yet, or can say it.
  static func awaitsDeletion(on side: Side) -> ItemProblem {
    ItemProblem(
      .massDelete,
      "it is gone from the \(side.opposite.rawValue) side, and nobody said yet that it goes"
        + " from the \(side.rawValue) side, too",
      hint: "Run the sync on a terminal and answer, or with --allow-mass-delete;"
        + " `calgw resolve UID --take \(side.opposite.rawValue)` deletes this one alone, and"
        + " `calgw resolve UID --take \(side.rawValue)` brings it back.")
  }
}
