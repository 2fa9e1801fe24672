public import SyncModel

extension PairStore {
  /// When an item was last deleted, in any collection and on whichever side; nil where the history
  /// has no deletion.
  public func lastDeletion() throws(JournalError) -> Instant? {
    try connection.read { try HistoryTable(db: $0).lastDeletion() }
  }
}
