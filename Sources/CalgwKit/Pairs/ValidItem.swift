import ICalendar
import SyncModel

/// True if a collection holds at least one whole calendar item with a UID.
func holdsValidItem(_ storage: any Storage) async throws(StorageError) -> Bool {
  /// Pages of a listing; one that does not end is the run's trouble and not this question's.
  let pageLimit = 10_000
  var cursor: Cursor?
  for _ in 0..<pageLimit {
    let page = try await storage.listChanges(since: cursor)
    let hrefs = page.present.filter { $0.problem == nil }.map(\.href)
    // One at a time: mostly the first one answers.
    for href in hrefs {
      guard let outcome = try await storage.read([href]).first,
        case .found(_, let data, _) = outcome.result
      else { continue }
      if isValidItem(data) { return true }
    }
    if page.isLast { return false }
    cursor = page.next
  }
  return false
}

private func isValidItem(_ data: ItemData) -> Bool {
  let tree = SyntaxTree(bytes: data.bytes)
  guard case .whole = tree.wholeness else { return false }
  return CalendarObject(tree).uids.count == 1
}
