import SyncModel
import SyncPlanning

/// What the guard against mass deletions says is to be true. Some servers leave items out of whole
/// listings, as those that show a window of a year: of more than may go, it is looked first whether
/// they are gone.
extension SyncRun {
  /// So many at most are looked at first, spread over all: where each of them is gone, the others
  /// count as gone, too. So an emptied calendar of thousands costs no more looks than these in a
  /// run that the guard stops.
  private static let sample = 16
  /// What a look finds is held until its batch is done.
  private static let looksAtATime = 100

  /// Leaves out of a plan that the guard would refuse the deletions of items that are there after
  /// all. They are read in the next round.
  mutating func withoutRefuted(
    _ plan: Plan, of matched: MatchedItems
  ) async throws(SyncFailure) -> Plan {
    var rest = plan
    for side in Side.allCases {
      var deletions = Plan()
      deletions.actions = plan.actions.filter { $0.isDeletion(on: side) }
      guard isTooMuch(deletions, of: matched) else { continue }
      let refuted = try await refuted(deletions.actions, on: side)
      if refuted.isEmpty { continue }
      stale.insert(side.opposite)
      // A next round takes their names off again; after a plan alone there may be none.
      if !sync.options.isDryRun {
        for action in deletions.actions where refuted.contains(action.uid) { leaveUnsure(action) }
      }
      rest.actions.removeAll { $0.isDeletion(on: side) && refuted.contains($0.uid) }
    }
    return rest
  }

  /// The items that shall be deleted on a side, and are not gone from the other one.
  private mutating func refuted(_ deletions: [Action], on side: Side) async throws(SyncFailure)
    -> Set<ItemID>
  {
    var gone: [Href: ItemID] = [:]
    for case .delete(_, let old, let missing, _) in deletions { gone[missing.href] = old.uid }
    let places = gone.keys.sorted()
    let step = max(1, (places.count + Self.sample - 1) / Self.sample)
    let first = Set(stride(from: 0, to: places.count, by: step).map { places[$0] })
    var refuted: Set<ItemID> = []
    for part in [places.filter(first.contains), places.filter { !first.contains($0) }] {
      for batch in part.batches(of: Self.looksAtATime) {
        try sync.checkStop()
        var asked: [Href: ItemID] = [:]
        for place in batch { asked[place] = gone[place] }
        // Where some are hidden, most are.
        let found = try await confirmGone(asked, on: side.opposite, isUnlikely: !refuted.isEmpty)
        stillThere[side.opposite, default: []].formUnion(found.present)
        refuted.formUnion(found.doubtful(of: asked))
      }
      if refuted.isEmpty { break }
    }
    return refuted
  }
}

extension Action {
  fileprivate func isDeletion(on side: Side) -> Bool {
    if case .delete(side, _, _, _) = self { true } else { false }
  }
}
