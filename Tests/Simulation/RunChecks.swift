import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport

extension World {
  /// What must hold after every run, however it ended.
  ///
  /// - Parameter isLifted: it was told to delete whatever is to go.
  func check(
    _ report: CollectionReport?, since before: Picture, _ disturbance: Disturbance,
    isLifted: Bool = false
  ) {
    checkNothingIsLost("after the run")
    noteForgotten(since: before.agreements)
    checkAgreementsWereThere(since: before.agreements)
    checkOpenIsTold(report, since: before)
    // Where others acted meanwhile, the pictures show their doing too.
    if disturbance.contains(.people) { return }
    // A power cut takes back what was done, and what people did before.
    let after = Picture(self, folder: folderAtDeath)
    checkDeletions(before, after, disturbance, isLifted: isLifted)
    guard let report else { return }
    noteJournal(after: report)
    if disturbance.isSubset(of: .disk) { checkUnguardedIsTold(report) }
    let local = Picture.counts(before.local, after.local)
    let remote = Picture.counts(before.remote, after.remote)
    if disturbance.isEmpty {
      checkCounts(report, local, remote)
    } else if disturbance.isSubset(of: .looks) {
      checkNoMoreIsTold(report, local, remote)
    }
  }

  /// Of a write whose answer was lost, or which a look could not prove, nobody knows that nothing
  /// guarded it.
  private func checkUnguardedIsTold(_ report: CollectionReport) {
    let isTold = report.problems.contains { $0.problem.code == .unguarded }
    if wire.unguarded > 0, !isTold, report.failure == nil {
      violate("NoValidator", "an unguarded write is not told of")
    }
  }

  /// IntentThenFact: a run that leaves a write open of which nobody knows what became says so. What
  /// a late server has said yes to shows later, what one stored elsewhere, or somebody moved in
  /// that moment, is found by its listing, and the next run looks. Of other items than a person
  /// named none is told.
  private func checkOpenIsTold(
    _ report: CollectionReport?, since before: Picture
  ) {
    guard let report, report.failure == nil, !report.needsAttention, errand.uid == nil,
      !server.switches.isLate, !server.switches.choosesNames,
      !story.acts.contains(where: { $0.kind == .remoteMove })
    else { return }
    // What was begun, and seen to be the same on both sides after that, and recorded so, is no open
    // question.
    let agreements = journal.state.agreements
    let open = journal.state.intents.values.filter { intent in
      let agreement = agreements[intent.uid]
      let isChanged = agreement != before.agreements[intent.uid]
      return !isBrokenUnderOldTag(intent)
        && !(isChanged && (before.open.contains(intent.uid) || intent.isDone(in: agreement)))
    }
    if open.isEmpty { return }
    // Both sides are the same again, whatever became of the write. Nor is it a question to a person
    // what became of it where somebody has deleted the item there since, which holds, and the run
    // deletes nothing here.
    let (here, there) = (textsHere, textsThere)
    let isOpen = open.contains { intent in
      let uid = intent.uid.text
      let isNowhere = here[uid] == nil && there[uid] == nil
      let isDeleted =
        story.direction == .push && story.policy == .remote && intent.side == .remote
        && there[uid] == nil && oracle.hasDeparted(uid, from: .remote)
      return !isNowhere && !isDeleted && agreement(on: intent.uid, here, there) == nil
    }
    if isOpen { violate("IntentThenFact", "intents stay open, and the run told of nothing") }
  }

  /// What a dry run said, the run did: no less, and where it could know no more.
  func checkForecast(
    _ said: CollectionReport, _ report: CollectionReport, of errand: Errand
  ) {
    // What a server puts elsewhere and does not say so is found by its UID, and counted by nobody.
    if server.switches.choosesNames { return }
    // Nor is what was made anew under the tag of a former one seen before the look at it that a
    // write begins with, and a dry run writes nothing.
    if server.switches.tagIsCounter, story.deletesOnServer { return }
    // Nor what the answer to another request has hidden, or a calendar that passes for another,
    // until a write finds that out.
    let isOtherCalendar = hasUnknownCalendar || wire.newCalendar.isFoundByWriting
    if story.strikes("C4.19") || isOtherCalendar { return }
    // Nor is what a damaged journal lost read from the draft that a killed run left.
    if story.isDisturbed, story.acts.contains(where: { $0.kind == .journalBlank }) { return }
    let isTooMuch =
      said.pulled.total > report.pulled.total || said.pushed.total > report.pushed.total
    let isTooLittle =
      said.pulled.total < report.pulled.total || said.pushed.total < report.pushed.total
      || said.merged < report.merged
    if isTooMuch || isTooLittle && said.problems.isEmpty && isForeseeable(errand) {
      violate("DryRun", "it said \(said.text), and done was \(report.text)")
    }
  }

