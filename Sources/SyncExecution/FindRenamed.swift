import SyncModel

extension CollectionSync {
  /// Files that are not under the name that they had when they were written, or were to be deleted:
  /// a person may have renamed one before that was on record. What is there then was ours, and is
  /// not a stranger's item of the same UID.
  ///
  /// - Parameter isTaken: of a place that the journal knows, what is there is no such file.
  func renamed(
    _ intents: [Intent], isTaken: (KnownResource) -> Bool
  ) async throws(SyncFailure) -> [ItemID: [ItemVersion]] {
    if intents.isEmpty { return [:] }
    let wanted = Set(intents.map(\.uid))
    let known = try await recorded { () throws(JournalError) in
      try await journal.known(.local)
    }
    let taken = Set(known.filter(isTaken).map(\.href))
    let page = try await on(.local) { () throws(StorageError) in
      try await local.listChanges(since: nil)
    }
    let strangers = page.present.map(\.href).filter { !taken.contains($0) }
    var found: [ItemID: [ItemVersion]] = [:]
    try await read(strangers, on: .local) { (part) throws(SyncFailure) in
      for outcome in part {
        guard let item = item(outcome), wanted.contains(item.uid) else { continue }
        found[item.uid, default: []].append(item)
      }
    }
    return found
  }
}
