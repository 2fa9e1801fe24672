import SyncModel
import SyncPlanning

/// A collection that was gone and is there again may have been made anew, as by an import or from a
/// backup: what it lacks is no evidence that a person has deleted that.
extension SyncRun {
  /// Takes what such a collection lacks for new to it. What has attendees waits for a yes.
  mutating func keepLacking() async throws(SyncFailure) {
    let lacking = try await sync.lackingInRemade()
    if lacking.isEmpty { return }
    let meetings = try await sync.inviting(
      lacking.map { NewItem(source: $0.kept, side: $0.side) })
    // First: once nothing is agreed on, only this says what waits.
    if sync.options.isDryRun {
      uninvited.formUnion(meetings)
    } else {
      try await keepUninvited(uninvited.union(meetings))
    }
    try await sync.letGo(of: lacking)
    report.lacking = lacking.count
  }
}

extension CollectionSync {
  /// What both sides shared of an item that a collection lacks.
  struct Lacking {
    var agreement: Agreement
    var side: Side

    /// What the other side has of it, or had when both were the same.
    var kept: ItemVersion { agreement[side.opposite] }
  }

  /// Has such a collection listed whole: a token of the former one may say anything.
  func compareRemade() async throws(SyncFailure) {
    for side in Side.allCases where options.remade.contains(side) {
      try await recorded { () throws(JournalError) in try await journal.forgetCursor(side) }
    }
  }

  /// The items that such a collection lacks, and the other side has.
  func lackingInRemade() async throws(SyncFailure) -> [Lacking] {
    try await lacking(on: options.remade)
  }

  /// What one of some sides lacks of what both shared, and the other one has.
  func lacking(on sides: Set<Side>) async throws(SyncFailure) -> [Lacking] {
    if sides.isEmpty { return [] }
    let differing = try await recorded { () throws(JournalError) in try await journal.differing() }
    var gone: [Side: Set<Href>] = [:]
    var read: [Side: Set<ItemID>] = [:]
    for seen in differing.observations {
      switch seen.state {
      case .gone: gone[seen.side, default: []].insert(seen.href)
      case .read(let version): read[seen.side, default: []].insert(version.uid)
      case .unread, .obstructed: break
      }
    }
    func isGone(_ agreement: Agreement, _ side: Side) -> Bool {
      gone[side]?.contains(agreement[side].href) == true
        && read[side]?.contains(agreement.uid) != true
    }
    return Side.allCases.filter(sides.contains).flatMap { side in
      differing.agreements.filter { isGone($0, side) && !isGone($0, side.opposite) }
        .map { Lacking(agreement: $0, side: side) }
    }
  }

  /// Nothing is agreed on of them any more, and what the other side has stays known.
  func letGo(of lacking: [Lacking]) async throws(SyncFailure) {
    for side in Side.allCases {
      let mine = lacking.filter { $0.side == side }
      if mine.isEmpty { continue }
      let observed = try await recorded { () throws(JournalError) in
        try await journal.differing().observations
      }
      let changed = Set(observed.filter { $0.side == side.opposite }.map(\.href))
      let kept = mine.map(\.kept).filter { !changed.contains($0.href) }.map {
        sighting(of: $0.href, on: side.opposite, .read($0))
      }
      try await recorded { () throws(JournalError) in
        try await journal.forget(mine.map(\.agreement.uid))
        try await journal.record(read: kept, on: side.opposite, contents: [])
      }
    }
  }
}
