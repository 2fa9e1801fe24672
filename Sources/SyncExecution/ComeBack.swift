import SyncModel

/// What the remote side has moved to another collection is gone from this one, and no person has
/// deleted it. Where somebody moves its file back before that was forgotten here, it would count as
/// deleted there: its file would go here, and then the item in the other collection.
extension SyncRun {
  /// Takes what came back for new here. What both sides shared of it goes on in the other
  /// collection from which it comes, or the remote side has it nowhere.
  func letGoOfComeBack() async throws(SyncFailure) {
    guard let comingBack = sync.options.comingBack else { return }
    let here = try await sync.lacking(on: [.remote])
    if here.isEmpty { return }
    let uids = await comingBack(Set(here.map(\.agreement.uid)))
    let back = here.filter { uids.contains($0.agreement.uid) }
    if !back.isEmpty { try await sync.letGo(of: back) }
  }
}
