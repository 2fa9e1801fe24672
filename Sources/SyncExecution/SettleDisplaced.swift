import SyncModel

extension SyncRun {
  /// Lets go of the files that calgw replaced or removed, after a last look: an editor may have had
  /// one open and written into it. Such bytes go to the history and are reported.
  func settleDisplaced() async throws(SyncFailure) {
    for side in Side.allCases {
      let storage = sync.storage(side)
      let files = try await on(side) { () throws(StorageError) in try await storage.displaced() }
      if files.isEmpty { continue }
      let kept = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.contents(files.map(\.digest))
      }
      let late = files.filter { kept[$0.digest] == nil && !$0.data.bytes.isEmpty }
      if !late.isEmpty { try await keep(late, of: side) }
      try await on(side) { () throws(StorageError) in try await storage.discard(files) }
    }
  }

  private func keep(_ late: [DisplacedFile], of side: Side) async throws(SyncFailure) {
    let time = sync.surroundings.now()
    let history = late.map { file in
      let unknown = Version(tag: nil, digest: file.digest)
      let read = sync.readItem(file.data, at: file.href, version: unknown, modified: nil)
      let uid = (try? read.get().uid) ?? ItemID(bytes: file.href.spelling)
      return HistoryEntry(
        time: time, uid: uid, side: side, action: .lateEdit,
        reason: "written into a file after calgw had taken it away", href: file.href,
        before: file.digest, after: nil)
    }
    let contents = late.map { StoredContent(digest: $0.digest, data: $0.data) }
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.keep(history, contents: contents)
    }
  }
}
