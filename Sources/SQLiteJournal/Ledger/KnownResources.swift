import GRDB
import SyncModel

extension Ledger {
  private static let agreedColumns = "href_key, href, tag, tag_is_strong, digest"
  private static let seenColumns = agreedColumns + ", state, \(waitColumns)"

  /// Two scans in the order of their keys, merged: the observation wins.
  func known(_ side: Side) throws -> [KnownResource] {
    let values: [SQLValue] = [.integer(collection), .side(side)]
    let order = "WHERE collection = ?1 AND side = ?2 ORDER BY href_key"
    let seen = try db.rows(
      "SELECT \(Self.seenColumns) FROM observations \(order)", values, Self.seen)
    var known: [KnownResource] = []
    var next = seen.startIndex
    try db.forEachRow("SELECT \(Self.agreedColumns) FROM agreed_versions \(order)", values) {
      let agreed = Self.agreed($0)
      while next < seen.endIndex, seen[next].href < agreed.href {
        known.append(seen[next])
        next += 1
      }
      if next < seen.endIndex, seen[next].href == agreed.href {
        known.append(seen[next])
        next += 1
      } else {
        known.append(agreed)
      }
    }
    known += seen[next...]
    return known
  }

  func known(_ side: Side, hrefs: [Href]) throws -> [KnownResource] {
    try Set(hrefs).sorted().compactMap { href in
      let place = place(side, href)
      let seen = "SELECT \(Self.seenColumns) FROM observations WHERE \(Self.atPlace)"
      if let found = try db.row(seen, place, Self.seen) { return found }
      let agreed = "SELECT \(Self.agreedColumns) FROM agreed_versions WHERE \(Self.atPlace)"
      return try db.row(agreed, place, Self.agreed)
    }
  }

  func unread(_ side: Side) throws -> [Href] {
    try db.rows(
      """
      SELECT href_key, href FROM observations
      WHERE collection = ?1 AND side = ?2 AND state = 'unread' ORDER BY href_key
      """, [.integer(collection), .side(side)]
    ) { $0.href(key: 0, spelling: 1) }
  }

  private static func agreed(_ row: SQLRow) -> KnownResource {
    KnownResource(
      href: row.href(key: 0, spelling: 1), tag: row.tag(at: 2), digest: row.digest(4),
      isAgreed: true)
  }

  private static func seen(_ row: SQLRow) throws -> KnownResource {
    let state = try row.word(Glimpse.State.self, 5)
    return KnownResource(
      href: row.href(key: 0, spelling: 1), tag: row.tag(at: 2), digest: row.digest(4),
      isAgreed: false, isGone: state == .gone, wait: try wait(row, at: 6))
  }
}
