import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import VdirStorage

/// What must hold once nobody disturbs any more.
extension World {
  /// In milliseconds: after a day all tags are compared, and what was refused is offered again.
  private static let day: Int64 = 25 * 3600 * 1000
  /// Longer than calgw waits for an editor that truncated a file.
  private static let minute: Int64 = 61_000

  func settleDown() {
    heal()
    checkSoon()
    var early = hasUnreadable ? quietRun() : nil
    // What went with a calendar that another one passes for is named until all is compared.
    if hasUnknownCalendar { early = nil }
    executor.advance(Self.day)
    let before = journal.state
    var report = quietRun()
    checkClears(early, report)
    if !hadNothingToDo(report, since: before) {
      executor.advance(Self.minute)
      report = quietRun()
    }
    if report?.problems.contains(where: { $0.problem.code == .massDelete }) == true {
      for _ in 0..<3 {
        executor.advance(Self.minute)
        report = quietRun { $0.deletionLimit.isLifted = true }
      }
    }
    if server.switches.hidesChanges {
      // What calgw wrote itself shows with every server after so long; where the calendar's tag
      // never changes, what the server made of it besides shows once all tags are compared again.
      executor.advance(server.switches.calendarTagIsConstant ? Self.day : 10 * Self.minute)
      report = quietRun()
    }
    executor.advance(Self.minute)
    checkQuiet()
    guard let report else { return violate("Progress", "an undisturbed run gave no report") }
    checkSides(report)
    checkTwins()
    checkLastSaves(report)
    checkPingPong()
    checkMail()
    checkLeftOvers()
  }

  private var hasUnreadable: Bool {
    journal.state.observations.values.contains { seen in
      if case .obstructed = seen.state { true } else { false }
    }
  }

  /// A problem that is gone clears itself in the next run, and not only when all is compared anew.
  private func checkClears(_ early: CollectionReport?, _ later: CollectionReport?) {
    guard let early, let later, early.failure == nil, later.failure == nil,
      !server.switches.hidesChanges, !server.switches.listsPhantom,
      // Another request's answer may name anything.
      !story.strikes("C4.19")
    else { return }
    let stays = Set(later.problems.map(\.item.href))
    for problem in early.problems where [.brokenRemote, .unreadable].contains(problem.problem.code)
    {
      guard let href = problem.item.href, !stays.contains(href) else { continue }
      // Whatever looked at it in vain kept the server from saying that it is gone.
      if problem.problem.message.hasSuffix("says that it is not there"), story.failsThroughout {
        continue
      }
      // A server that moves items by UID took it away for what one of the two sent.
      if server.switches.movesUIDs, early.pushed.created + later.pushed.created > 0 { continue }
      violate("Quarantine", "\(problem.problem.message) was reported for a day")
    }
  }

  private func hadNothingToDo(_ report: CollectionReport?, since before: JournalState) -> Bool {
    guard let report, report.failure == nil, !report.needsAttention else { return false }
    let now = journal.state
    return report.pulled.total + report.pushed.total + report.merged == 0
      && now.observations == before.observations && now.agreements == before.agreements
  }

  /// Nothing is broken any more, and everybody has finished what he began.
  private func heal() {
    isSettling = true
    director.end()
    server.moveCalendar(World.calendarElsewhere, to: World.calendar)
    server.change { $0.authentication = .none }
    if files.names(in: "/home/ann/away") != nil { people.act(Act(.folderMount), during: nil) }
    if files.names(in: World.folder) == nil { files.makeFolders(World.folder) }
    for uid in people.unfinished.keys.sorted() { people.finish(uid) }
    clientSkew = max(clientSkew, 0)
    disk.refresh()
  }

  func quietRun(_ change: (inout SyncOptions) -> Void = { _ in }) -> CollectionReport? {
    checkIdentity()
    let before = Picture(self)
    let clean = CleanRun(self)
    let report = run(.sync, [], change)
    if let report { clean.check(.sync, report, in: self) }
    var lifted = SyncOptions()
    change(&lifted)
    check(report, since: before, [], isLifted: lifted.deletionLimit.isLifted)
    if let failure = report?.failure {
      violate("Progress", "an undisturbed run failed: \(failure)")
    }
    return report
  }

  /// Quiet: the run after all is settled reads no body, writes nothing and records nothing.
  private func checkQuiet() {
    let calm = Calm(self)
    guard let report = quietRun() else { return }
    for noise in calm.noises(of: report, in: self) { violate("Quiet", noise) }
    guard report.failure == nil else { return }
    let now = journal.state
    // What nobody can read stays open until it changes.
    let unreadable = now.observations.filter { seen in
      if case .obstructed = seen.value.state { true } else { false }
    }
    let isOpen = now.intents.values.contains {
      unreadable[Place($0.side, $0.href)] == nil && !isBrokenUnderOldTag($0)
    }
    if isOpen { violate("IntentThenFact", "intents stay open") }
  }

  /// It was deleted and made anew broken, under the tag that the one before it had: the listing
  /// does not tell that it is another one, and a look at the write does.
  func isBrokenUnderOldTag(_ intent: Intent) -> Bool {
    guard intent.side == .remote, server.switches.tagIsCounter else { return false }
    let name = ModelServer.name(ofPath: intent.href.spelling)
    return server.data(name, in: World.calendar).map { !ItemText.isWhole($0) } ?? false
  }

  /// No temporary file stays in the folder.
  private func checkLeftOvers() {
    let hidden = files.contents(of: World.folder).keys.filter { name in
      [".calgw-n", ".calgw-x", ".calgw-y"].contains { name.text.hasPrefix($0) }
        && !name.text.hasSuffix(".swp")
    }
    if !hidden.isEmpty {
      violate("LeftOvers", "\(hidden.map(\.text).sorted()) stay in the folder")
    }
  }
}
