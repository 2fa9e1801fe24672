import SyncModel
import SyncPlanning

extension SyncRun {
  /// Each version of a conflict goes to the history when it is first seen to wait, so that whatever
  /// happens to the files meanwhile, neither is lost; and so does what a person makes of one later.
  func keep(_ conflicts: [Conflict]) async throws(SyncFailure) {
    let fresh = conflicts.flatMap { conflict in
      Side.allCases.filter { conflict.waits[$0] != .conflict }.map { (conflict, $0) }
    }
    if fresh.isEmpty { return }
    let time = sync.surroundings.now()
    var waits: [WaitChange] = []
    var history: [HistoryEntry] = []
    for (conflict, side) in fresh {
      let version = side == .local ? conflict.local : conflict.remote
      waits.append(WaitChange(side: side, href: version.href, wait: .conflict))
      if try await isKept(version, on: side) { continue }
      let why =
        conflict.base == nil ? "the sides differ, and never agreed" : "both sides changed it"
      history.append(
        HistoryEntry(
          time: time, uid: version.uid, side: side, action: .conflict, reason: "waits: \(why)",
          href: version.href, before: version.version.digest, after: nil))
    }
    let (changes, entries) = (waits, history)
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.setWaits(changes, history: entries, contents: [])
    }
  }

  /// It was read again, as where a tag changes with each look, and is what waited before.
  private func isKept(_ version: ItemVersion, on side: Side) async throws(SyncFailure) -> Bool {
    let history = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.history(of: version.uid)
    }
    let last = history.first { $0.entry.side == side }?.entry
    return last?.action == .conflict && last?.before == version.version.digest
      && last?.href == version.href
  }
}
