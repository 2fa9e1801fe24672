import SyncModel
import SyncPlanning

/// What this run could not finish. An item is named once, at the end, with what stood in its way
/// last; whatever finishes it in a later round takes its name off the list (`decide`, `finish`).
///
/// What is left alone is not written again in this run. A plan that wants to write it all the same
/// gives it a name (`leaveOutLeftAlone`), so that nothing is passed over in silence.
extension SyncRun {
  /// Finds out by a listing what became of writes of which nobody knew.
  mutating func followWrites() async throws(SyncFailure) {
    try await goOnFromUngiven()
    try await dropUnlisted()
    try await followMisplaced()
    try await markUngiven()
  }

  /// Names an item, with what an action wants of it.
  mutating func leave(_ action: Action, _ message: String, hint: String) {
    unfinished[action.uid] = ReportedProblem(
      item: sync.item(of: action), problem: ItemProblem(.refused, message, hint: hint))
  }

  /// Names an item, and does not write it again in this run.
  mutating func leaveAlone(_ action: Action, _ message: String, hint: String) {
    leftAlone.insert(action.uid)
    leave(action, message, hint: hint)
  }

  /// What could not even be tried is not passed over in silence.
  mutating func leaveUnsure(_ action: Action) {
    leave(
      action, "calgw could not make sure of the other side, and left it alone",
      hint: "Run the sync again.")
  }

  /// Leaves such items alone, and names them.
  mutating func leaveAlone(_ unclear: [OpenIntent]) {
    for open in unclear {
      let intent = open.intent
      leftAlone.insert(intent.uid)
      ungiven.places[intent.side, default: [:]][intent.href] = intent.uid
      if unfinished[intent.uid] != nil { continue }
      let (own, other) = (intent.href, intent.source?.href)
      unfinished[intent.uid] = ReportedProblem(
        item: ReportedItem(
          uid: intent.uid, file: intent.side == .local ? own : other,
          href: intent.side == .local ? other : own, summary: intent.source?.summary ?? ""),
        problem: .unclear(on: intent.side))
    }
  }

  /// Takes out of a plan what this run does not write again, and names it.
  mutating func leaveOutLeftAlone(of plan: inout Plan) {
    if leftAlone.isEmpty { return }
    for action in plan.actions
    where leftAlone.contains(action.uid) && unfinished[action.uid] == nil {
      guard let side = action.targets.first else { continue }
      let unclear = ItemProblem.unclear(on: side)
      leave(action, unclear.message, hint: unclear.hint)
    }
    plan.actions.removeAll { !$0.targets.isEmpty && leftAlone.contains($0.uid) }
  }
}

extension ItemProblem {
  /// What a write of ours led to on the side cannot be told by what is seen there.
  static func unclear(on side: Side) -> ItemProblem {
    ItemProblem(
      .refused, "what the \(side.rawValue) side has of it is not clear, so it is left alone",
      hint: "Run the sync again; if it stays, look at it there.")
  }
}
