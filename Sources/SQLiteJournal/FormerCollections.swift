public import SyncModel

extension PairStore {
  /// The collections that were set aside or forgotten, as they were then and the newest first,
  /// until they are pruned.
  public func formerCollections() throws(JournalError) -> [CollectionRecord] {
    try connection.read { try CollectionTable(db: $0).retired().map(\.record) }
  }
}
