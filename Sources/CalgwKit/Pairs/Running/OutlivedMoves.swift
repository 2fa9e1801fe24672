import SQLiteJournal
import SyncExecution
import SyncModel
import SyncPlanning

/// What was moved to another calendar on one side, and edited where it was on the other.
extension PairReport {
  /// A move is a deletion and a new item, and an edit outlives a deletion: then the item is in both
  /// calendars, and a person has to be told.
  mutating func noteOutlivedMoves(_ store: PairStore) async {
    if isDryRun { return }
    for collection in collections {
      for action in collection.actions where tellsOfOutlivedDeletion(action.reason) {
        guard let uid = action.item.uid,
          let other = await place(of: uid, besides: collection.name, in: store)
        else { continue }
        let file = names(of: action.item, in: collection.name).file
        let title = action.item.summary.isEmpty ? uid.text : action.item.summary
        note(
          "\"\(visibleText(title, limit: 60))\" was deleted from \(pair)/\(collection.name) on one"
            + " side and edited on the other, so it stays there with that edit; it is in"
            + " \(pair)/\(other), too, without it",
          toRemove: "the one in \(collection.name)",
          file ?? uid.text, in: file == nil ? ["--in", "\(pair)/\(collection.name)"] : [])
      }
    }
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
