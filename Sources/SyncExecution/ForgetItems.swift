import SyncModel
import SyncPlanning

extension SyncRun {
  /// Of the items that are gone from both sides, those whose file is perhaps still there: a person
  /// may have renamed it while the folder was listed. To forget such an item would make the file a
  /// new one, and undo what was deleted on the other side. They are looked at again in the next
  /// round.
  mutating func doubtfulForgets(_ actions: [Action]) async throws(SyncFailure) -> Set<ItemID> {
    var gone: [Href: ItemID] = [:]
    for case .forget(let agreement) in actions { gone[agreement.local.href] = agreement.uid }
    if gone.isEmpty { return [] }
    let found = try await confirmGone(gone, on: .local)
    let doubtful = gone.filter {
      !found.absent.contains($0.key) && !found.takenOver.contains($0.key)
    }
    if !doubtful.isEmpty { stale.insert(.local) }
    return Set(doubtful.values)
  }
}
