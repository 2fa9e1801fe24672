public import SyncModel
import SyncPlanning

/// What a run was not to delete because it was too much (`approve`), and what later ones are told
/// of it: a person who has brought one item back has not said that the rest may go.
public struct HeldDeletions: Sendable {
  /// What an earlier run was not to delete.
  public var held: Set<ItemID> = []
  /// Keeps it for later runs.
  public var keep: @Sendable (_ held: Set<ItemID>) async throws(JournalError) -> Void = { _ in }

  public init() {}
}

extension SyncRun {
  /// The plan, if it does not delete too much. Nil: that is a problem of the whole collection,
  /// which is left alone.
  mutating func approved(
    _ plan: Plan, of matched: MatchedItems
  ) async throws(SyncFailure) -> ApprovedPlan? {
    var record = deletionRecord(matched)
    record.later[.remote] = deletedLater
    let verdict = Result { () throws(PlanRefusal) in
      try approve(plan, limit: sync.options.deletionLimit, record)
    }
    var held = record.held
    if case .failure(let refusal) = verdict { held.formUnion(refusal.items) }
    if held != sync.options.deletions.held, !sync.options.isDryRun {
      let now = held
      try await recorded { [sync] () throws(JournalError) in
        try await sync.options.deletions.keep(now)
      }
    }
    switch verdict {
    case .success(let approved):
      if sync.options.isDryRun { foreseen = plan.newlyShared(among: matched.items) }
      return approved
    case .failure(let refusal):
      let nowhere = ReportedItem(uid: nil, file: nil, href: nil, summary: "")
      report.problems.append(ReportedProblem(item: nowhere, problem: sync.problem(of: refusal)))
      // They wait with the rest.
      let waiting = deletedLater
      report.leaving.removeAll { $0.uid.map(waiting.contains) ?? false }
      return nil
    }
  }
}

extension SyncRun {
  /// What the guard goes by in this round and in later ones.
  mutating func noteLost(_ matched: MatchedItems) {
    for item in matched.items {
      if case .unmet = item.state { newlyMet.insert(item.uid) }
    }
    let gone = sync.deletionRecord(agreed: mostAgreed, matched).gone
    lost.merge(gone) { $0.union($1) }
  }

  /// Whether the guard would stop deletions.
  func isTooMuch(_ deletions: Plan, of matched: MatchedItems) -> Bool {
    let record = deletionRecord(matched)
    return (try? approve(deletions, limit: sync.options.deletionLimit, record)) == nil
  }

  private func deletionRecord(_ matched: MatchedItems) -> DeletionRecord {
    var record = sync.deletionRecord(agreed: mostAgreed, matched)
    record.agreedAtStart = agreedAtStart
    record.new = newlyMet
    record.gone.merge(lost) { $0.union($1) }
    record.deleted = deleted
    // Whom a person named with the side that holds, that one was seen.
    record.meant = meantDeletions.union(sync.options.preferred.keys)
    return record
  }
}

extension CollectionSync {
  /// What the guard goes by before anything is deleted.
  func deletionRecord(agreed: Int, _ matched: MatchedItems) -> DeletionRecord {
    var record = DeletionRecord(agreed: agreed)
    for item in matched.items {
      switch item.state {
      case .agreed(_, .deleted, .deleted): break
      case .agreed(_, .deleted, _): record.gone[.local, default: []].insert(item.uid)
      case .agreed(_, _, .deleted): record.gone[.remote, default: []].insert(item.uid)
      default: break
      }
    }
    // What cannot be read on one side is not on the other either.
    for trouble in matched.problems {
      guard let counterpart = trouble.counterpart, counterpart.change == .deleted else { continue }
      record.gone[trouble.side.opposite, default: []].insert(counterpart.agreed.uid)
    }
    // What came back meanwhile is held no more, nor is what a person decides about now.
    let gone = Side.allCases.reduce(into: Set()) { $0.formUnion(record.gone[$1] ?? []) }
    record.held = options.deletions.held.intersection(gone).subtracting(options.preferred.keys)
    return record
  }
}
