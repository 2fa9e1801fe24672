import SyncExecution
import SyncModel
import TestSupport

/// Somebody at a terminal, who is asked whether a deletion goes to the other side, too.
extension World {
  /// Asked: what nobody said yes to is still there after the run.
  func checkAnswers() {
    let isFolderAsItWas =
      people.unfinished.isEmpty && !story.hidesFiles
      && !story.acts.contains { $0.kind.rawValue.hasPrefix("folder") }
    for side in Side.allCases {
      if side == .local, !isFolderAsItWas { continue }
      if side == .remote, server.switches.movesUIDs { continue }
      // A calendar that is elsewhere by the end of the run has lost nothing.
      if side == .remote, !server.calendarPaths.contains(World.calendar) { continue }
      let there = texts(on: side)
      for uid in denied[side, default: []].sorted() where there[uid] == nil {
        if oracle.hasDeparted(uid, from: side) { continue }
        violate("Asked", "\(uid) was deleted on the \(side.rawValue) side without a yes")
      }
    }
  }

  private func texts(on side: Side) -> [String: [[UInt8]]] {
    side == .local ? textsHere : textsThere
  }

  /// Takes his time, and mostly says yes.
  func answer(_ item: ReportedItem, _ side: Side) async -> Bool {
    let isYes = await reply(to: side)
    if !isYes, let uid = item.uid?.text, texts(on: side)[uid] != nil {
      denied[side, default: []].insert(uid)
    }
    if isYes, let uid = item.uid?.text { confirmed[side, default: []].insert(uid) }
    return isYes
  }

  private func reply(to side: Side) async -> Bool {
    switch director.reach("question", "question", isEffect: false) {
    case .stop, .carryOutAndStop: return false
    case .carryOut, .strike: break
    }
    if let reply = story.reply { return reply == .yes }
    var random = SeededRandom(
      seed: story.chance &* 31 &+ UInt64(runsSoFar * 2 + (side == .local ? 1 : 0)))
    await executor.pause(Int64(random.below(60_000)))
    switch random.below(10) {
    case 0:
      note("C9.6")
      return false
    case 1:
      note("C9.7")
      await executor.pause(3_600_000)
      director.isInterrupted = true
      return false
    case 2, 3: return false
    default: return true
    }
  }
}
