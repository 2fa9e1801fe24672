import SQLiteJournal
import SyncModel

/// Whether a place that looks like a known collection under another address holds one of the items
/// that were agreed on, by their names; true also where nothing was agreed on yet.
func holdsItems(
  of record: CollectionRecord, _ storage: any Storage, on side: Side, _ store: PairStore
) async throws(OpeningError) -> Bool {
  func name(_ href: Href) -> ArraySlice<UInt8> {
    href.key[(href.key.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
  }
  let known = try await recorded { () throws(JournalError) in
    try await store.journal(of: record.identity.name)?.known(side) ?? []
  }
  let agreed = Set(known.filter { $0.isAgreed || $0.isGone }.map { name($0.href) })
  if agreed.isEmpty { return true }
  var cursor: SyncModel.Cursor?
  while true {
    let start = cursor
    let page = try await reached(side) { () throws(StorageError) in
      try await storage.listChanges(since: start)
    }
    if page.present.contains(where: { agreed.contains(name($0.href)) }) { return true }
    if page.isLast { return false }
    cursor = page.next
  }
}
