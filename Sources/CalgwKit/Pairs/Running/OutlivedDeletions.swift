import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning

/// What was deleted on one side and edited on the other.
extension PairReport {
  /// So many are named of a pair.
  private static let namedDeletions = 5

  /// An edit outlives a deletion, and who deleted the item has to be told. A move to another
  /// calendar is a deletion and a new item: then the item is in both calendars.
  mutating func noteOutlivedDeletions(_ store: PairStore) async {
    if isDryRun { return }
    var count = 0
    for collection in collections {
      for action in collection.actions where tellsOfOutlivedDeletion(action.reason) {
        guard let uid = action.item.uid else { continue }
        let other = await place(of: uid, besides: collection.name, in: store)
        count += other == nil ? 1 : 0
        if other == nil, count > Self.namedDeletions { continue }
        let file = names(of: action.item, in: collection.name).file
        let title = action.item.summary.isEmpty ? uid.text : action.item.summary
        let what =
          "\"\(visibleText(title, limit: 60))\" was deleted from \(pair)/\(collection.name) on one"
          + " side and edited on the other, so it stays there with that edit"
        note(
          what + (other.map { "; it is in \(pair)/\($0), too, without it" } ?? ""),
          toRemove: other == nil ? "it" : "the one in \(collection.name)",
          file ?? uid.text, in: file == nil ? ["--in", "\(pair)/\(collection.name)"] : [])
      }
    }
    let rest = count - Self.namedDeletions
    if rest > 0 { notices.append("so it is with \(rest) more") }
  }

  /// Another collection of the pair that has an item of the UID on both sides.
  private func place(of uid: ItemID, besides name: String, in store: PairStore) async -> String? {
    for other in (try? await store.collections()) ?? [] where other.identity.name != name {
      guard let journal = try? await store.journal(of: other.identity.name) else { continue }
      if (try? await journal.agreement(of: uid)) != nil { return other.identity.name }
    }
    return nil
  }
}
