import SyncExecution
import SyncModel
import TestSupport

/// The steps of a story, one after the other.
extension World {
  func step(_ step: Story.Step) {
    switch step {
    case .act(let act):
      director.trace.add("\(act)")
      people.act(act, during: nil)
    case .wait(let time): executor.advance(time)
    case .run(let command, let events): _ = self.step(command, events)
    }
  }

  /// A run with all that is checked after it, and the number of its effects.
  func step(_ command: Story.Command, _ events: [Story.Event]) -> (
    CollectionReport?, effects: Int
  ) {
    guard let errand = errand(for: command) else { return (nil, 0) }
    checkIdentity()
    let before = Picture(self)
    let clean = events.isEmpty ? CleanRun(self) : nil
    // A listing that misses a file does so once: the world is not frozen then.
    let isRehearsed =
      events.isEmpty && story.chance.isMultiple(of: 5)
      && !story.acts.contains { [.localHide, .localDouble].contains($0.kind) }
      && !server.switches.hidesChanges
    let said = isRehearsed ? rehearseRun(errand, options) : nil
    if let uid = errand.uid { oracle.note(wordOn: uid.text) }
    let report = run(errand, events)
    let effects = effectsOfLastRun
    check(report, since: before, events.count)
    checkToken()
    if let report {
      clean?.check(errand, report, in: self)
      noteConflicts(report, errand)
      noteAgreement(report)
    }
    if let said, let report, said.failure == nil, report.failure == nil, report.problems.isEmpty {
      checkForecast(said, report)
    }
    // Time passes between two runs.
    executor.advance(5_000)
    return (report, effects)
  }

  private func noteConflicts(_ report: CollectionReport, _ errand: Errand) {
    let told = report.conflicts.compactMap(\.item.uid)
    if let uid = errand.uid {
      if report.failure == nil { waiting.removeAll { $0 == uid && !told.contains(uid) } }
    } else {
      waiting = told.sorted()
    }
  }
}
