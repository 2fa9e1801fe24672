import CalDAVStorage
import SyncExecution
import SyncModel

/// What was moved between the folders of two calendars, and edited on the server where it was: the
/// server moves it with that edit, which is merged in the other collection with what was edited
/// here. Sent from here, it would be without the edit; so where the server does not move it, the
/// edit outlives the move as it does a deletion, and both calendars have the item. Where they may
/// not both have it, it is carried over with that edit (`carryOver`).
extension CollectionRun {
  /// Brings back what the server has not moved, and has in both calendars now. Gives why it came to
  /// no end; nil where it did.
  mutating func bringBackEdited(
    _ report: inout PairReport
  ) async throws(RunFailure) -> StopReason? {
    if isPart(report) { return nil }
    var edited: [String: Set<ItemID>] = [:]
    for own in report.collections {
      // With a file in both folders, the new one's would be refused for good.
      let items = Set(own.edited.compactMap(\.uid)).subtracting(report.blocked(by: own.name))
      if !items.isEmpty { edited[own.name] = items }
    }
    return try await sync(edited, .returning, &report)
  }

  /// A run over more collections may see where it went, and move it.
  private func isPart(_ report: PairReport) -> Bool {
    guard case .account = opened.remote else { return false }
    return !opened.leftOut.isEmpty || report.collections.contains { $0.failure != nil }
  }

  /// A dry run counts on it that a server moves what it was not asked to move yet. What was not
  /// edited there counts the same as if it were sent, but between two servers: of a meeting that is
  /// sent somebody is asked first.
  func foreseeMoves(_ report: inout PairReport) async {
    if !options.isDryRun || isPart(report) { return }
    for way in report.ways {
      guard await calendar(of: way.source)?.mayMove ?? false else { continue }
      let own = report.collections.first { $0.name == way.source }
      let edited = way.items.intersection(own?.edited.compactMap(\.uid) ?? [])
      let foreseen = opened.local.isServer ? way.items : edited
      for uid in foreseen.sorted() { report.note(moved: uid, way) }
    }
  }
}

extension PairReport {
  /// What others do not take because a collection has the UID, or perhaps because of that.
  fileprivate func blocked(by name: String) -> Set<ItemID> {
    let others = collections.filter { $0.name != name }
    return Set(
      others.flatMap { $0.refused(for: .uidIsTaken).union($0.refused(for: .uidMayBeTaken)) })
  }
}

extension CollectionReport {
  /// What its server did not take for such a cause.
  func refused(for cause: ItemProblem.Cause) -> Set<ItemID> {
    Set(problems.filter { $0.problem.cause == cause }.compactMap(\.item.uid))
  }
}
