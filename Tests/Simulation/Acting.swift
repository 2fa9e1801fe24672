import SyncExecution
import SyncModel
import TestSupport

/// What of a story's traits and faults did something: a server that drops extensions and is sent
/// none is a plain one.
extension World {
  /// At the end of a story, of what the models themselves remember.
  func noteWhatActed() {
    let (acts, oddities) = (server.acts, files.oddities)
    for name in story.traits {
      if let trait = Trait.named(name), !trait.acts.isDisjoint(with: acts) { note(name) }
    }
    if acts.contains(.cutUnnoticed) { note("C4.16") }
    if oddities.contains(.namedTwice) { note("C2.25") }
    if oddities.contains(.leftOut) { note("C2.26") }
    if oddities.contains(.foldedName), let name = story.foldedNames { note(name) }
    if oddities.contains(.cutTime) { note("C2.32") }
  }

  /// calgw took no more of an answer than it may hold at once. (That a folder's texts come in
  /// parts, too, shows nowhere.)
  func noteTooMuchAtOnce() {
    if story.traits.contains(Trait.littleMemory.name) { note(Trait.littleMemory.name) }
  }

  /// A task stayed here, since the calendar says that it takes none: the server never saw it.
  func noteUnsupported(_ report: CollectionReport?) {
    guard story.traits.contains("C6.37"), let report,
      report.problems.contains(where: { $0.problem.code == .unsupported }),
      files.contents(of: World.folder).values.contains(where: { $0.data.holds("BEGIN:VTODO") })
    else { return }
    note("C6.37")
  }
}
