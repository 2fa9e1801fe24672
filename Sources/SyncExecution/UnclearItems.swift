import SyncModel
import SyncPlanning

/// New items of which nobody knows whether a side has them, since what is there cannot be read.
/// Sent again, under a name that nobody could tell from the first, they would be there twice.
extension SyncRun {
  /// Leaves such items alone in this run, and names them.
  mutating func note(unclear found: [OpenIntent]) {
    unclear = found
    for open in found {
      let intent = open.intent
      unknown.insert(intent.uid)
      let (own, other) = (intent.href, intent.source?.href)
      unfinished[intent.uid] = ReportedProblem(
        item: ReportedItem(
          uid: intent.uid, file: intent.side == .local ? own : other,
          href: intent.side == .local ? other : own, summary: intent.source?.summary ?? ""),
        problem: Self.unclearProblem(intent.side))
    }
  }

  /// What a listing does not name never arrived, and is sent anew.
  mutating func dropUnlisted() async throws(SyncFailure) {
    if unclear.isEmpty { return }
    var outcomes: [ClosedIntent] = []
    for side in Side.allCases {
      let mine = unclear.filter { $0.intent.side == side }
      let known = try await recorded { [sync] () throws(JournalError) in
        mine.isEmpty ? [] : try await sync.journal.known(side, hrefs: mine.map(\.intent.href))
      }
      let there = Set(known.filter { !$0.isGone }.map(\.href))
      for open in mine where !there.contains(open.intent.href) {
        unknown.remove(open.intent.uid)
        unfinished[open.intent.uid] = nil
        outcomes.append(ClosedIntent(id: open.id, outcome: .nothingWritten))
      }
    }
    unclear = []
    let closed = outcomes
    if closed.isEmpty { return }
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.close(closed, contents: [])
    }
  }

  /// Names what a plan wants to write, and this run does not write again.
  mutating func nameUnknown(in plan: Plan) {
    for action in plan.actions where unknown.contains(action.uid) && unfinished[action.uid] == nil {
      guard let side = action.targets.first else { continue }
      unfinished[action.uid] = ReportedProblem(
        item: sync.item(of: action), problem: Self.unclearProblem(side))
    }
  }

  private static func unclearProblem(_ side: Side) -> ItemProblem {
    ItemProblem(
      .refused, "what the \(side.rawValue) side has of it cannot be read, so it is left alone",
      hint: "Run the sync again; if it stays, look at it there.")
  }
}
