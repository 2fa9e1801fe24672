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
  /// All of them: nothing speaks against it either.
  case all
}

/// The collections of a pair after those that are elsewhere by now were looked for.
struct FollowedCollections {
  /// As the store has them now.
  var records: [CollectionRecord]
  /// As in `PairListing`.
  var lookalikes: [String: Lookalike] = [:]
  /// The names of those that are met as for the first time.
  var anew: Set<String> = []
}

extension [CollectionRecord] {
  /// What a record had on the other side belongs to another one since: a person gave it that one,
  /// and it is looked for nowhere.
  func hasSuccessor(of record: CollectionRecord, on side: Side) -> Bool {
    contains {
      $0.identity.name != record.identity.name
        && $0.identity[side.opposite] == record.identity[side.opposite]
    }
  }
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
  var agreed = Set(known.filter { $0.isAgreed || $0.isGone }.map { name($0.href) })
  // As where the first run was cut off: nothing is agreed on yet, and all that was seen counts.
  if agreed.isEmpty, share == .most || share == .all { agreed = Set(known.map { name($0.href) }) }
  if agreed.isEmpty { return share == .one || share == .half }
  let least =
    switch share {
    case .one: 1
    case .half: (agreed.count + 1) / 2
    case .most: agreed.count / 2 + 1
    case .all: agreed.count
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
