import GRDB
public import SyncModel

/// A change of a value as the pair's store keeps it, and its collection, which may be out of use.
public struct PairValueEntry: Sendable, Hashable {
  /// Never used again.
  public var number: Int64
  /// What the collection is, or was last; another one may have its name now.
  public var identity: CollectionIdentity
  public var change: ValueChange
}

extension PairStore {
  /// Keeps what is about to be written over in a collection in use. One that is tried again keeps
  /// its number. Does nothing where no collection has the name.
  ///
  /// - Returns: their numbers, in the order of the changes.
  public func keep(_ changes: [ValueChange], of name: String) throws(JournalError) -> [Int64] {
    try connection.write { db in
      guard let id = try CollectionTable(db: db).find(name)?.id else { return [] }
      return try changes.map { try ValueHistoryTable(db: db).keep($0, of: id) }
    }
  }

  /// Drops changes that a side did not take, so that nothing of it was replaced.
  public func dropValueChanges(_ numbers: [Int64]) throws(JournalError) {
    try connection.write { db in try numbers.forEach(ValueHistoryTable(db: db).drop) }
  }

  /// The changes of values, newest first, of all collections, those that were set aside or
  /// forgotten included.
  public func valueHistory() throws(JournalError) -> [PairValueEntry] {
    try connection.read { try ValueHistoryTable(db: $0).entries() }
  }

  /// The change with this number, of any collection; nil where there is none, or none any more.
  public func valueEntry(_ number: Int64) throws(JournalError) -> PairValueEntry? {
    try connection.read { try ValueHistoryTable(db: $0).entry(number) }
  }
}

/// The history of names, colours and the like of a pair's collections.
struct ValueHistoryTable {
  let db: Database

  private static let selected = """
    SELECT number, time, side, key, before, after, name, local_identity, remote_identity
    FROM value_history JOIN collections ON collections.id = value_history.collection
    """

  func entries() throws -> [PairValueEntry] {
    try db.rows("\(Self.selected) ORDER BY number DESC", [], Self.entry)
  }

  func entry(_ number: Int64) throws -> PairValueEntry? {
    try db.row("\(Self.selected) WHERE number = ?1", [.integer(number)], Self.entry)
  }

  private static func entry(_ row: SQLRow) throws -> PairValueEntry {
    guard let time = row.instant(1) else { throw damaged("a change of a value without its time") }
    return PairValueEntry(
      number: row.integer(0),
      identity: CollectionIdentity(name: row.text(6), local: row.bytes(7), remote: row.bytes(8)),
      change: ValueChange(
        time: time, side: try row.word(Side.self, 2), key: try row.word(MetadataKey.self, 3),
        before: row.optionalText(4), after: row.optionalText(5)))
  }

  func keep(_ change: ValueChange, of collection: Int64) throws -> Int64 {
    if let number = try earlierAttempt(change, of: collection) {
      try db.run(
        "UPDATE value_history SET time = ?2, after = ?3 WHERE number = ?1",
        [.integer(number), .integer(change.time.milliseconds), .optional(change.after)])
      return number
    }
    let number = try db.row(
      """
      INSERT INTO value_history (collection, time, side, key, before, after)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6) RETURNING number
      """,
      [
        .integer(collection), .integer(change.time.milliseconds), .side(change.side),
        .text(change.key.rawValue), .optional(change.before), .optional(change.after),
      ]
    ) { $0.integer(0) }
    guard let number else { throw damaged("a change of a value without a number") }
    return number
  }

  /// The newest change of the value, where it replaced the same on the same side.
  private func earlierAttempt(_ change: ValueChange, of collection: Int64) throws -> Int64? {
    try db.row(
      """
      SELECT number FROM (
        SELECT number, side, before FROM value_history
        WHERE collection = ?1 AND key = ?2 ORDER BY number DESC LIMIT 1)
      WHERE side = ?3 AND before IS ?4
      """,
      [
        .integer(collection), .text(change.key.rawValue), .side(change.side),
        .optional(change.before),
      ]
    ) { $0.integer(0) }
  }

  func drop(_ number: Int64) throws {
    try db.run("DELETE FROM value_history WHERE number = ?1", [.integer(number)])
  }

  /// Drops what is both older than the limit and beyond the newest changes of its value, in the
  /// collection (nil: in all) and in the retired ones.
  func prune(_ collection: Int64?, olderThan: Instant, changesAValue: Int) throws {
    try db.run(
      """
      DELETE FROM value_history WHERE number IN (
        SELECT number FROM (
          SELECT number, time,
            row_number() OVER (PARTITION BY collection, key ORDER BY number DESC) AS rank
          FROM value_history WHERE ?1 IS NULL OR collection = ?1
            OR collection IN (SELECT id FROM collections WHERE retired_at IS NOT NULL))
        WHERE rank > ?2 AND time < ?3)
      """,
      [
        .optional(collection), .integer(Int64(changesAValue)), .integer(olderThan.milliseconds),
      ])
  }

  /// How many changes there are, and the bytes of their texts.
  func size() throws -> PrunedHistory {
    let sizes = try db.row(
      """
      SELECT count(*), coalesce(sum(coalesce(length(CAST(before AS BLOB)), 0)
        + coalesce(length(CAST(after AS BLOB)), 0)), 0) FROM value_history
      """, []
    ) { PrunedHistory(versions: $0.integer(0), bytes: $0.integer(1)) }
    return sizes ?? PrunedHistory()
  }
}
