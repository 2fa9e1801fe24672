import GRDB
import SyncModel

extension Ledger {
  private static let selected = "SELECT side, \(VersionColumns.names) FROM agreed_versions"

  func agreementCount() throws -> Int {
    let sql = "SELECT count(*) FROM agreed_versions WHERE collection = ?1 AND side = 'local'"
    return Int(try db.row(sql, [.integer(collection)]) { $0.integer(0) } ?? 0)
  }

  func agreement(of uid: ItemID) throws -> Agreement? {
    try agreements(
      "\(Self.selected) WHERE collection = ?1 AND uid = ?2 ORDER BY uid, side",
      [.integer(collection), .blob(uid.bytes)]
    ).first
  }

  /// Those of some items that both sides share.
  func agreed(among uids: Set<ItemID>) throws -> Set<ItemID> {
    if try agreementCount() == 0 { return [] }
    let sql =
      "SELECT uid FROM agreed_versions WHERE collection = ?1 AND side = 'local' AND uid = ?2"
    return try uids.filter { uid in
      try db.row(sql, [.integer(collection), .blob(uid.bytes)]) { $0.bytes(0) } != nil
    }
  }

  /// The agreements that an observation touches by href or by UID, sorted by UID.
  func touchedAgreements() throws -> [Agreement] {
    try agreements(
      """
      \(Self.selected) WHERE collection = ?1 AND uid IN (
        SELECT agreed.uid FROM observations AS seen JOIN agreed_versions AS agreed
          ON agreed.collection = seen.collection AND agreed.side = seen.side
          AND agreed.href_key = seen.href_key
        WHERE seen.collection = ?1
        UNION SELECT uid FROM observations WHERE collection = ?1 AND state = 'read'
      ) ORDER BY uid, side
      """, [.integer(collection)])
  }

  /// All of them, sorted by UID.
  func allAgreements() throws -> [Agreement] {
    try agreements(
      "\(Self.selected) WHERE collection = ?1 ORDER BY uid, side", [.integer(collection)])
  }

  /// Rows come in pairs: the local version of a UID and then the remote one.
  private func agreements(_ sql: String, _ values: [SQLValue]) throws -> [Agreement] {
    var found: [Agreement] = []
    var local: ItemVersion?
    try db.forEachRow(sql, values) { row in
      let item = row.itemVersion(at: 1)
      switch try row.word(Side.self, 0) {
      case .local:
        guard local == nil else { throw damaged("an agreement without its remote version") }
        local = item
      case .remote:
        guard let other = local, other.uid == item.uid else {
          throw damaged("an agreement without its local version")
        }
        found.append(Agreement(uid: item.uid, local: other, remote: item))
        local = nil
      }
    }
    guard local == nil else { throw damaged("an agreement without its remote version") }
    return found
  }

  /// Puts an agreement in the place of the one of its UID.
  ///
  /// Rules (docs/journal.md): an observation that says what is now agreed is settled. A resource
  /// belongs to one agreement, and the later one has it: the other is dropped, and what it held on
  /// the other side is looked at again. `gone` is news of an agreement only, and what both sides
  /// shared at a vacated place is gone from there.
  func put(_ new: Agreement) throws {
    var evicted: [AgreedPlace] = []
    for side in Side.allCases {
      if let other = try holder(side, new[side].href), other != new.uid {
        evicted += try take(other)
      }
    }
    let old = try take(new.uid)
    for side in Side.allCases { try insert(new[side], uid: new.uid, side) }

    for place in old { try release(place.side, place.href) }
    for place in evicted { try lookAgain(at: place) }
    for side in Side.allCases {
      let isHere = old.contains { $0.side == side && $0.href == new[side].href }
      try settle(new[side], on: side, comesHere: !isHere)
      if new[side].href.isVacated { try noteGone(new[side].href, on: side) }
    }
  }

  /// Forgets an agreement; what is still there on a side stays observed.
  func remove(_ uid: ItemID) throws {
    for place in try take(uid) { try release(place.side, place.href) }
  }

  /// What an agreement that was taken out referred to.
  private struct AgreedPlace {
    let side: Side
    let href: Href
    let tag: EntityTag?
  }

  func holder(_ side: Side, _ href: Href) throws -> ItemID? {
    try db.row("SELECT uid FROM agreed_versions WHERE \(Self.atPlace)", place(side, href)) {
      ItemID(bytes: $0.bytes(0))
    }
  }

  private func take(_ uid: ItemID) throws -> [AgreedPlace] {
    try db.rows(
      """
      DELETE FROM agreed_versions WHERE collection = ?1 AND uid = ?2
      RETURNING side, href_key, href, tag, tag_is_strong
      """, [.integer(collection), .blob(uid.bytes)]
    ) { row in
      AgreedPlace(
        side: try row.word(Side.self, 0), href: row.href(key: 1, spelling: 2),
        tag: row.tag(at: 3))
    }.sorted { $0.side < $1.side }
  }

  private func insert(_ item: ItemVersion, uid: ItemID, _ side: Side) throws {
    var item = item
    item.uid = uid
    try db.run(
      """
      INSERT INTO agreed_versions (collection, side, \(VersionColumns.names))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
      """, [.integer(collection), .side(side)] + item.columns)
  }

  private func release(_ side: Side, _ href: Href) throws {
    guard try holder(side, href) == nil else { return }
    try db.run(
      "DELETE FROM observations WHERE \(Self.atPlace) AND state = 'gone'", place(side, href))
  }

  private func lookAgain(at old: AgreedPlace) throws {
    guard try holder(old.side, old.href) == nil else { return }
    if let seen = try glimpse(old.side, old.href) {
      if seen.state == .gone { try drop(old.side, old.href) }
    } else {
      try write(Observation(side: old.side, href: old.href, state: .unread(old.tag)))
    }
  }

  /// With what waits there already. It is gone since another item has its place.
  private func noteGone(_ href: Href, on side: Side) throws {
    if try glimpse(side, href) == nil {
      let taker = try glimpse(side, href.address)
      try write(
        Observation(
          side: side, href: href, state: .gone, since: taker?.since, missed: taker?.missed))
    }
  }

  /// When the former holder of the place went is not known of this one.
  private func settle(_ item: ItemVersion, on side: Side, comesHere: Bool) throws {
    guard let seen = try glimpse(side, item.href) else { return }
    if seen.shows(item.version) {
      try drop(side, item.href)
    } else if comesHere, seen.missed != nil, !item.href.isVacated {
      try db.run(
        "UPDATE observations SET missed_from = NULL, missed_to = NULL WHERE \(Self.atPlace)",
        place(side, item.href))
    }
  }
}
