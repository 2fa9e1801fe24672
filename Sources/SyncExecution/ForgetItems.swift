import SyncModel
import SyncPlanning

extension SyncRun {
  /// Of the items that are gone from both sides, those that are perhaps still there on one: a
  /// person may have renamed the file while the folder was listed, and a server may show an item
  /// late. To forget such an item would make it a new one, and undo what was deleted on the other
  /// side. They are looked at again in the next round.
  mutating func doubtfulForgets(_ actions: [Action]) async throws(SyncFailure) -> Set<ItemID> {
    var doubtful: Set<ItemID> = []
    for side in Side.allCases {
      var gone: [Href: ItemID] = [:]
      for case .forget(let agreement) in actions { gone[agreement[side].href] = agreement.uid }
      if gone.isEmpty { return [] }
      let found = try await confirmGone(gone, on: side)
      let unproved = gone.filter {
        !found.absent.contains($0.key) && !found.takenOver.contains($0.key)
      }
      if !unproved.isEmpty { stale.insert(side) }
      doubtful.formUnion(unproved.values)
    }
    return doubtful
  }
}
