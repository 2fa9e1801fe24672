import SQLiteJournal
import SyncModel

/// How many of the items that were agreed on make a place the known one.
enum ItemShare {
  /// One is enough, or that nothing was agreed on: something else speaks for the place, too.
  case one
  /// Half of them at least, or that nothing was agreed on: what else speaks for it may be a chance.
  case half
  /// More than half: nothing else speaks for it.
  case most
}

/// The collections of a pair after those that are elsewhere by now were looked for.
struct FollowedCollections {
  /// As the store has them now.
  var records: [CollectionRecord]
  /// As in `PairListing`.
  var lookalikes: [String: Lookalike] = [:]
}

/// Whether a place that may be a known collection under another address holds such a share of the
/// items that were agreed on, by their names.
func holdsItems(
  _ share: ItemShare, of record: CollectionRecord, _ storage: any Storage, on side: Side,
  _ store: PairStore
) async throws(OpeningError) -> Bool {
  func name(_ href: Href) -> ArraySlice<UInt8> {
    href.key[(href.key.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
  }
  let known = try await recorded { () throws(JournalError) in
    try await store.journal(of: record.identity.name)?.known(side) ?? []
  }
  let agreed = Set(known.filter { $0.isAgreed || $0.isGone }.map { name($0.href) })
  if agreed.isEmpty { return share != .most }
  let least =
    switch share {
    case .one: 1
    case .half: (agreed.count + 1) / 2
    case .most: agreed.count / 2 + 1
    }
  var held = Set<ArraySlice<UInt8>>()
  var cursor: SyncModel.Cursor?
  while true {
    let start = cursor
    let page = try await reached(side) { () throws(StorageError) in
      try await storage.listChanges(since: start)
    }
    held.formUnion(page.present.map { name($0.href) }.filter(agreed.contains))
    if held.count >= least { return true }
    if page.isLast { return false }
    cursor = page.next
  }
}
