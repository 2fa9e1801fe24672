import SQLiteJournal
import SyncExecution
import SyncModel

extension PairReport {
  /// Says that what somebody saved into files that calgw had taken away is in the log alone.
  ///
  /// - Parameter collection: its name.
  mutating func note(lateEdits files: Set<Href>, in collection: String) {
    let place = "\(pair)/\(collection)"
    let log = shellCommand("log", options: ["--content"], argument: place)
    for file in files.sorted() {
      notices += [
        "\(place): what was saved into \(visibleText(file.text, limit: 100)) after calgw had put"
          + " another text there is in the log alone",
        "to see it: `\(log)`, to bring it back: `calgw restore ID`",
      ]
    }
  }
}

extension Gateway {
  /// The files of those that no event command of calgw's own has left there: what such a one
  /// replaces beside a running sync is in its own history.
  func strangeOnes(of edits: [LateEdit]) async -> Set<Href> {
    if edits.isEmpty { return [] }
    var own: Set<ContentDigest> = []
    if hasEditHistory, let store = try? openEditCopy(),
      let known = try? await store.contents(edits.map(\.content))
    {
      own = Set(known.keys)
    }
    return Set(edits.filter { !own.contains($0.content) }.map(\.href))
  }
}
