import CalDAVStorage
import SQLiteJournal
package import SyncModel

/// A calendar that a server was asked to make, as the pair's store keeps it from before the request
/// until the collection is open: the answer may be lost, the run may end, and the calendar may show
/// only later. The next run looks for it, and asks for none under another name.
package struct UnansweredMaking: Sendable, Hashable {
  /// When it was asked for.
  let time: Instant
  /// The account.
  let place: String
  /// The name that it was to have, as the matching of collections knows it.
  let name: String
  let calendar: AskedCalendar

  /// After so many milliseconds what does not show is not waited for any more: most likely it was
  /// never made, and something else has its address, as what is in a trash bin (Nextcloud).
  private static let patience: Int64 = 600_000
  /// So many milliseconds it is known that it was asked for: 30 days, and most runs come daily.
  private static let lifetime: Int64 = 30 * 86_400_000

  /// - Parameters:
  ///   - href: the address that was asked for.
  ///   - before: what was listed before.
  package init(
    _ href: Href, beside before: Set<Href>, named name: String, at place: String, _ time: Instant
  ) {
    self.time = time
    self.place = place
    self.name = name
    calendar = AskedCalendar(href: href, before: before)
  }

  /// Another account has its own calendars.
  package func holds(at place: String, _ now: Instant) -> Bool {
    if place != self.place { return false }
    return (now.milliseconds &- time.milliseconds).magnitude < Self.lifetime.magnitude
  }

  /// It does not show by now, and is not waited for any more.
  package func isOverdue(at now: Instant) -> Bool {
    (now.milliseconds &- time.milliseconds).magnitude >= Self.patience.magnitude
  }

  // MARK: In the store

  private static func prefix(_ side: Side) -> String { "asked for \(side.rawValue) " }

  static func storeKey(_ collection: String, _ side: Side) -> String { prefix(side) + collection }

  /// Fields with a zero byte in between: none of them holds one.
  package var encoded: [UInt8] {
    let texts = ["\(time.milliseconds)", place, name].map { Array($0.utf8) }
    let address = [calendar.href.spelling, calendar.href.key]
    let fields = texts + address + calendar.before.sorted().map(\.key)
    return Array(fields.joined(separator: [0]))
  }

  /// Nil for anything else than `encoded` gave.
  package init?(encoded: [UInt8]) {
    let fields = encoded.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    guard fields.count >= 5, let time = Int64(String(decoding: fields[0], as: UTF8.self)) else {
      return nil
    }
    let before = fields.dropFirst(5).map { Href(spelling: $0, key: $0) }
    self.init(
      Href(spelling: fields[3], key: fields[4]), beside: Set(before),
      named: String(decoding: fields[2], as: UTF8.self),
      at: String(decoding: fields[1], as: UTF8.self), Instant(milliseconds: time))
  }

  /// Those that still hold, by their collections; the others are dropped.
  static func load(
    _ side: Side, at place: String, now: Instant, from store: PairStore
  ) async throws(JournalError) -> [String: UnansweredMaking] {
    let prefix = prefix(side)
    var found: [String: UnansweredMaking] = [:]
    for (key, value) in try await store.values(under: prefix) {
      if let making = UnansweredMaking(encoded: value), making.holds(at: place, now) {
        found[String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)] = making
      } else {
        try await store.setValue(nil, for: key)
      }
    }
    return found
  }
}

extension CollectionOpener {
  /// A collection that is open needs no other calendar.
  func noteOpened(_ name: String) async throws(OpeningError) {
    guard pair.mode == .write else { return }
    let store = pair.store
    for side in Side.allCases where pair.side(side).isServer {
      let key = UnansweredMaking.storeKey(name, side)
      try await recorded { () throws(JournalError) in
        if try await store.value(key) != nil { try await store.setValue(nil, for: key) }
      }
    }
  }
}

extension PairMatching {
  /// Finds out what earlier runs have asked for, and did not see.
  mutating func loadAsked() async throws(OpeningError) {
    for side in Side.allCases {
      guard case .account(let connection) = opened(side) else { continue }
      let (place, now, store) = (connection.key(.location), now, store)
      listing.asked[side] = try await recorded { () throws(JournalError) in
        try await UnansweredMaking.load(side, at: place, now: now, from: store)
      }
    }
  }

  /// Under the name that was to be its own, where it came to be at the address that an earlier run
  /// asked for: the server may call it otherwise.
  func withAskedName(
    _ collection: CollectionDescription, on side: Side
  ) -> CollectionDescription {
    let makings = listing.asked[side]?.values.sorted { $0.time < $1.time } ?? []
    guard let making = makings.first(where: { $0.calendar.href == collection.href }) else {
      return collection
    }
    var collection = collection
    collection.name = making.name
    return collection
  }
}
