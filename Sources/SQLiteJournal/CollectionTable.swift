import GRDB
import SyncModel

/// The collections of a pair, within one transaction.
struct CollectionTable {
  typealias Known = (id: Int64, record: CollectionRecord)

  let db: Database

  private static let columns = """
    SELECT id, name, local_identity, remote_identity, folder, remote_href, remote_name,
      canonical_version
    FROM collections
    """
  private static let selected = "\(columns) WHERE retired_at IS NULL"

  func all() throws -> [Known] { try db.rows("\(Self.selected) ORDER BY name", [], Self.known) }

  /// Those out of use, the newest first.
  func retired() throws -> [Known] {
    try db.rows(
      "\(Self.columns) WHERE retired_at IS NOT NULL ORDER BY id DESC", [], Self.known)
  }

  func find(_ name: String) throws -> Known? {
    try db.row("\(Self.selected) AND name = ?1", [.text(name)], Self.known)
  }

  private static func known(_ row: SQLRow) -> Known {
    (
      row.integer(0),
      CollectionRecord(
        identity: CollectionIdentity(
          name: row.text(1), local: row.bytes(2), remote: row.bytes(3)),
        folder: row.bytes(4), remoteHref: row.bytes(5), remoteName: row.text(6),
        canonicalVersion: Int(row.integer(7)))
    )
  }

  func insert(_ record: CollectionRecord) throws -> Int64 {
    let id = try db.row(
      """
      INSERT INTO collections (name, local_identity, remote_identity, folder, remote_href,
        remote_name, canonical_version) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id
      """,
      [
        .text(record.identity.name), .blob(record.identity.local),
        .blob(record.identity.remote), .blob(record.folder), .blob(record.remoteHref),
        .text(record.remoteName), .integer(Int64(record.canonicalVersion)),
      ]
    ) { $0.integer(0) }
    guard let id else { throw damaged("a collection without a number") }
    return id
  }

  func update(_ record: CollectionRecord) throws {
    try db.run(
      """
      UPDATE collections SET folder = ?2, remote_href = ?3, remote_name = ?4
      WHERE name = ?1 AND retired_at IS NULL
      """,
      [
        .text(record.identity.name), .blob(record.folder), .blob(record.remoteHref),
        .text(record.remoteName),
      ])
  }

  func rename(_ name: String, to record: CollectionRecord) throws {
    try db.run(
      """
      UPDATE collections SET name = ?2, folder = ?3, local_identity = ?4
      WHERE name = ?1 AND retired_at IS NULL
      """,
      [
        .text(name), .text(record.identity.name), .blob(record.folder),
        .blob(record.identity.local),
      ])
  }

  /// Gives one side of a collection the identity, address and name of a record.
  func move(_ side: Side, of id: Int64, to record: CollectionRecord) throws {
    switch side {
    case .local:
      try db.run(
        "UPDATE collections SET local_identity = ?2, folder = ?3 WHERE id = ?1",
        [.integer(id), .blob(record.identity.local), .blob(record.folder)])
    case .remote:
      try db.run(
        """
        UPDATE collections SET remote_identity = ?2, remote_href = ?3, remote_name = ?4
        WHERE id = ?1
        """,
        [
          .integer(id), .blob(record.identity.remote), .blob(record.remoteHref),
          .text(record.remoteName),
        ])
    }
  }

  func identify(_ id: Int64, as identity: CollectionIdentity) throws {
    try db.run(
      "UPDATE collections SET local_identity = ?2, remote_identity = ?3 WHERE id = ?1",
      [.integer(id), .blob(identity.local), .blob(identity.remote)])
  }

  func itemsSetAside(under name: String) throws -> [ItemID: Set<ContentDigest>] {
    let versions = try db.rows(
      """
      SELECT DISTINCT uid, digest FROM agreed_versions
      WHERE collection IN (SELECT id FROM collections WHERE name = ?1 AND retired_at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM agreed_versions WHERE collection IN
          (SELECT id FROM collections WHERE name = ?1 AND retired_at IS NULL))
      """,
      [.text(name)]
    ) { (uid: ItemID(bytes: $0.bytes(0)), digest: ContentDigest(bytes: $0.bytes(1))) }
    return Dictionary(grouping: versions, by: \.uid).mapValues { Set($0.map(\.digest)) }
  }

  /// Takes a collection out of use; its rows stay until they are pruned.
  func retire(_ name: String, at now: Instant) throws {
    try db.run(
      "UPDATE collections SET retired_at = ?2 WHERE name = ?1 AND retired_at IS NULL",
      [.text(name), .integer(now.milliseconds)])
  }
}
