import SyncExecution
import SyncModel

/// A second run over a collection for items that were moved.
enum MoveStep: Equatable {
  /// The server has moved them to it; those that no listing may name are at these places.
  case moved(to: [Href])
  /// The server has moved them away.
  case gone
  /// They leave it, since they arrived in another one: that was meant.
  case arrived
  /// They leave it first, since they are in the way of those of another one, into which they were
  /// moved.
  case makingRoom
  /// They leave it otherwise, as where another one has a copy.
  case leaving
  /// They are looked at: their deletion in another one may have taken them along.
  case takenAlong
  /// They come back to it, with an edit that they got on the server after they were moved here.
  case returning
  /// They come to it.
  case arriving
  /// They come to it, which refused them because of those that have left another one.
  case refused

  /// Tells the engine what it is about.
  func set(_ rules: inout SyncOptions, for items: Set<ItemID>) {
    switch self {
    // What does not show yet is not sent, and not deleted.
    // Nor does a file come back that somebody has moved on since.
    case .moved(let places):
      rules.arriving = { $0 }
      rules.movedTo = places
      rules.pullsNew = false
    // A file that is back by now waits for the next run, which sees where it was moved from.
    case .gone:
      rules.leaving = { FoundElsewhere(moved: $0) }
      rules.arriving = { $0 }
    case .arrived:
      rules.deletionLimit.isLifted = true
      rules.deletesQuietly = true
      rules.confirmDeletion = nil
    // Nobody is asked whether he deletes what he has moved.
    case .makingRoom:
      rules.deletesQuietly = true
      rules.confirmDeletion = nil
    // Who is invited declines nothing with it.
    case .leaving: rules.deletesQuietly = true
    case .takenAlong, .returning, .arriving: break
    case .refused: rules.offeredAgain = items
    }
  }
}

/// Some servers make one event of two with one UID, in whichever calendars of an account they are
/// (Zimbra): with the one that a move deletes, the one that has just arrived is gone as well. It is
/// written down before that deletion, so that no later run takes it for a person's.
extension CollectionRun {
  mutating func noteTakenAlong(_ places: [String: Set<ItemID>]) async throws(RunFailure) {
    if options.isDryRun { return }
    for (name, items) in places {
      try await takenAlong.set(takenAlong[name].union(items), of: name)
    }
  }

  /// What was seen to be there, or is there again, is not looked at by later runs.
  mutating func noteLook(
    at items: Set<ItemID>, _ result: CollectionReport
  ) async throws(RunFailure) {
    guard !items.isEmpty, !options.isDryRun, result.failure == nil, direction.writes(to: .remote)
    else { return }
    let waiting = result.problems.map(\.item.uid) + result.conflicts.map(\.item.uid)
    let settled = items.subtracting(waiting.compactMap(\.self))
    try await takenAlong.set(takenAlong[result.name].subtracting(settled), of: result.name)
  }
}
