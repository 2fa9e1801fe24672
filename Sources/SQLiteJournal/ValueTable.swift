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

  /// Of the key itself, and what was added to it: each with what its key has behind this one.
  func all(of key: String) throws -> [(suffix: String, value: [UInt8])] {
    try db.rows(
      "SELECT substr(key, length(?1) + 1), value FROM pair_values WHERE \(Self.isOfKey)",
      [.text(key)]
    ) { (suffix: $0.text(0), value: $0.bytes(1)) }
  }

  func removeAll(of key: String) throws {
    try db.run("DELETE FROM pair_values WHERE \(Self.isOfKey)", [.text(key)])
  }

  /// Beside what the key has; none of that is written anew.
  func add(_ value: [UInt8], to key: String) throws {
    try db.run(
      """
      INSERT INTO pair_values (key, value)
        SELECT ?1 || '/' || (1 + count(*)), ?2 FROM pair_values WHERE \(Self.wasAddedToKey)
      """, [.text(key), .blob(value)])
  }

  private static let isOfKey = "key = ?1 OR \(wasAddedToKey)"

  /// Behind the key there is a slash, and a number. The byte after the slash is that of 0.
  private static let wasAddedToKey = "key > ?1 || '/' AND key < ?1 || '0'"

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

  /// Stores a value beside those that a key has, none of which is written anew. `values(under:)`
  /// has it, by the key with a slash and a number behind it.
  public func addValue(_ value: [UInt8], to key: String) throws(JournalError) {
    try connection.write { try ValueTable(db: $0).add(value, to: key) }
  }
}
