import ICalendar
import SyncModel

/// The kinds of components, as `VEVENT`, in the whole calendar items with a UID that a collection
/// holds. Empty where it holds none.
func kindsOfItems(in storage: any Storage) async throws(StorageError) -> Set<String> {
  var kinds: Set<String> = []
  var items = WholeItems(in: storage)
  while let part = try await items.next() {
    for item in part { kinds.formUnion(item.kinds) }
  }
  return kinds
}

/// The UIDs of the whole calendar items that a collection holds.
///
/// - Parameter synced: the kinds of those that count; nil: all.
func uidsOfItems(
  in storage: any Storage, of synced: Set<String>?
) async throws(StorageError) -> Set<[UInt8]> {
  var uids: Set<[UInt8]> = []
  var items = WholeItems(in: storage)
  while let part = try await items.next() {
    for item in part where synced?.isDisjoint(with: item.kinds) != true {
      uids.formUnion(item.uids)
    }
  }
  return uids
}

/// The whole calendar items with one UID that a collection holds, a part at a time.
private struct WholeItems {
  /// Pages of a listing; one that does not end is the run's trouble and not this question's.
  private static let pageLimit = 10_000

  private let storage: any Storage
  private var pages = 0
  private var cursor: Cursor?
  private var isListed = false
  private var parts: ReadInParts

  init(in storage: any Storage) {
    self.storage = storage
    parts = ReadInParts([], of: storage)
  }

  /// Nil after the last part.
  mutating func next() async throws(StorageError) -> [CalendarObject]? {
    while true {
      if let part = try await parts.next() { return part.compactMap { wholeItem($0) } }
      if isListed || pages == Self.pageLimit { return nil }
      let page = try await storage.listChanges(since: cursor)
      (pages, cursor, isListed) = (pages + 1, page.next, page.isLast)
      parts = ReadInParts(page.present.filter { $0.problem == nil }.map(\.href), of: storage)
    }
  }
}

/// What was read, where that is a whole calendar item with one UID.
func wholeItem(_ outcome: ReadOutcome) -> CalendarObject? {
  guard case .found(_, let data, _) = outcome.result else { return nil }
  let tree = SyntaxTree(bytes: data.bytes)
  guard case .whole = tree.wholeness else { return nil }
  let object = CalendarObject(tree)
  return object.uids.count == 1 ? object : nil
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
