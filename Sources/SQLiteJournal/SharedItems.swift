public import SyncModel

extension PairStore {
  /// Those of some items that a collection in use has on both sides, other than the one of this
  /// name.
  public func items(
    _ uids: Set<ItemID>, sharedBesides name: String
  ) throws(JournalError) -> Set<ItemID> {
    if uids.isEmpty { return [] }
    return try connection.read { db in
      var shared: Set<ItemID> = []
      for other in try CollectionTable(db: db).all() where other.record.identity.name != name {
        shared.formUnion(try Ledger(db: db, collection: other.id).agreed(among: uids))
      }
      return shared
    }
  }
}
