import GRDB
import SyncModel

/// The history of a pair, and what may be dropped of it.
struct HistoryTable {
  let db: Database

  private static let columns = """
    number, time, uid, side, action, reason, href_key, href, before, after
    """

  func entries(of uid: ItemID?, in collection: Int64) throws -> [RecordedHistoryEntry] {
    let all = "SELECT \(Self.columns) FROM history WHERE collection = ?1"
    let order = "ORDER BY number DESC"
    guard let uid else {
      return try db.rows("\(all) \(order)", [.integer(collection)]) { try Self.entry($0) }
    }
    return try db.rows("\(all) AND uid = ?2 \(order)", [.integer(collection), .blob(uid.bytes)]) {
      try Self.entry($0)
    }
  }

  private static let withNames = """
    SELECT \(columns), name, local_identity, remote_identity, counterpart_key FROM history
    JOIN collections ON collections.id = history.collection
    """

  /// Newest first, over all collections, those that were retired included.
  func entries(of uid: ItemID?, limit: Int?) throws -> [PairHistoryEntry] {
    let order = "ORDER BY number DESC LIMIT ?1"
    let most = SQLValue.integer(limit.map(Int64.init) ?? -1)
    guard let uid else { return try db.rows("\(Self.withNames) \(order)", [most], Self.named) }
    return try db.rows(
      "\(Self.withNames) WHERE uid = ?2 \(order)", [most, .blob(uid.bytes)], Self.named)
  }

  func lastDeletion() throws -> Instant? {
    try db.row("SELECT time FROM history WHERE action = 'deleted' ORDER BY number DESC LIMIT 1", [])
    { $0.instant(0) } ?? nil
  }

  func entry(_ number: Int64) throws -> PairHistoryEntry? {
    try db.row("\(Self.withNames) WHERE number = ?1", [.integer(number)], Self.named)
  }

  private static func named(_ row: SQLRow) throws -> PairHistoryEntry {
    PairHistoryEntry(
      collection: row.text(10), localIdentity: row.bytes(11), remoteIdentity: row.bytes(12),
      counterpart: row.optionalBytes(13).map { Href($0).address }, recorded: try entry(row))
  }

  private static func entry(_ row: SQLRow) throws -> RecordedHistoryEntry {
    guard let time = row.instant(1) else { throw damaged("a history entry without its time") }
    return RecordedHistoryEntry(
      number: row.integer(0),
      entry: HistoryEntry(
        time: time, uid: ItemID(bytes: row.bytes(2)), side: try row.word(Side.self, 3),
        action: try row.word(HistoryEntry.Action.self, 4), reason: row.text(5),
        href: row.href(key: 6, spelling: 7), before: row.digest(8), after: row.digest(9)))
  }

  /// Drops what is both older than the limit and beyond the newest versions of its item, in the
  /// collection (nil: in all) and in the retired ones, and no side of a conflict that waits; so
  /// with the changes of values; then what retired ones agreed on before the limit; then the texts
  /// that nothing refers to.
  func prune(_ collection: Int64?, olderThan: Instant, versionsAnItem: Int) throws {
    let limit = SQLValue.integer(olderThan.milliseconds)
    try db.run(
      """
      DELETE FROM history WHERE number IN (
        SELECT number FROM (
          SELECT number, time,
            row_number() OVER (PARTITION BY collection, uid ORDER BY number DESC) AS rank
          FROM history WHERE ?1 IS NULL OR collection = ?1
            OR collection IN (SELECT id FROM collections WHERE retired_at IS NOT NULL))
        WHERE rank > ?2 AND time < ?3)
      AND NOT (action = 'conflict' AND EXISTS (
        SELECT 1 FROM observations WHERE observations.collection = history.collection
          AND observations.uid = history.uid AND wait = 'conflict'))
      """, [.optional(collection), .integer(Int64(versionsAnItem)), limit])
    try ValueHistoryTable(db: db).prune(
      collection, olderThan: olderThan, changesAValue: versionsAnItem)
    try dropUnusedMarks()
    for table in ["agreed_versions", "observations", "cursors", "intents"] {
      try db.run(
        """
        DELETE FROM \(table)
        WHERE collection IN (SELECT id FROM collections WHERE retired_at < ?1)
        """, [limit])
    }
    try db.run(
      """
      DELETE FROM collections WHERE retired_at < ?1
        AND NOT EXISTS (SELECT 1 FROM history WHERE history.collection = collections.id)
        AND NOT EXISTS (SELECT 1 FROM value_history WHERE collection = collections.id)
      """, [limit])
    try dropUnreferencedContents()
  }

  /// How many versions there are, those of values included, and the bytes of all texts.
  func size() throws -> PrunedHistory {
    let values = try ValueHistoryTable(db: db).size()
    let versions = try db.row("SELECT count(*) FROM history", []) { $0.integer(0) } ?? 0
    let bytes =
      try db.row("SELECT coalesce(sum(length(bytes)), 0) FROM contents", []) { $0.integer(0) } ?? 0
    return PrunedHistory(versions: versions + values.versions, bytes: bytes + values.bytes)
  }

  private func dropUnreferencedContents() throws {
    try db.run(
      """
      DELETE FROM contents WHERE digest NOT IN (
        SELECT digest FROM agreed_versions
        UNION ALL SELECT digest FROM observations WHERE digest IS NOT NULL
        UNION ALL SELECT expected_digest FROM intents WHERE expected_digest IS NOT NULL
        UNION ALL SELECT new_digest FROM intents WHERE new_digest IS NOT NULL
        UNION ALL SELECT digest FROM intent_sources
        UNION ALL SELECT before FROM history WHERE before IS NOT NULL
        UNION ALL SELECT after FROM history WHERE after IS NOT NULL)
      """, [])
  }
}
