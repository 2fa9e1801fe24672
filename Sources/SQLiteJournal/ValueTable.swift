import GRDB
public import SyncModel

/// What is kept of a pair beside its collections, by key.
struct ValueTable {
  let db: Database

  func value(_ key: String) throws -> [UInt8]? {
    try db.row("SELECT value FROM pair_values WHERE key = ?1", [.text(key)]) { $0.bytes(0) }
  }

  /// Of all keys that begin so.
  func values(under prefix: String) throws -> [String: [UInt8]] {
    let found = try db.rows(
      "SELECT key, value FROM pair_values WHERE substr(key, 1, length(?1)) = ?1", [.text(prefix)]
    ) { (key: $0.text(0), value: $0.bytes(1)) }
    return Dictionary(found.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// nil removes it.
  func set(_ value: [UInt8]?, for key: String) throws {
    guard let value else {
      return try db.run("DELETE FROM pair_values WHERE key = ?1", [.text(key)])
    }
    try db.run(
      "INSERT OR REPLACE INTO pair_values (key, value) VALUES (?1, ?2)", [.text(key), .blob(value)])
  }
}

extension PairStore {
  /// What was stored under the keys that begin so, by these.
  public func values(under prefix: String) throws(JournalError) -> [String: [UInt8]] {
    try connection.read { try ValueTable(db: $0).values(under: prefix) }
  }
}
