import SQLiteJournal
import SyncExecution
import SyncModel

extension Gateway {
  /// Throws where an entry of the log tells that the item went to another calendar of the pair, and
  /// it is in one still: nothing of it was replaced, and in its old calendar it would be a second
  /// item of its UID.
  func refuseMoved(
    _ entry: PairHistoryEntry, of pair: PairConfiguration, in store: PairStore
  ) async throws(RunFailure) {
    let moved = entry.recorded.entry
    guard moved.action == .moved else { return }
    var former = entry.collection
    var present: [String] = []
    let records = try await journaled(pair) { () throws(JournalError) in
      try await store.collections()
    }
    for record in records {
      // Its folder may have got another name since.
      let isFormer = record.identity.remote == entry.remoteIdentity
      if isFormer { former = record.identity.name }
      let isThere = try await journaled(pair) { () throws(JournalError) in
        try await store.shares(moved.uid, in: [record])
      }
      if isThere, isFormer { return }
      if isThere { present.append(record.identity.name) }
    }
    guard let place = present.first else { return }
    throw RunFailure.movedAway(moved.uid, from: former, to: place, of: pair)
  }
}

extension RunFailure {
  /// - Parameters:
  ///   - former: the collection that it was moved out of, by its name.
  ///   - place: the one that has it.
  fileprivate static func movedAway(
    _ uid: ItemID, from former: String, to place: String, of pair: PairConfiguration
  ) -> RunFailure {
    let (old, new) = ("\(pair.name)/\(former)", "\(pair.name)/\(place)")
    var hint = "move it back to \(old) with another program, and sync"
    // `move` knows the pairs of the configuration alone.
    if case .directory = pair.local, !pair.name.hasPrefix("adhoc-") {
      let ending = uid.text.hasPrefix("-") ? ["--"] : []
      let options = ["--in", new] + ending + [uid.text, old]
      hint = "`\(shellCommand("move", options: options))` and a sync move it back"
    }
    return .badItem(
      "duplicate-uid",
      "the item was moved out of \(old), and \(new) has it: this would make it twice", hint: hint)
  }
}
