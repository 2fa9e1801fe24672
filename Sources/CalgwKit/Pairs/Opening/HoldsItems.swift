import ICalendar
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
/// items that were agreed on: by their names, and of a few that are read by their UIDs, since
/// programs that number their items give the same names to others.
func holdsItems(
  _ share: ItemShare, of record: CollectionRecord, _ storage: any Storage, on side: Side,
  _ store: PairStore
) async throws(OpeningError) -> Bool {
  guard
    let journal = try await recorded({ () throws(JournalError) in
      try await store.journal(of: record.identity.name)
    })
  else { return share == .one || share == .half }
  let known = try await recorded { () throws(JournalError) in try await journal.known(side) }
  var agreed = known.filter { ($0.isAgreed || $0.isGone) && !$0.href.isVacated }
  // As where the first run was cut off: nothing is agreed on yet, and all that was seen counts.
  if agreed.isEmpty, share == .most || share == .all { agreed = known }
  if agreed.isEmpty { return share == .one || share == .half }
  let digests = Dictionary(agreed.map { (name($0.href), $0.digest) }) { first, _ in first }
  let least =
    switch share {
    case .one: 1
    case .half: (digests.count + 1) / 2
    case .most: digests.count / 2 + 1
    case .all: digests.count
    }
  var held: [Href: ContentDigest?] = [:]
  var cursor: SyncModel.Cursor?
  while true {
    let start = cursor
    let page = try await reached(side) { () throws(StorageError) in
      try await storage.listChanges(since: start)
    }
    for item in page.present {
      if let digest = digests[name(item.href)] { held[item.href] = digest }
    }
    if held.count >= least { break }
    if page.isLast { return false }
    cursor = page.next
  }
  return try await areMostlyThose(held, storage, on: side, journal)
}

/// The last segment of an address.
private func name(_ href: Href) -> ArraySlice<UInt8> {
  href.key[(href.key.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
}

/// Items whose UIDs are compared.
private let sample = 10

/// False where most of what has the names of known items are other ones.
///
/// - Parameter held: the contents that were known by these names.
private func areMostlyThose(
  _ held: [Href: ContentDigest?], _ storage: any Storage, on side: Side, _ journal: SQLiteJournal
) async throws(OpeningError) -> Bool {
  let looked = held.keys.sorted().evenlySpread(atMost: sample)
  let texts = try await recorded { () throws(JournalError) in
    try await journal.contents(looked.compactMap { held[$0] ?? nil })
  }
  let read = try await reached(side) { () throws(StorageError) in
    try await storage.readAll(looked)
  }
  var others = 0
  for outcome in read {
    // What cannot be read tells nothing, and neither does what nobody knows the text of any more.
    guard case .found(_, let data, _) = outcome.result,
      case let digest?? = held[outcome.href], let text = texts[digest]
    else { continue }
    let (now, before) = (uids(in: data), uids(in: text))
    if !now.isEmpty, !before.isEmpty, now.isDisjoint(with: before) { others += 1 }
  }
  return others * 2 < looked.count
}

private func uids(in data: ItemData) -> Set<[UInt8]> {
  Set(CalendarObject(SyntaxTree(bytes: data.bytes)).uids)
}

extension [Href] {
  /// So many of them, from all parts.
  func evenlySpread(atMost limit: Int) -> [Href] {
    if count <= limit { return self }
    return (0..<limit).map { self[$0 * count / limit] }
  }
}
