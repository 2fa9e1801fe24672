import SyncExecution
import SyncModel
import TestSupport
import VdirStorage

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
    // Both say 507 of the calendar within the multistatus (RFC 6578 §3.6).
    if !acts.isDisjoint(with: [.page, .sameToken]) { note("C5.31") }
    if oddities.contains(.namedTwice) { note("C2.25") }
    if oddities.contains(.leftOut) { note("C2.26") }
    if oddities.contains(.foldedName), let name = story.foldedNames { note(name) }
    if oddities.contains(.cutTime) { note("C2.32") }
  }

  /// What a power cut took back of a folder: anything; the data of a name that stayed; the removal
  /// of a text that nothing else held.
  func notePowerCut(before: [FileName: [UInt8]], after: [FileName: [UInt8]]) {
    if after != before { note("C2.22") }
    for (name, bytes) in after where before[name] != bytes {
      if let former = before[name], !Self.isWithoutData(former), Self.isWithoutData(bytes) {
        note("C2.23")
      }
      if before[name] == nil, !before.values.contains(bytes) { note("C2.24") }
    }
  }

  /// A file whose size is on disk at most, but not all of its content.
  private static func isWithoutData(_ bytes: [UInt8]) -> Bool { bytes.last ?? 0 == 0 }

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
