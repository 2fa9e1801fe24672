public import SyncModel
import SyncPlanning

extension SyncRun {
  /// Leaves out the deletions to which a person said no, or to which nobody could say yes: they
  /// wait, are reported, and are asked about again by the next run.
  mutating func askBeforeDeleting(
    _ plan: Plan, _ items: [DifferingItem]
  ) async throws(SyncFailure) -> Plan {
    guard let confirm = sync.options.confirmDeletion else { return plan }
    let ofThisRun = sync.deletedByThisRun(items)
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
        let policy = ofThisRun.contains(action.uid) ? sync.options.policy : nil
        report.problems.append(
          ReportedProblem(item: item, problem: .awaitsDeletion(on: side, onlyBy: policy)))
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

extension CollectionSync {
  /// Items that are gone from one side and edited on the other, where the pair's own policy has the
  /// edit survive.
  fileprivate func deletedByThisRun(_ items: [DifferingItem]) -> Set<ItemID> {
    guard let own = options.pairPolicy, own != options.policy else { return [] }
    return Set(items.filter(\.isGoneAndEdited).map(\.uid))
  }
}

extension DifferingItem {
  fileprivate var isGoneAndEdited: Bool {
    switch state {
    case .agreed(_, .deleted, .modified), .agreed(_, .modified, .deleted): true
    case .agreed, .unmet: false
    }
  }
}

extension ItemProblem {
  /// What nobody has said yes to yet, or can say it.
  ///
  /// - Parameter policy: this run's, where only that deletes it: `resolve` goes by the pair's own.
  static func awaitsDeletion(on side: Side, onlyBy policy: ConflictPolicy? = nil) -> ItemProblem {
    let (gone, kept) = (side.opposite.rawValue, side.rawValue)
    let yes =
      if let policy {
        "Run the sync with --conflict \(policy.rawValue) on a terminal and answer, or with"
          + " --allow-mass-delete, too;"
      } else {
        "Run the sync on a terminal and answer, or with --allow-mass-delete;"
          + " `calgw resolve UID --take \(gone)` deletes this one alone, and"
      }
    return ItemProblem(
      .massDelete,
      "it is gone from the \(gone) side, and nobody said yet that it goes from the \(kept) side,"
        + " too",
      hint: "\(yes) `calgw resolve UID --take \(kept)` brings it back.")
  }

  /// The mend of such a problem without what brings the item back, and without a full stop; nil for
  /// any other problem.
  public var yesToDeletion: String? {
    let ends = [", and `calgw resolve UID", "; `calgw resolve UID"]
    guard code == .massDelete, hint.hasSuffix("brings it back."),
      let end = ends.lazy.compactMap({ hint.firstRange(of: $0) }).first
    else { return nil }
    return String(hint[..<end.lowerBound])
  }
}
