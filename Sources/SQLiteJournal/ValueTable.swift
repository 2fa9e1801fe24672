import GRDB

/// What is kept of a pair beside its collections, by key.
struct ValueTable {
  let db: Database

  func value(_ key: String) throws -> [UInt8]? {
    try db.row("SELECT value FROM pair_values WHERE key = ?1", [.text(key)]) { $0.bytes(0) }
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