  /// A dry run plans one round. A second one finds more to do where a server shows what it was sent
  /// in a form of its own, or as somebody else's; where a journal or a folder came back that knows
  /// otherwise; and in a run of one direction, where an item may be at the place of one whose
  /// deletion goes in the other. Left out is also what has to be in the folder first: a version
  /// that a person brings back, and a second item.
  private func isForeseeable(_ errand: Errand) -> Bool {
    switch errand {
    case .restore, .resolve(_, .both): false
    case .sync, .resolve(_, .local), .resolve(_, .remote), .resolve(_, .merged):
      showsWhatWasDone && story.direction == .both
    }
  }

  /// What a run does shows on both sides just so, and once.
  var showsWhatWasDone: Bool {
    server.switches.isFaithful && story.memoryLosses == 0
      // An answer of another request makes calgw believe in what is nowhere.
      && !story.strikes("C4.19")
      && !hasUnknownCalendar
  }

  /// Honest: what is told was done, and what was done is told.
  private func checkCounts(
    _ report: CollectionReport, _ local: WriteCounts, _ remote: WriteCounts
  ) {
    guard report.failure == nil, report.problems.isEmpty else { return }
    var (pulled, pushed) = (report.pulled, report.pushed)
    // A merge writes to one side or to both.
    pulled.updated += report.merged
    pushed.updated += report.merged
    // What does not show yet was deleted here, and has come back by the end of the run; so has what
    // was made anew there, and the answer to another request hid.
    let isBack =
      (server.switches.isLate || story.strikes("C4.19")) && pulled.created > 0
      && pulled.deleted > 0
    if !isBack, !pulled.tells(local) {
      violate("Honest", "pulled \(report.pulled.text), and the folder shows \(local.text)")
    }
    // Such a server moves what it is given, or creates what was to be replaced.
    let switches = server.switches
    if switches.movesUIDs || switches.choosesNames || switches.splitsOverrides { return }
    // One that is late has done by the end what it seemed to have dropped.
    if switches.ignoresIfMatch || switches.writeLag > 0 { return }
    if !pushed.tells(remote) {
      violate("Honest", "pushed \(report.pushed.text), and the server shows \(remote.text)")
    }
    checkNothingElseIsTold(report, local, remote)
  }

  /// Honest, in the other direction: what is told shows. Not where the server makes its own of what
  /// it is sent: a write of what it drops again changes nothing there. Nor after a lost memory,
  /// when an item may go and come back in one run; nor where a deletion itself tells that the
  /// calendar is another one. And a second item that a killed run had made already counts as made.
  private func checkNothingElseIsTold(
    _ report: CollectionReport, _ local: WriteCounts, _ remote: WriteCounts
  ) {
    if case .resolve(_, .both) = errand { return }
    guard showsWhatWasDone, !wire.newCalendar.isFoundByWriting else { return }
    for (side, told, seen) in [("here", report.pulled, local), ("there", report.pushed, remote)] {
      // A merge may have updated more.
      let isSeen =
        told.created == seen.created && told.deleted == seen.deleted
        && told.updated <= seen.updated
      if !isSeen { violate("Honest", "told is \(told.text) \(side), and seen \(seen.text)") }
    }
    let byMerges =
      local.updated - report.pulled.updated + remote.updated - report.pushed.updated
    // What a person brings back is written into the file, and may then be merged there with what
    // the other side has.
    let twice = if case .restore = errand { 1 } else { 0 }
    if byMerges + twice < report.merged {
      violate("Honest", "\(report.merged) were merged, and \(byMerges) texts are new by that")
    }
  }

  /// Honest, where looks were refused: what was done in spite of that may be found and not counted,
  /// but nothing counts that was not done. Not of a person's word, which is written first.
  private func checkNoMoreIsTold(
    _ report: CollectionReport, _ local: WriteCounts, _ remote: WriteCounts
  ) {
    guard report.failure == nil, report.problems.isEmpty, errand.uid == nil, showsWhatWasDone,
      !wire.newCalendar.isFoundByWriting
    else { return }
    for (side, told, seen) in [("here", report.pulled, local), ("there", report.pushed, remote)]
    where !seen.tells(told) {
      violate("Honest", "told is \(told.text) \(side), and seen no more than \(seen.text)")
    }
  }
}

extension CollectionReport {
  /// What a person is told.
  var inWords: [String] {
    [text] + conflicts.map { "conflict \($0.item.uid?.text ?? "?"): \($0.reason)" }
      + problems.map { "\($0.problem.code.rawValue): \($0.problem.message)" }
      + (failure.map { ["failure: \($0)"] } ?? [])
  }

  fileprivate var text: String {
    "\(pulled.text) here and \(pushed.text) there, \(merged) merged"
  }
}

extension WriteCounts {
  /// All of the others are among these: what was done is told. What somebody else was quicker with,
  /// in the very same way, counts as done.
  func tells(_ seen: WriteCounts) -> Bool {
    created >= seen.created && updated >= seen.updated && deleted >= seen.deleted
  }

  var text: String { "\(created) created, \(updated) updated, \(deleted) deleted" }
}

extension Intent {
  /// What it was to write there is what both sides share.
  fileprivate func isDone(in agreement: Agreement?) -> Bool {
    switch effect {
    case .create(_, let text), .replace(_, _, let text): agreement?[side].version.digest == text
    case .delete: false
    }
  }
}
