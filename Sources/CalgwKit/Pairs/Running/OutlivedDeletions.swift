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
  ///
  /// - Parameter gateway: knows the folders of other pairs.
  mutating func noteOutlivedDeletions(_ store: PairStore, _ gateway: Gateway) async {
    if isDryRun { return }
    var count = 0
    for collection in collections {
      for action in collection.actions where tellsOfOutlivedDeletion(action.reason) {
        guard let uid = action.item.uid else { continue }
        let names = names(of: action.item, in: collection.name)
        let file = names.file
        var other = await store.collection(sharing: uid, besides: collection.name)
          .map { "\(pair)/\($0)" }
        if other == nil, count < Self.namedDeletions {
          other = await gateway.place(
            of: uid, named: action.item.file ?? names.agreedFile, at: file, notIn: pair)
        }
        count += other == nil ? 1 : 0
        if other == nil, count > Self.namedDeletions { continue }
        let title = action.item.summary.isEmpty ? uid.text : action.item.summary
        let what =
          "\"\(visibleText(title, limit: 60))\" was deleted from \(pair)/\(collection.name) on one"
          + " side and edited on the other, so it stays there with that edit"
        note(
          what + (other.map { "; it is in \($0), too, without it" } ?? ""),
          toRemove: other == nil ? "it" : "the one in \(collection.name)",
          file ?? uid.text, in: file == nil ? ["--in", "\(pair)/\(collection.name)"] : [])
      }
    }
    let rest = count - Self.namedDeletions
    if rest > 0 { notices.append("so it is with \(rest) more") }
  }
}

extension Gateway {
  /// A collection of another pair that has the item under the name of its file, as where somebody
  /// moved it there: to find it under any name would take reading them all.
  ///
  /// - Parameter path: of the file itself; two pairs may share a folder.
  fileprivate func place(
    of uid: ItemID, named file: Href?, at path: String?, notIn pair: String
  ) async -> String? {
    guard let file else { return nil }
    let finder = office().finder
    for folder in (try? await finder.folders.allFolders()) ?? []
    where folder.pair != pair && folder.pathText(of: file) != path {
      if let found = try? await finder.item(named: file, in: folder), found.uid == uid {
        return folder.name
      }
    }
    return nil
  }
}
