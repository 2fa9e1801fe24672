import SyncExecution
import SyncModel
import TestSupport

/// The world before a run that has nothing to do.
struct Calm {
  private let picture: Picture
  private let state: JournalState
  private let writes: Int
  private let bodies: Int

  init(_ world: World) {
    picture = Picture(world)
    state = world.journal.state
    writes = world.transport.writes
    bodies = world.transport.bodies
  }

  /// What the run did all the same, in words.
  ///
  /// - Parameters:
  ///   - isSettled: a server that shows changes late has shown all of them by now.
  ///   - mayHold: deletions may wait for a person.
  func noises(
    of report: CollectionReport?, in world: World, isSettled: Bool = true, mayHold: Bool = false
  ) -> [String] {
    var noises: [String] = []
    let now = Picture(world)
    if now.local != picture.local { noises.append("the folder changed") }
    if now.remote != picture.remote { noises.append("the calendar changed") }
    if world.transport.writes != writes { noises.append("writes were sent") }
    let switches = world.server.switches
    let mayLook =
      switches.hidesWhatChanged || !isSettled && switches.hidesChanges
      || world.story.breaksRespelled
      // An edit of which it kept nothing, as far as its tags tell, is looked for.
      || (switches.truncatesAt != nil || switches.dropsAttachments) && switches.putTag == .wrong
      // One that was made anew under its former tag, and cannot be read, is asked for in each run.
      || switches.tagIsCounter && world.story.breaksOnServer && world.story.deletesOnServer
    // As long as one of two may have gone unsaid, what is told of them could cost the other one.
    let isDoubled =
      report?.problems.contains { $0.problem.code == .duplicateUID && $0.item.href != nil } ?? false
    // What would be deleted is looked at in each run until a person allows it.
    let isHeld =
      mayHold && report?.problems.contains { $0.problem.code == .massDelete } ?? false
    if world.transport.bodies != bodies, !mayLook, !isDoubled, !isHeld {
      noises.append("\(world.transport.bodies - bodies) requests for bodies")
    }
    guard let report, report.failure == nil else { return noises }
    let journal = world.journal.state
    // A write of which such a server keeps nothing is offered, and taken down, once more.
    let mayOfferAgain = switches.dropsAttachments && switches.tagChangesOnRead
    if journal.history != state.history, !mayOfferAgain { noises.append("the history grew") }
    if mayLook { return noises }
    if journal.agreements != state.agreements { noises.append("the agreements changed") }
    if journal.observations != state.observations { noises.append("the observations changed") }
    return noises
  }
}

extension ModelSwitches {
  /// Its listings do not tell whether something changed, so that each run looks.
  fileprivate var hidesWhatChanged: Bool {
    tagChangesOnRead || !listsTags || listsPhantom || tagForm == .weak
  }
}

extension Story {
  /// On a disk that folds names a file was broken that got its name in another spelling, or
  /// something that is no file took its place: at the known name is something, which is in no
  /// listing, so each run looks whether the item is gone.
  fileprivate var breaksRespelled: Bool {
    let kinds = Set(acts.map(\.kind))
    let breaks: Set<Act.Kind> = [
      .localBreak, .localTruncate, .localHalf, .localDirectory, .localLink, .localFIFO,
    ]
    return foldedNames != nil && kinds.contains(.localRecase)
      && !kinds.isDisjoint(with: breaks)
  }
}
