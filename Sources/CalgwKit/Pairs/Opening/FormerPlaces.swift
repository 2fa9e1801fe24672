import CalDAVStorage
import SQLiteJournal
import SyncModel

/// Where the sides of a pair were in its last run, as far as its configuration says.
extension PairStore {
  private func key(_ side: Side) -> String { "place \(side.rawValue)" }

  /// Keeps where a side is, for the next run's first look. A directory that is not there yet, and
  /// is not made by this run, is no place where anything was.
  func remember(_ side: Side, _ opened: OpenedSide) throws(JournalError) {
    if case .nothing = opened { return }
    try keepFormer(side, leftFor: opened.place)
    try remember(Array(opened.place.utf8), as: key(side))
    try rememberHomes(of: opened)
  }

  /// A run in another place may be about one collection, make none on this side, or be cut off: for
  /// those that it has not met there the side stays where it was.
  private func keepFormer(_ side: Side, leftFor place: String) throws(JournalError) {
    guard let former = try value(key(side)), former != Array(place.utf8) else { return }
    for record in try collections() {
      let own = Self.formerKey(record.identity.name, side)
      if try value(own) == nil { try setValue(former, for: own) }
    }
  }

  /// Under what it is kept where a side was when a collection was met there last; nothing where
  /// that is the place of the last run.
  static func formerKey(_ collection: String, _ side: Side) -> String {
    "place \(side.rawValue) of \(collection)"
  }

  /// Takes down that a collection is where both sides are now.
  func noteMet(_ collection: String) throws(JournalError) {
    for side in Side.allCases {
      let own = Self.formerKey(collection, side)
      if try value(own) != nil { try setValue(nil, for: own) }
    }
  }

  /// The sides that are another place than the one where a collection was met last.
  func sidesElsewhere(
    _ collection: String, than places: BothSides<String>
  ) throws(JournalError) -> Set<Side> {
    var sides: Set<Side> = []
    for side in Side.allCases {
      guard let former = try value(Self.formerKey(collection, side)) else { continue }
      if former != Array(places[side].utf8) { sides.insert(side) }
    }
    return sides
  }

  /// Keeps where an account's calendars are, and which of its homes answer; of a side that is none,
  /// or whose account nobody has found, nothing.
  func rememberHomes(of opened: OpenedSide) throws(JournalError) {
    guard case .account(let connection) = opened, let found = connection.account.found else {
      return
    }
    try remember(Array(found.encoded.utf8), as: connection.key(.location))
  }

  /// The side was another place. Before the first run it was none.
  func wasElsewhere(_ side: Side, than place: String) throws(JournalError) -> Bool {
    guard let kept = try value(key(side)) else { return false }
    return kept != Array(place.utf8)
  }

  /// The side was another directory than the one of a path, which may have been made since, or not
  /// yet: nothing that lacks there was deleted.
  func wasElsewhere(_ side: Side, thanDirectory path: String) throws(JournalError) -> Bool {
    try wasElsewhere(side, than: OpenedSide.place(ofDirectory: realPath(of: path)))
  }
}

extension PairMatching {
  /// The sides on which a known collection was never met in the place of now: it is not gone there.
  func elsewhere(_ record: CollectionRecord?) async throws(OpeningError) -> Set<Side> {
    guard let name = record?.identity.name else { return [] }
    let places = BothSides(local.place, remote.place)
    return try await recorded { () throws(JournalError) in
      try await store.sidesElsewhere(name, than: places)
    }
  }
}
