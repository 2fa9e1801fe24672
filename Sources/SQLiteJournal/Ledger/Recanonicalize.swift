import GRDB
import SyncModel

extension Ledger {
  /// Gives every version of the collection the canonical digest of its text by a new rule.
  func recanonicalize(
    to version: Int, by rule: (ItemData) -> ContentDigest?, checkedBy digest: DigestFunction
  ) throws {
    let digests = try db.rows(
      """
      SELECT digest FROM agreed_versions WHERE collection = ?1
      UNION SELECT digest FROM observations WHERE collection = ?1 AND state = 'read'
      UNION SELECT source.digest FROM intent_sources AS source
        JOIN intents ON intents.id = source.intent WHERE collection = ?1
      """, [.integer(collection)]
    ) { ContentDigest(bytes: $0.bytes(0)) }

    try db.execute(
      sql: """
        CREATE TEMP TABLE renewed (digest BLOB PRIMARY KEY, canonical BLOB NOT NULL) WITHOUT ROWID
        """)
    for wanted in digests {
      let text = try db.contents([wanted], checkedBy: digest)[wanted]
      try db.run(
        "INSERT INTO renewed (digest, canonical) VALUES (?1, ?2)",
        [.blob(wanted.bytes), .blob((text.flatMap(rule) ?? wanted).bytes)])
    }
    try renew("agreed_versions", "collection = ?1")
    try renew("observations", "collection = ?1 AND state = 'read'")
    try renew(
      "intent_sources", "intent IN (SELECT id FROM intents WHERE collection = ?1)")
    try db.execute(sql: "DROP TABLE temp.renewed")
    // What is out of the window was judged by the texts, too.
    try db.run(
      """
      UPDATE observations SET wait = NULL, window_after = NULL, window_until = NULL
      WHERE collection = ?1 AND wait = 'window'
      """, [.integer(collection)])
    try db.run(
      "UPDATE collections SET canonical_version = ?2 WHERE id = ?1",
      [.integer(collection), .integer(Int64(version))])
  }

  private func renew(_ table: String, _ rows: String) throws {
    try db.run(
      """
      UPDATE \(table) SET canonical = (
        SELECT renewed.canonical FROM renewed WHERE renewed.digest = \(table).digest)
      WHERE \(rows)
      """, [.integer(collection)])
  }
}
