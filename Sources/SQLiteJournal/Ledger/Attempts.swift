import GRDB
import SyncModel

/// The history of writes that may be tried again. The entry of one is marked until the sides agree
/// on the item, since a success and an attempt look alike in the history.
extension Ledger {
  /// The same as `append` for writes that are about to happen: one that is tried again has its
  /// entry already.
  func appendAttempts(_ entries: [HistoryEntry]) throws {
    for entry in entries {
      if let number = try earlierAttempt(entry) {
        try renew(number, entry)
      } else {
        let number = try append(entry)
        try ValueTable(db: db).set([], for: "\(Self.mark)\(number)")
      }
    }
  }

  /// What was written of an item until now is done: what comes is no other try of it.
  func settleAttempts(_ uid: ItemID) throws {
    try db.run(
      """
      DELETE FROM pair_values WHERE key IN (
        SELECT '\(Self.mark)' || number FROM history WHERE collection = ?1 AND uid = ?2)
      """, [.integer(collection), .blob(uid.bytes)])
  }

  /// With the entry's number, the key of what marks it.
  static let mark = "attempt/"

  /// The newest entry of the item on this side, where the sides have not agreed on the item since,
  /// the same was to become of the same content, and nothing else of the item later: an attempt may
  /// have an entry for each side.
  private func earlierAttempt(_ entry: HistoryEntry) throws -> Int64? {
    guard let before = entry.before else { return nil }
    return try db.row(
      """
      SELECT number FROM (
        SELECT number, action, before, time FROM history
        WHERE collection = ?1 AND uid = ?2 AND side = ?3 ORDER BY number DESC LIMIT 1) AS newest
      WHERE action = ?4 AND before = ?5
        AND EXISTS (SELECT 1 FROM pair_values WHERE key = '\(Self.mark)' || newest.number)
        AND NOT EXISTS (
          SELECT 1 FROM history AS later
          WHERE later.collection = ?1 AND later.uid = ?2 AND later.number > newest.number
            AND later.time > newest.time + ?6)
      """,
      [
        .integer(collection), .blob(entry.uid.bytes), .side(entry.side),
        .text(entry.action.rawValue), .blob(before.bytes), .integer(HistoryEntry.oneAttempt),
      ]
    ) { $0.integer(0) }
  }

  private func renew(_ number: Int64, _ entry: HistoryEntry) throws {
    try db.run(
      """
      UPDATE history SET time = ?2, reason = ?3, href_key = ?4, href = ?5, after = ?6,
        counterpart_key = coalesce((
          SELECT agreed.href_key FROM agreed_versions AS agreed
          WHERE agreed.collection = history.collection AND agreed.uid = history.uid
            AND agreed.side <> history.side), counterpart_key)
      WHERE number = ?1
      """,
      [
        .integer(number), .integer(entry.time.milliseconds), .text(entry.reason),
        .blob(entry.href.key), .blob(entry.href.spelling), .optional(entry.after?.bytes),
      ])
  }
}

extension HistoryTable {
  /// Drops the marks of entries that are gone.
  func dropUnusedMarks() throws {
    try db.run(
      """
      DELETE FROM pair_values WHERE key GLOB '\(Ledger.mark)*' AND key NOT IN (
        SELECT '\(Ledger.mark)' || number FROM history)
      """, [])
  }
}
