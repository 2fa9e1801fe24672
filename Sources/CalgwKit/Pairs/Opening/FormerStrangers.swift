import SQLiteJournal
import SyncModel

/// What a side had beside the known collections: in the last run, and, for each that is gone, in
/// the last one that saw it. Only what is new since then can be where it went: a copy that was
/// there before, and that the pair leaves out, stays what it is.
struct FormerStrangers: Sendable {
  enum Kind {
    /// Known by their names: their numbers change with the disk.
    case folders
    case calendars
  }

  private let kind: Kind
  private let side: Side
  /// None before the first run that asks: nobody knows what was there.
  private let last: Set<[UInt8]>?
  /// By where what is gone was.
  private let since: [[UInt8]: Set<[UInt8]>]

  /// False where nobody can say what is new.
  var isKnown: Bool { last != nil }

  static func read(_ kind: Kind, on side: Side, in store: PairStore)
    async throws(OpeningError) -> FormerStrangers
  {
    let (last, since) = try await recorded { () throws(JournalError) in
      (try await store.value(Self.key(side)), try await store.value(Self.sinceKey(side)))
    }
    var gone: [[UInt8]: Set<[UInt8]>] = [:]
    for line in (since ?? []).split(separator: Self.lineEnd) {
      let parts = line.split(
        separator: Self.tab, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      gone[Array(parts[0]), default: []].insert(Array(parts[1]))
    }
    return FormerStrangers(
      kind: kind, side: side,
      last: last.map { bytes in Set(bytes.split(separator: Self.lineEnd).map { Array($0) }) },
      since: gone)
  }

  /// Those that were not there in the last run.
  func newcomers(among strangers: [CollectionDescription]) -> [CollectionDescription] {
    strangers.filter { !(last ?? []).contains(address(of: $0)) }
  }

  /// Those that were not there when one that is gone was there last.
  func newcomers(among strangers: [CollectionDescription], since record: CollectionRecord)
    -> [CollectionDescription]
  {
    let seen = since[address(of: record)] ?? last ?? []
    return strangers.filter { !seen.contains(address(of: $0)) }
  }

  /// Keeps for the next run what is there by now beside the known collections.
  func remember(
    _ listed: [CollectionDescription], beside records: [CollectionRecord], in store: PairStore
  ) async throws(OpeningError) {
    let there = Set(listed.map { address(of: $0) })
    let known = Set(records.map { address(of: $0) })
    let lost = known.subtracting(there)
    // What is there now may have come before one of them went, or after.
    if last == nil, !lost.isEmpty { return }
    var gone: [[UInt8]] = []
    for place in Self.sorted(lost) {
      gone.append(place + [Self.tab])
      gone += Self.sorted(since[place] ?? last ?? []).map { place + [Self.tab] + $0 }
    }
    let values = [
      (Self.key(side), Self.joined(Self.sorted(there.subtracting(known)))),
      (Self.sinceKey(side), Self.joined(gone)),
    ]
    try await recorded { () throws(JournalError) in
      for (key, value) in values { try await store.remember(value, as: key) }
    }
  }

  // MARK: Addresses

  private func address(of collection: CollectionDescription) -> [UInt8] {
    switch kind {
    case .folders: Self.inLine(collection.href.spelling)
    case .calendars: Self.inLine(Array(collection.identity.utf8))
    }
  }

  private func address(of record: CollectionRecord) -> [UInt8] {
    switch kind {
    case .folders: Self.inLine(side == .local ? record.folder : record.remoteHref)
    case .calendars: Self.inLine(Array(record.place(on: side).utf8))
    }
  }

  /// A folder's name may hold what parts the lines of what is stored; none holds a zero.
  private static func inLine(_ address: [UInt8]) -> [UInt8] {
    address.map { $0 == lineEnd || $0 == tab ? 0 : $0 }
  }

  // MARK: As it is stored

  private static let lineEnd = UInt8(ascii: "\n")
  private static let tab = UInt8(ascii: "\t")

  /// An address a line.
  private static func key(_ side: Side) -> String { "strangers \(side.rawValue)" }

  /// Where one that is gone was, a tab, and nothing or an address, a line each.
  private static func sinceKey(_ side: Side) -> String { "strangers before \(side.rawValue)" }

  private static func sorted(_ addresses: Set<[UInt8]>) -> [[UInt8]] {
    addresses.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private static func joined(_ lines: [[UInt8]]) -> [UInt8] {
    Array(lines.joined(separator: [lineEnd]))
  }
}
