public import SyncModel
import SyncPlanning

extension CollectionSync {
  /// Settles a conflict as a person answered who was shown both versions: the answer is about these
  /// alone. Where one changed while the question stood, nothing is done, and that is reported.
  ///
  /// - Parameter shown: what each side had, by canonical digest; a side without the item is not in
  ///   it.
  public func resolve(
    _ uid: ItemID, taking choice: ConflictChoice, ifStill shown: [Side: ContentDigest]
  ) async -> CollectionReport {
    var options = options
    options.shown = [uid: shown]
    return await with(options).resolve(uid, taking: choice)
  }

  /// What became of an item since a person was asked about it; nil where all is as it was, or
  /// nobody was asked.
  func changeSinceShown(_ uid: ItemID, _ items: [DifferingItem]) -> ReportedProblem? {
    guard let shown = options.shown[uid] else { return nil }
    let item = items.first { $0.uid == uid }
    var versions: [Side: ContentDigest] = [:]
    for side in Side.allCases { versions[side] = item?.version(on: side)?.canonical }
    if versions == shown { return nil }
    return ReportedProblem(
      item: ReportedItem(uid: uid, file: nil, href: nil, summary: ""),
      problem: ItemProblem(
        .refused, "it changed while the question stood, so the answer was not carried out",
        hint: "Run the command again: it shows the versions as they are now."))
  }
}

extension SyncRun {
  /// Leaves alone what is not as it was when a person answered. What this run has done of the
  /// answer is no such change.
  mutating func leaveOutChanged(of plan: inout Plan, _ items: [DifferingItem]) {
    for uid in sync.options.shown.keys.sorted() {
      let isBegun = halvesAlone[uid] != nil || report.actions.contains { $0.item.uid == uid }
      guard !isBegun, let problem = sync.changeSinceShown(uid, items) else { continue }
      leftAlone.insert(uid)
      unfinished[uid] = problem
      plan.actions.removeAll { $0.uid == uid }
    }
  }
}
