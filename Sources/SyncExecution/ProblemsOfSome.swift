import SyncModel
import SyncPlanning

extension SyncRun {
  /// What a run names of that which is left alone: all, and of a run over some items what is the
  /// matter with these. A person who settles or restores one item has not asked about the others,
  /// and the next sync names them.
  func named(
    _ problems: [ItemTrouble], by only: Set<ItemID>?, _ broken: [Side: CollectionSync.BrokenFiles]
  ) async throws(SyncFailure) -> [ItemTrouble] {
    guard let only, !problems.isEmpty else { return problems }
    let isDoubtful = problems.contains { $0.uid == nil && $0.side == .local }
    let files = isDoubtful ? try await formerFiles(of: only) : []
    return problems.filter { trouble in
      if let uid = trouble.uid ?? sentTo(trouble), only.contains(uid) { return true }
      // The file may be one of theirs all the same, or hold one of them.
      if let uids = broken[trouble.side]?.uidsAt[trouble.href], !uids.isDisjoint(with: only) {
        return true
      }
      return trouble.uid == nil && trouble.side == .local && files.contains(trouble.href)
    }
  }

  /// Under so many names calgw makes a file, where others are taken.
  private static let namesOfNew = 8

  /// Where the local side had items, and where calgw puts them: what a restore has written there
  /// may be no whole item, and tell nothing of whose file it is.
  private func formerFiles(of items: Set<ItemID>) async throws(SyncFailure) -> Set<Href> {
    var files: Set<Href> = []
    for uid in items.sorted() {
      let history = try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.history(of: uid)
      }
      files.formUnion(history.filter { $0.entry.side == .local }.map(\.entry.href))
      files.formUnion(
        (0..<Self.namesOfNew).map { sync.local.freshHref(for: uid, attempt: $0) })
    }
    return files
  }
}
