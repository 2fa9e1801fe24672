import SQLiteJournal
import SyncExecution
import SyncModel

/// What has gone to another calendar of its pair is brought back by a move. In its old calendar a
/// version of it would be a second item of its UID.
extension Gateway {
  /// Throws where that is so of an entry of a pair's log: of the move itself, or of an older one.
  func refuseMoved(
    _ entry: PairHistoryEntry, of pair: PairConfiguration, in store: PairStore, id: String
  ) async throws(RunFailure) {
    let records = try await journaled(pair) { () throws(JournalError) in
      try await store.collections()
    }
    let isMove = entry.recorded.entry.action == .moved
    try await refuseMoved(
      entry.recorded.entry.uid, outOf: records.name(of: entry), of: pair, in: store,
      again: isMove ? nil : id)
  }

  /// The same of an entry of what event commands replaced.
  func refuseMoved(
    _ entry: HistoryEntry, in folder: EventFolder, id: String
  ) async throws(RunFailure) {
    guard let former = folder.collection,
      let pair = configuration.pairs.first(where: { $0.name == folder.pair })
    else { return }
    // What was moved before a first sync has no journal yet.
    var store: PairStore?
    if hasJournal(pair.name) { store = try opener.openStore(pair, .look) { _ in } }
    let isMove = entry.reason.hasPrefix(MoveReport.reason)
    try await refuseMoved(
      entry.uid, outOf: former, of: pair, in: store, again: isMove ? nil : id)
  }

  /// - Parameter id: of a version that is older than the move, or of the deletion that it led to;
  ///   nil: it is the move itself.
  private func refuseMoved(
    _ uid: ItemID, outOf former: String, of pair: PairConfiguration, in store: PairStore?,
    again id: String?
  ) async throws(RunFailure) {
    if id != nil {
      let wasMoved = try await wasMoved(uid, outOf: former, of: pair, in: store)
      guard wasMoved else { return }
    }
    let places = try await collections(with: uid, of: pair, in: store)
    guard !places.contains(former), let place = places.first else { return }
    throw RunFailure.movedAway(uid, from: former, to: place, of: pair, again: id)
  }

  /// Whether the log tells of a move: of one on the server, or by an event command. An item of
  /// which it tells none may have a namesake in the other collection.
  private func wasMoved(
    _ uid: ItemID, outOf former: String, of pair: PairConfiguration, in store: PairStore?
  ) async throws(RunFailure) -> Bool {
    if let store {
      let (entries, records) = try await journaled(pair) { () throws(JournalError) in
        (try await store.history(of: uid), try await store.collections())
      }
      let isMoved = entries.contains {
        $0.recorded.entry.action == .moved && records.name(of: $0) == former
      }
      if isMoved { return true }
    }
    return try await wasMovedByCommand(uid, outOf: former, of: pair)
  }

  /// Whether an event command has moved an item out of a collection, to wherever.
  func wasMovedByCommand(
    _ uid: ItemID, outOf former: String, of pair: PairConfiguration
  ) async throws(RunFailure) -> Bool {
    let edits = try await editVersions(
      uid: uid, LogTexts(areWanted: false, areTitlesWanted: false))
    return edits.contains {
      $0.pair == pair.name && $0.collection == former
        && $0.entry.reason.hasPrefix(MoveReport.reason)
    }
  }

  /// The names of the collections of a pair that have an item: by their folders, which a move
  /// changes first, or where the local side has none by what both sides share.
  private func collections(
    with uid: ItemID, of pair: PairConfiguration, in store: PairStore?
  ) async throws(RunFailure) -> [String] {
    var names: [String] = []
    if pair.hasFolders {
      let finder = office().finder
      for folder in try await finder.folders.folders(of: pair) {
        let files = try await finder.files(of: uid, in: folder)
        if !files.isEmpty, let name = folder.collection { names.append(name) }
      }
      return names
    }
    guard let store else { return [] }
    let records = try await journaled(pair) { () throws(JournalError) in
      try await store.collections()
    }
    for record in records {
      let isThere = try await journaled(pair) { () throws(JournalError) in
        try await store.shares(uid, in: [record])
      }
      if isThere { names.append(record.identity.name) }
    }
    return names
  }
}

extension [CollectionRecord] {
  /// What the collection of an entry is called by now: its folder may have got another name since.
  fileprivate func name(of entry: PairHistoryEntry) -> String {
    first { $0.identity.remote == entry.remoteIdentity }?.identity.name ?? entry.collection
  }
}

extension RunFailure {
  /// - Parameters:
  ///   - former: the collection that it was moved out of, by its name.
  ///   - place: the one that has it.
  ///   - id: of the version that can be restored once it is back; nil: it is as it was then.
  fileprivate static func movedAway(
    _ uid: ItemID, from former: String, to place: String, of pair: PairConfiguration,
    again id: String?
  ) -> RunFailure {
    let (old, new) = ("\(pair.name)/\(former)", "\(pair.name)/\(place)")
    var hint = "move it back to \(old) with another program, and sync"
    // `move` knows the pairs of the configuration alone.
    if pair.hasFolders, !pair.name.hasPrefix("adhoc-") {
      let ending = uid.text.hasPrefix("-") ? ["--"] : []
      let options = ["--in", new] + ending + [uid.text, old]
      hint = "`\(shellCommand("move", options: options))` and a sync move it back"
    }
    if let id { hint += "; then `\(shellCommand("restore", argument: id))` works" }
    return .badItem(
      "duplicate-uid",
      "the item was moved out of \(old), and \(new) has it: this would make it twice", hint: hint)
  }
}
