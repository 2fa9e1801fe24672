public import SyncExecution
import SyncPlanning

/// An item of which something gave way in a run, since both sides had changed it and no person was
/// asked.
public struct Concession: Sendable, Hashable {
  public var collection: String
  public var item: ReportedItem
  /// What gave way and why, one sentence without a full stop.
  public var reason: String
}

extension PairReport {
  /// The items that a merge took something from, or whose version lost although no time said which
  /// is newer. None in a dry run: there nothing has given way yet.
  public var concessions: [Concession] {
    if isDryRun { return [] }
    return collections.flatMap { collection in
      collection.actions.filter { tellsWhatGaveWay($0.reason) }.map { action in
        Concession(collection: collection.name, item: action.item, reason: action.reason)
      }
    }
  }
}
