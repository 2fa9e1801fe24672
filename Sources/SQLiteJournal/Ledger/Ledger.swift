import GRDB
import SyncModel

/// The rows of one collection within one transaction: the rules of the journal in SQL.
///
/// The same rules stand in plain Swift in the journal in memory; a test runs both through the same
/// calls and compares every answer.
struct Ledger {
  let db: Database
  let collection: Int64

  /// A row's place: `collection = ?1 AND side = ?2 AND href_key = ?3`.
  func place(_ side: Side, _ href: Href) -> [SQLValue] {
    [.integer(collection), .side(side), .blob(href.key)]
  }

  static let atPlace = "collection = ?1 AND side = ?2 AND href_key = ?3"

  func cursor(_ side: Side) throws -> SyncModel.Cursor? {
    try db.row(
      "SELECT bytes FROM cursors WHERE collection = ?1 AND side = ?2",
      [.integer(collection), .side(side)]
    ) { SyncModel.Cursor(bytes: $0.bytes(0)) }
  }

  func setCursor(_ cursor: SyncModel.Cursor, _ side: Side) throws {
    try db.run(
      "INSERT OR REPLACE INTO cursors (collection, side, bytes) VALUES (?1, ?2, ?3)",
      [.integer(collection), .side(side), .blob(cursor.bytes)])
  }

  func forgetCursor(_ side: Side) throws {
    try db.run(
      "DELETE FROM cursors WHERE collection = ?1 AND side = ?2",
      [.integer(collection), .side(side)])
  }

  /// Keeps texts; one that is there in a damaged form is made whole.
  func store(_ contents: [StoredContent]) throws {
    for content in contents {
      try db.run(
        """
        INSERT INTO contents (digest, bytes) VALUES (?1, ?2)
        ON CONFLICT (digest) DO UPDATE SET bytes = excluded.bytes WHERE bytes <> excluded.bytes
        """, [.blob(content.digest.bytes), .blob(content.data.bytes)])
    }
  }

  func append(_ entries: [HistoryEntry]) throws {
    for entry in entries { _ = try append(entry) }
  }

  /// Gives the number of the entry.
  func append(_ entry: HistoryEntry) throws -> Int64 {
    let number = try db.row(
      """
      INSERT INTO history (collection, time, uid, side, action, reason, href_key, href, before,
        after, counterpart_key) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, (
          SELECT agreed.href_key FROM agreed_versions AS agreed
          WHERE agreed.collection = ?1 AND agreed.uid = ?3 AND agreed.side <> ?4))
      RETURNING number
      """,
      [
        .integer(collection), .integer(entry.time.milliseconds), .blob(entry.uid.bytes),
        .side(entry.side), .text(entry.action.rawValue), .text(entry.reason),
        .blob(entry.href.key), .blob(entry.href.spelling), .optional(entry.before?.bytes),
        .optional(entry.after?.bytes),
      ]
    ) { $0.integer(0) }
    guard let number else { throw damaged("a history entry without a number") }
    return number
  }
}

extension Database {
  /// The texts for digests; one that does not have its digest any more counts as not kept.
  func contents(
    _ digests: [ContentDigest], checkedBy digest: DigestFunction
  ) throws -> [ContentDigest: ItemData] {
    var found: [ContentDigest: ItemData] = [:]
    for wanted in digests where found[wanted] == nil {
      let bytes = try row("SELECT bytes FROM contents WHERE digest = ?1", [.blob(wanted.bytes)]) {
        $0.bytes(0)
      }
      if let bytes, digest(bytes) == wanted { found[wanted] = ItemData(bytes: bytes) }
    }
    return found
  }

  /// The lengths of texts, which stand in their rows' heads.
  func sizes(of digests: [ContentDigest]) throws -> [ContentDigest: Int] {
    var sizes: [ContentDigest: Int] = [:]
    for wanted in digests where sizes[wanted] == nil {
      sizes[wanted] = try row(
        "SELECT length(bytes) FROM contents WHERE digest = ?1", [.blob(wanted.bytes)]
      ) { $0.integer(0) }.map { Int(clamping: $0) }
    }
    return sizes
  }
}
