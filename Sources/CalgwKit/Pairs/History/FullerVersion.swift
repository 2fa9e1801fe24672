import SQLiteJournal
import SyncExecution
import SyncModel

/// What the folder had of an item of which a server never kept all. The log has it beside the
/// server's text, in the entry right before that one's, of the same change.
struct FullerVersion: Sendable {
  /// What `restore` takes.
  var id: String
  var text: ItemData
  var place: FormerPlace
  /// The server's text is what it kept of this one, and nobody has changed it there: who takes the
  /// change back means what he had. Else each is a version of its own.
  var isOfSame: Bool
}

extension Gateway {
  /// The one that the log has beside an entry of the server's text; nil where it has none, or where
  /// its bytes were damaged.
  func fullerVersion(
    than entry: PairHistoryEntry, of pair: PairConfiguration, in store: PairStore
  ) async throws(RunFailure) -> FullerVersion? {
    let number = entry.recorded.number - 1
    let found = try await journaled(pair) { () throws(JournalError) in
      let other = try await store.historyEntry(number)
      let digest = other?.recorded.entry.before
      let texts = try await store.contents([digest].compactMap { $0 })
      return (entry: other, text: digest.flatMap { texts[$0] })
    }
    guard let other = found.entry, let text = found.text, other.isFuller(than: entry) else {
      return nil
    }
    let kept = other.recorded.entry
    return FullerVersion(
      id: "\(pair.name)/\(number)", text: text,
      place: FormerPlace(side: kept.side, href: kept.href, counterpart: other.counterpart),
      isOfSame: ["changed here", "deleted here"].contains(entry.recorded.entry.reason))
  }
}

extension PairHistoryEntry {
  /// As the sync words it that writes both entries.
  private static let neverKept = "the remote side never kept all of it"

  /// A sync has made it for what another entry, of the same change, lacks.
  fileprivate func isFuller(than other: PairHistoryEntry) -> Bool {
    let (here, there) = (recorded.entry, other.recorded.entry)
    guard here.side == .local, there.side == .remote, here.reason == Self.neverKept else {
      return false
    }
    guard here.uid == there.uid, here.action == there.action, identity == other.identity else {
      return false
    }
    return (0...HistoryEntry.oneAttempt).contains(there.time.milliseconds(since: here.time))
  }
}

extension PairReport {
  /// Says which of two versions has come back, or which other one has more.
  ///
  /// - Parameter id: of the version that was asked for.
  mutating func note(fuller version: FullerVersion?, than id: String) {
    guard let version else { return }
    if version.isOfSame {
      notices.append(
        "\(id) is what the remote side kept of it: what comes back is \(version.id), which the"
          + " local side had")
    } else {
      let command = shellCommand("restore", argument: version.id)
      notices += [
        "what the local side had before has more than this version",
        "to bring that back instead: `\(command)`",
      ]
    }
  }
}
