import SQLiteJournal

/// A journal that was damaged is set aside and begun anew, and its log with it: who looks for a
/// version there is to know that, and where it may still be.
extension Gateway {
  /// Opens the journal of a pair to look at, and notes where nothing can be read in it since it is
  /// damaged now, or was lost.
  func openToLook(at pair: String, telling notices: inout [String]) async throws(RunFailure)
    -> PairStore
  {
    var found: [String] = []
    let store = try await opener.openStore(of: pair, .look, telling: &found)
    notices += found.map { "pair \(pair): \($0)" }
    return store
  }

  /// What the logs of these pairs have lost; nil: of all pairs, and of the edits.
  func lostHistory(of pairs: [String]? = nil) -> [String] {
    let named = pairs ?? configuration.pairs.map(\.name) + formerPairs
    var notices = named.compactMap { pair in
      lostHistory("the log of pair \(pair)", besides: opener.databasePath(of: pair))
    }
    // Of one that is there the opening tells it.
    notices += named.filter { !hasJournal($0) }.compactMap { pair in
      opener.lossOfJournal(of: pair, isGone: true, .look).map { "pair \(pair): \($0)" }
    }
    if pairs == nil, !configuration.isAdhoc {
      let edits = EditMemory.file(in: configuration.stateDirectory)
      notices += [lostHistory("the log of edits", besides: edits)].compactMap(\.self)
    }
    return notices
  }

  private func lostHistory(_ log: String, besides path: String) -> String? {
    let files = PairStore.damagedFiles(besides: path)
    guard let newest = files.last else { return nil }
    let others = files.count == 1 ? "" : " (and in \(files.count - 1) such before it)"
    return "\(log) was begun anew since its file was damaged; what it had until then may still be"
      + " in \(newest)\(others): look for it there with sqlite3, in the tables history, contents"
      + " and value_history, or remove what you do not need"
  }
}
