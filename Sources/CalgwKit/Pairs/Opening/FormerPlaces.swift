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
    try remember(Array(opened.place.utf8), as: key(side))
    try rememberHomes(of: opened)
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
