import SyncModel

extension SyncRun {
  /// Lets go of the files that calgw replaced or removed, after a last look: an editor may have had
  /// one open and written into it, and an older journal may have come back that does not know of
  /// the replacement. What is not in the history goes there.
  func settleDisplaced() async throws(SyncFailure) {
    for side in Side.allCases {
      let storage = sync.storage(side)
      let files = try await on(side) { () throws(StorageError) in try await storage.displaced() }
      if files.isEmpty { continue }
      let texts = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.contents(files.map(\.digest))
      }
      var late: [HistoryEntry] = []
      for file in files where !file.data.bytes.isEmpty {
        let entry = entry(for: file, of: side)
        // The text alone proves nothing: an agreement may hold it, and let it go one day.
        if texts[file.digest] != nil, try await isKept(entry) { continue }
        late.append(entry)
      }
      if !late.isEmpty {
        let wanted = Set(late.compactMap(\.before))
        let contents = files.filter { wanted.contains($0.digest) }.map {
          StoredContent(digest: $0.digest, data: $0.data)
        }
        let entries = late
        try await recorded { [sync] () throws(JournalError) in
          try await sync.journal.keep(entries, contents: contents)
        }
      }
      try await on(side) { () throws(StorageError) in try await storage.discard(files) }
    }
  }

  /// The history has this very content of the item.
  private func isKept(_ entry: HistoryEntry) async throws(SyncFailure) -> Bool {
    let history = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.history(of: entry.uid)
    }
    return history.contains { $0.entry.before == entry.before || $0.entry.after == entry.before }
  }

  private func entry(for file: DisplacedFile, of side: Side) -> HistoryEntry {
    let unknown = Version(tag: nil, digest: file.digest)
    let read = sync.readItem(file.data, at: file.href, version: unknown, modified: nil)
    let uid = (try? read.get().uid) ?? ItemID(bytes: file.href.spelling)
    return HistoryEntry(
      time: sync.surroundings.now(), uid: uid, side: side, action: .lateEdit,
      reason: "found in a file that calgw had taken away", href: file.href,
      before: file.digest, after: nil)
  }
}
