import SQLiteJournal
import SyncExecution
import VdirStorage

/// A collection whose two sides, journal and locks are open.
struct ReadyCollection: Sendable {
  var sync: CollectionSync
  let journal: SQLiteJournal
  /// Held until the run is over.
  let locks: [VdirLock]
  /// What a person should know of it although nothing failed.
  var notices: [String] = []
  /// What was done to the collection itself to open it; in a run that changes nothing, what would
  /// be.
  var actions = CollectionActions()
  /// Which of its values the sides do not have in common.
  var differing: [DifferingValue] = []
  /// Which of them a side could not be given this time.
  var unwritten: [UnwrittenValue] = []
  /// Which of its values a side has for itself, since the other one is read-only.
  var stuck: [StuckValue] = []
  /// Why the value that a person wants back is not on both sides.
  var unrestored: [ItemProblem] = []

  /// Runs the engine; the locks are held that long.
  func run() async -> CollectionReport {
    var report = await sync.run()
    report.problems += stuck.map(\.reported)
    return withExtendedLifetime(locks) { report }
  }
}

extension PairReport {
  /// Takes in what opening a collection did to it, or would.
  mutating func takeIn(_ opened: ReadyCollection) {
    notices += opened.notices
    takeIn(opened.actions, of: opened.sync.name)
    // What an earlier part of the run could not write was tried again.
    unwrittenValues[opened.sync.name] = opened.unwritten.isEmpty ? nil : opened.unwritten
  }

  /// Takes in what was done to a collection that may not be open.
  mutating func takeIn(_ actions: CollectionActions, of collection: String) {
    if actions == CollectionActions() { return }
    let former = collectionActions[collection] ?? CollectionActions()
    collectionActions[collection] = former.joined(actions)
  }
}
