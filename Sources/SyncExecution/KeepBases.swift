import SyncModel
import SyncPlanning

extension SyncRun {
  /// The items, where the agreement of each that was edited and has another name has gone along,
  /// if another item has its former place.
  ///
  /// Once that one is agreed on, the place is its own, and the agreement that had it is dropped. An
  /// item that is not settled before, because its run was killed or since it waits for a person,
  /// would have lost what both sides shared of it. None goes where another agreement still is: that
  /// one would be dropped in turn, and a deletion that is not carried out yet be forgotten.
  ///
  /// - Parameter agreements: all that the items may meet.
  func keepingBases(
    _ items: [DifferingItem], among agreements: [Agreement]
  ) async throws(SyncFailure) -> [DifferingItem] {
    var (taken, agreed): ([Side: Set<Href>], [Side: Set<Href>]) = ([:], [:])
    for side in Side.allCases {
      taken[side] = Set(items.compactMap { $0.version(on: side)?.href })
      agreed[side] = Set(agreements.map { $0[side].href })
    }
    var items = items
    var moved: [Agreement] = []
    for index in items.indices {
      guard case .agreed(var base, let local, let remote) = items[index].state else { continue }
      for (side, change) in [(Side.local, local), (.remote, remote)] {
        guard case .modified(let now) = change, now.href != base[side].href,
          taken[side]?.contains(base[side].href) ?? false,
          agreed[side]?.insert(now.href).inserted ?? false
        else { continue }
        base[side].href = now.href
      }
      guard items[index].state != .agreed(base, local: local, remote: remote) else { continue }
      items[index].state = .agreed(base, local: local, remote: remote)
      moved.append(base)
    }
    let agreements = moved
    if !agreements.isEmpty, !sync.options.isDryRun {
      try await recorded { [sync] () throws(JournalError) in
        try await sync.journal.agree(agreements)
      }
    }
    return items
  }
}
