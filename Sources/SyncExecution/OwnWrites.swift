import SyncModel

/// What a run wrote on a side since it listed that last.
///
/// A listing of changes says how a side differs from what it was then, and need not say what came
/// and went in between: what calgw stored and somebody else has deleted by now is in none (Xandikos
/// compares two states, and so does any server that keeps no log). So each of these places is named
/// by the next listing, or looked at; and where a run ends before that listing, the next run lists
/// everything.
struct OwnWrites: Sendable {
  /// Where that listing left off. The journal has forgotten it.
  var since: Cursor?
  /// Where something was stored.
  var places: Set<Href> = []
  /// Something was written, or may have been.
  var hasActed = false
}

extension SyncRun {
  /// To be called before each batch of writes on a side.
  mutating func beginOwnWrites(on side: Side) async throws(SyncFailure) {
    hasWritten = true
    guard sync.storage(side).traits.listsDeltas, ownWrites[side] == nil else { return }
    let since = try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.cursor(side)
    }
    ownWrites[side] = OwnWrites(since: since)
    if since == nil { return }
    try await recorded { [sync] () throws(JournalError) in
      try await sync.journal.forgetCursor(side)
    }
  }

  /// To be called with what became of the writes.
  mutating func noteActs(_ outcomes: [WriteOutcome], on side: Side) {
    let hasActed = outcomes.contains { outcome in
      switch outcome.result {
      case .stored, .removed, .unknown, .changedMeanwhile: true
      case .refused, .failed: false
      }
    }
    if hasActed { ownWrites[side]?.hasActed = true }
  }

  /// Where a side took nothing at all, its listings go on from where they were.
  mutating func giveBackCursors() async throws(SyncFailure) {
    for side in Side.allCases {
      guard let own = ownWrites[side], !own.hasActed, let since = own.since else { continue }
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.record(page: [], on: side, cursor: since)
      }
    }
  }

  mutating func noteOwnWrites(_ closed: [ClosedIntent], on side: Side) {
    for case .agreed(let agreement) in closed.map(\.outcome) {
      ownWrites[side]?.places.insert(agreement[side].href)
    }
  }
}

extension CollectionSync {
  /// Looks at places where this side was written to and of which a listing of changes says nothing.
  func verify(
    _ places: Set<Href>, on side: Side
  ) async throws(SyncFailure) -> ([ObservedChange], isContradicted: Bool) {
    if places.isEmpty { return ([], false) }
    let hrefs = places.sorted()
    return try await verify(hrefs, loadKnown(side, hrefs: hrefs), on: side)
  }
}
