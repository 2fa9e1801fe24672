import SyncModel
import WebDAV

/// Servers whose tokens or CTags are times: what changes after one was read, and within its second,
/// leaves it as it is. So one that is as young as that is asked about once more.
extension CalendarState {
  /// In milliseconds: some clocks, and dates in answers, are a second off as well.
  private static let coarsest: Int64 = 2_000

  /// The same, as read at a time of the server's clock, in milliseconds since 1970.
  package func read(at time: Int64) -> CalendarState {
    var state = self
    state.isFresh = [token, tag].contains { bytes in
      guard let bytes, let own = Self.time(bytes) else { return false }
      return (time &- Self.coarsest...time &+ Self.coarsest).contains(own)
    }
    return state
  }

  /// `1767600000` (SOGo), and `20260105T080000Z`, where a number may follow (Bedework).
  private static func time(_ bytes: [UInt8]) -> Int64? {
    let number = Array(withoutScheme(bytes))
    if number.count == 10, number.allSatisfy(digits.contains) {
      return Int64(String(decoding: number, as: UTF8.self)).map { $0 * 1000 }
    }
    let stamp = number.prefix { $0 != UInt8(ascii: "-") }
    return HTTPDate.basic(Array(stamp))
  }
}

extension CalDAVStorage {
  /// A report may leave out what changed in the second of its token, after that was read
  /// (Bedework). One that has nothing but the changes of that second gives them all (SOGo).
  func mayLeaveOut(_ known: SyncCursor, _ members: Members, _ newToken: [UInt8]) -> Bool {
    guard known.isFresh, !known.isListing, !members.isTruncated else { return false }
    return newToken != known.token || members.present.isEmpty && members.gone.isEmpty
  }
}
