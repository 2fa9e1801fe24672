import SyncExecution
import SyncModel
import TestSupport

/// What a run may take away, however it ends. No fault and no kill takes an item away by itself, so
/// what is gone after a run in which nobody edited is calgw's doing.
extension World {
  func checkDeletions(
    _ before: Picture, _ after: Picture, _ disturbance: Disturbance, isLifted: Bool
  ) {
    for side in Side.allCases {
      let missing = before.missing(in: after, on: side)
      if missing.isEmpty { continue }
      if !isLifted { checkGuard(missing, before, disturbance, on: side) }
      if isJournalNew { checkStrangers(missing, before, disturbance, on: side) }
    }
  }

  /// EmptyGuard.
  private func checkGuard(
    _ missing: [Picture.Named], _ before: Picture, _ disturbance: Disturbance, on side: Side
  ) {
    // A server that moves items by UID takes them away itself.
    if side == .remote, server.switches.movesUIDs { return }
    // What a killed run had done is agreed on before anything is deleted.
    let agreed = before.known.count
    // What was agreed on in the run itself, and went as well, is not among those; where an answer
    // was untrue, or the end of the run did not come, it may be back with the next one.
    let counted = disturbance.isEmpty ? missing : missing.filter { before.knows($0, on: side) }
    // What somebody said yes to, one by one, is no accident.
    let unasked = counted.count - confirmed[side, default: []].count
    let isMuch = unasked > 5 && Double(unasked) > 0.25 * Double(agreed)
    let isAll = unasked >= 3 && unasked >= agreed
    if isMuch || isAll {
      violate(
        "EmptyGuard", "\(counted.count) of \(agreed) were deleted on the \(side.rawValue) side")
    }
  }

  /// JournalLost: what the journal knows nothing of when a run begins is not deleted by that run.
  /// What an earlier run had agreed on again, before it was killed, may be: a person may have
  /// deleted it since.
  private func checkStrangers(
    _ missing: [Picture.Named], _ before: Picture, _ disturbance: Disturbance, on side: Side
  ) {
    // A server that moves items by UID takes one away that it did not show yet, or that nobody
    // could read.
    let isServersDoing = side == .remote && server.switches.movesUIDs
    if isServersDoing, server.switches.lag > 0 || story.breaksOnServer { return }
    // What was stored a moment before and does not show yet, or is said to be gone, leaves the
    // folder, and comes back (docs/reliability.md): in the same run, where it is not cut short.
    let isFirst = disturbance.isEmpty && before.known.isEmpty
    if !isFirst, mayHearWhatIsNotSo { return }
    for item in missing where !before.knows(item, on: side) {
      // Where nothing tells which item it was, it may be one that the journal knows.
      if item.uid == nil, !before.known.isEmpty { continue }
      // That is a person's word.
      if let uid = errand.uid?.text, item.uid == uid { continue }
      violate(
        "JournalLost",
        "'\(item.name)' was deleted on the \(side.rawValue) side, and the journal had not known it")
    }
  }

  /// A listing may leave out what is there, and a look not find it.
  private var mayHearWhatIsNotSo: Bool {
    server.switches.isLate || server.switches.hidesChanges
      || ["C4.19", "C5.13", "C5.14", "C5.17"].contains { story.strikes($0) }
  }

  /// A run has looked at all there is, and agreed on what is the same: what the journal does not
  /// know after it is new, or was named.
  func noteJournal(after report: CollectionReport) {
    let isLeftAlone = report.problems.contains {
      $0.item.uid == nil && $0.problem.code == .massDelete
    }
    if report.failure == nil, errand.uid == nil, !isLeftAlone { isJournalNew = false }
  }
}
