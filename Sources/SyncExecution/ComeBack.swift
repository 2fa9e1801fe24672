public import SyncModel

/// Items that the remote side has moved to another collection, and whose files are here.
public struct ComeBack: Sendable {
  /// They came back: they are new here.
  public var back: Set<ItemID>
  /// Nobody can say whether the remote side has them anywhere: they stay as they are.
  public var unclear: Set<ItemID>

  public init(back: Set<ItemID> = [], unclear: Set<ItemID> = []) {
    self.back = back
    self.unclear = unclear
  }
}

/// What the remote side has moved to another collection is gone from this one, and no person has
/// deleted it. Where somebody moves its file back before that was forgotten here, it would count as
/// deleted there: its file would go here, and then the item in the other collection.
extension SyncRun {
  /// Takes what came back for new here. What both sides shared of it goes on in the other
  /// collection from which it comes, or the remote side has it nowhere.
  mutating func letGoOfComeBack() async throws(SyncFailure) {
    guard let comingBack = sync.options.comingBack else { return }
    let here = try await sync.lacking(on: [.remote])
    onTheirWay = []
    if here.isEmpty { return }
    let found = await comingBack(Set(here.map(\.agreement.uid)))
    onTheirWay = found.unclear
    let back = here.filter { found.back.contains($0.agreement.uid) }
    if !back.isEmpty { try await sync.letGo(of: back) }
  }
}
