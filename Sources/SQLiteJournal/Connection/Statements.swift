import GRDB
import GRDBSQLite
import SyncModel

/// A value as SQLite stores it.
///
/// GRDB's own bindings turn empty bytes into NULL and cut texts at a NUL; what comes from outside
/// may be either, so values are bound and read here.
enum SQLValue: Sendable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  static func optional(_ bytes: [UInt8]?) -> SQLValue { bytes.map(SQLValue.blob) ?? .null }
  static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
  static func optional(_ number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }
  static func flag(_ value: Bool) -> SQLValue { .integer(value ? 1 : 0) }
  static func side(_ side: Side) -> SQLValue { .text(side.rawValue) }

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    let copied = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
    switch self {
    case .null:
      return sqlite3_bind_null(statement, index)
    case .integer(let number):
      return sqlite3_bind_int64(statement, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_text(statement, index, "", 0, copied)
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            statement, index, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob64(statement, index, $0.baseAddress, UInt64($0.count), copied)
      }
    }
  }
}

/// A row of a running statement; its columns count from 0.
struct SQLRow {
  fileprivate let statement: OpaquePointer

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }
  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
  func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}

extension Database {
  /// Runs a statement and makes something of each row. No other statement of the same text may run
  /// inside `body`.
  func rows<T>(
    _ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> T
  ) throws -> [T] {
    var found: [T] = []
    try forEachRow(sql, values) { found.append(try body($0)) }
    return found
  }

  /// The first row, if there is one.
  func row<T>(
    _ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> T
  ) throws -> T? {
    try rows(sql, values, body).first
  }

  /// Runs a statement that gives no rows.
  func run(_ sql: String, _ values: [SQLValue]) throws {
    try forEachRow(sql, values) { _ in }
  }

  func forEachRow(
    _ sql: String, _ values: [SQLValue], _ body: (SQLRow) throws -> Void
  ) throws {
    let statement = try cachedStatement(sql: sql).sqliteStatement
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let code = value.bind(to: statement, at: Int32(truncatingIfNeeded: index &+ 1))
      guard code == SQLITE_OK else { throw failure(code) }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try body(SQLRow(statement: statement))
      case SQLITE_DONE: return
      case let code: throw failure(code)
      }
    }
  }

  private func failure(_ code: Int32) -> DatabaseError {
    let words = sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: words)
  }
}
