package import GRDB
import Glibc
import SyncModel

/// Brings a file to the present schema.
///
/// All steps and the new version number are one transaction, which is more than GRDB's
/// `DatabaseMigrator` promises, so the version is kept in the file's own header.
package struct Migrations: Sendable {
  /// Step n leads from version n to version n + 1.
  package let steps: [@Sendable (Database) throws -> Void]

  package init(steps: [@Sendable (Database) throws -> Void]) {
    self.steps = steps
  }

  package static let present = Migrations(steps: Schema.steps)

  package var newest: Int64 { Int64(steps.count) }

  package static func version(of db: Database) throws -> Int64 {
    try db.row("PRAGMA user_version", []) { $0.integer(0) } ?? 0
  }

  /// Refuses what is no journal, or one of a newer calgw; changes nothing.
  func check(_ db: Database, at place: String) throws {
    let application = try db.row("PRAGMA application_id", []) { $0.integer(0) } ?? 0
    let version = try Self.version(of: db)
    let names = try db.rows("SELECT type, name FROM sqlite_schema", []) {
      (type: $0.text(0), name: $0.text(1))
    }
    // A creation that was cut off has left an empty database.
    if application == 0, version == 0, names.isEmpty { return }
    guard application == Schema.applicationID else {
      throw JournalError(
        .unusable, "the file \(place) is a database of another program and no journal",
        hint: "move it away, or choose another `state_dir`")
    }
    guard version <= newest else {
      throw JournalError(
        .unusable,
        "the journal \(place) has schema \(version), of a newer calgw; this one knows \(newest)",
        hint: "use the newer calgw, or move the file away: the next sync is then a first sync")
    }
    guard version > 0 else { throw damaged("no schema version") }
    guard names.allSatisfy({ Self.isOurs($0.type, $0.name) }) else {
      throw JournalError(
        .unusable, "the journal \(place) contains tables or triggers that calgw never makes",
        hint: "move it away: the next sync is then a first sync, which deletes nothing")
    }
  }

  private static func isOurs(_ type: String, _ name: String) -> Bool {
    switch type {
    case "table": Schema.tables.contains(name) || name == "sqlite_sequence"
    case "index": Schema.indexes.contains(name) || name.hasPrefix("sqlite_autoindex_")
    default: false
    }
  }

  /// Gives the version that the file had and the backup made of it, where it had an older one.
  func run(_ queue: DatabaseQueue, on file: PrivateFile?) throws -> (from: Int64, backup: String)? {
    let old = try queue.inDatabase(Self.version)
    guard old < newest else { return nil }
    let backup = old > 0 ? try file.map { try backUp(queue, of: $0, version: old) } : nil
    try queue.inTransaction(.immediate) { db in
      let version = try Self.version(of: db)
      for step in steps.dropFirst(Int(version)) { try step(db) }
      try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
      try db.execute(sql: "PRAGMA user_version = \(newest)")
      return .commit
    }
    return backup.map { (old, $0) }
  }

  private func backUp(
    _ queue: DatabaseQueue, of file: PrivateFile, version: Int64
  ) throws -> String {
    let copy = PrivateFile(path: "\(file.path).v\(version)-backup")
    // One that is there is of an upgrade that did not come to its end.
    _ = unlink(copy.path)
    do {
      // SQLite takes an empty file that is there, so the copy is private from its first byte.
      try copy.create()
      try queue.inDatabase { try $0.run("VACUUM INTO ?", [.text(copy.path)]) }
      try copy.sync()
    } catch {
      _ = unlink(copy.path)
      throw error
    }
    return copy.path
  }
}
