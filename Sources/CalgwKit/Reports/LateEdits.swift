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
