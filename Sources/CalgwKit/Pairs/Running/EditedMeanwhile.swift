import CalDAVStorage
import SyncExecution
import SyncModel

/// What was moved between the folders of two calendars, and edited on the server where it was: the
/// server moves it with that edit, which is merged in the other collection with what was edited
/// here. Sent from here, it would be without the edit; so where the server does not move it, the
/// edit outlives the move as it does a deletion, and both calendars have the item.
extension CollectionRun {
  /// Brings back what the server has not moved. Gives why it came to no end; nil where it did.
  mutating func bringBackEdited(
    _ report: inout PairReport
  ) async throws(RunFailure) -> StopReason? {
    if case .account = opened.remote {
      // A run that sees where it went may move it.
      let isPart = !opened.leftOut.isEmpty || report.collections.contains { $0.failure != nil }
      if isPart { return nil }
    }
    if options.isDryRun { await foreseeMoves(&report) }
    var edited: [String: Set<ItemID>] = [:]
    for own in report.collections where !own.edited.isEmpty {
      edited[own.name] = Set(own.edited.compactMap(\.uid))
    }
    return try await sync(edited, .returning, &report)
  }

  /// A dry run counts on it that a server moves what it was not asked to move yet.
  private func foreseeMoves(_ report: inout PairReport) async {
    for way in report.ways {
      guard await calendar(of: way.source)?.mayMove ?? false else { continue }
      let own = report.collections.first { $0.name == way.source }
      let edited = way.items.intersection(own?.edited.compactMap(\.uid) ?? [])
      for uid in edited.sorted() { report.note(moved: uid, way) }
    }
  }
}
