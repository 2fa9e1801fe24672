import ICalendar
import SyncModel

/// The kinds of components, as `VEVENT`, in the whole calendar items with a UID that a collection
/// holds. Empty where it holds none.
func kindsOfItems(in storage: any Storage) async throws(StorageError) -> Set<String> {
  /// Pages of a listing; one that does not end is the run's trouble and not this question's.
  let pageLimit = 10_000
  var kinds: Set<String> = []
  var cursor: Cursor?
  for _ in 0..<pageLimit {
    let page = try await storage.listChanges(since: cursor)
    let hrefs = page.present.filter { $0.problem == nil }.map(\.href)
    var parts = ReadInParts(hrefs, of: storage)
    while let part = try await parts.next() {
      for outcome in part {
        guard case .found(_, let data, _) = outcome.result else { continue }
        kinds.formUnion(kindsOfItem(data))
      }
    }
    if page.isLast { break }
    cursor = page.next
  }
  return kinds
}

private func kindsOfItem(_ data: ItemData) -> [String] {
  let tree = SyntaxTree(bytes: data.bytes)
  guard case .whole = tree.wholeness else { return [] }
  let object = CalendarObject(tree)
  return object.uids.count == 1 ? object.kinds : []
}

extension CollectionProposal {
  /// Asks for a calendar that takes what its counterpart holds; many a server gives events alone
  /// unasked, and refuses what it was not asked for (RFC 4791 §5.2.3).
  ///
  /// Where there are events, or nothing yet, anything may come: programs for folders keep events
  /// and to-dos in one. Without events it is a list of to-dos, or a journal, and asked for as that:
  /// a server that wants one kind a calendar takes no more.
  ///
  /// - Parameters:
  ///   - held: the kinds of the items of the counterpart that are synced; empty where there are
  ///     none, or nobody looked.
  ///   - synced: the kinds that the pair syncs; nil: all.
  mutating func ask(for held: Set<String>, of synced: Set<String>?) {
    kinds = held
    guard components == nil else { return }
    let all = synced ?? ["VEVENT", "VTODO", "VJOURNAL"]
    components = kinds.isEmpty || kinds.contains("VEVENT") ? all.union(kinds) : kinds
  }
}
