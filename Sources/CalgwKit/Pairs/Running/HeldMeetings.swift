import SyncModel

/// Meetings of a collection that stay where they are on the server, as the pair's store keeps them:
/// it does not move them, and to delete them calls them off. Each is there with when it was found
/// out, so that the three requests that this takes are not made in each run.
package struct HeldMeetings: Sendable, Hashable {
  /// After so many milliseconds the server is asked again, as about what it refused of items: a
  /// day.
  private static let lifetime: Int64 = 86_400_000

  private var times: [ItemID: Instant] = [:]

  package init() {}

  package mutating func note(_ items: Set<ItemID>, at now: Instant) {
    times = times.filter { holds($0.key, at: now) }
    for uid in items { times[uid] = now }
  }

  /// The server was asked about it not long ago.
  package func holds(_ uid: ItemID, at now: Instant) -> Bool {
    guard let time = times[uid] else { return false }
    return (now.milliseconds &- time.milliseconds).magnitude < Self.lifetime.magnitude
  }

  // MARK: In the store

  static func storeKey(_ collection: String) -> String { "held meetings \(collection)" }

  /// A line an item: when, a space, and its UID.
  package var encoded: [UInt8] {
    let lines = times.sorted { $0.key < $1.key }.map { uid, time in
      Array("\(time.milliseconds) ".utf8) + uid.bytes
    }
    return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Reads what `encoded` gave; what it cannot read is left out.
  package init(encoded: [UInt8]) {
    for line in encoded.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard fields.count == 2, let time = Int64(String(decoding: fields[0], as: UTF8.self)) else {
        continue
      }
      times[ItemID(bytes: Array(fields[1]))] = Instant(milliseconds: time)
    }
  }
}
