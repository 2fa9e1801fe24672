import GRDB
import SyncModel

extension Ledger {
  /// What names resources of a side, and in which rows.
  private static func places(on side: Side) -> [(table: String, rows: String)] {
    let own = "collection = ?1 AND side = '\(side.rawValue)'"
    let opposite = "collection = ?1 AND side = '\(side.opposite.rawValue)'"
    return [
      ("agreed_versions", own), ("observations", own), ("intents", own),
      // What a write to the one side is a copy of is on the other.
      ("intent_sources", "intent IN (SELECT id FROM intents WHERE \(opposite))"),
    ]
  }

  /// Gives every resource of a side the address that it has once its collection has another one,
  /// and forgets how far the collection was listed. Only resources that lie side by side can be
  /// told their new addresses: gives false, and changes nothing, where that is not so. History
  /// stays as it was.
  func move(_ side: Side, to address: Href) throws -> Bool {
    var moves: [(table: String, rows: String, from: Href, to: Href)] = []
    var directories: Set<[UInt8]> = []
    for (table, rows) in Self.places(on: side) {
      let hrefs = try db.rows(
        "SELECT DISTINCT href_key, href FROM \(table) WHERE \(rows)", [.integer(collection)]
      ) { $0.href(key: 0, spelling: 1) }
      for href in hrefs {
        let (directory, name) = split(href.key)
        directories.insert(directory)
        let moved = Href(
          spelling: address.spelling + split(href.spelling).name, key: address.key + name)
        moves.append((table, rows, href, moved))
      }
    }
    guard directories.count <= 1 else { return false }
    for move in moves {
      try db.run(
        "UPDATE \(move.table) SET href_key = ?3, href = ?4 WHERE \(move.rows) AND href_key = ?2",
        [
          .integer(collection), .blob(move.from.key), .blob(move.to.key), .blob(move.to.spelling),
        ])
    }
    try forgetCursor(side)
    return true
  }

  /// What comes up to the last slash, and what after it. A UID at a vacated place may have slashes.
  private func split(_ path: [UInt8]) -> (directory: [UInt8], name: [UInt8]) {
    let end = path.prefix { $0 != 0 }.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return (Array(path[..<end]), Array(path[end...]))
  }
}
