import StreamStorage
import SyncExecution
import SyncModel

extension ReportedItem {
  /// As reports of a pair name it: in a calendar in one text no item has an address of its own, and
  /// the engine takes the UID for one.
  func named(in pair: PairConfiguration) -> ReportedItem {
    guard pair.remote.isOneText, let href, !StreamStorage.standsForNoItem(href) else { return self }
    var item = self
    item.uid = uid ?? ItemID(bytes: href.spelling)
    item.href = nil
    return item
  }
}

extension CollectionReport {
  /// Names what it tells of as above.
  mutating func nameItems(in pair: PairConfiguration) {
    guard pair.remote.isOneText else { return }
    for index in conflicts.indices { conflicts[index].item = conflicts[index].item.named(in: pair) }
    for index in actions.indices { actions[index].item = actions[index].item.named(in: pair) }
    // What is about the whole collection has its address.
    for index in problems.indices where problems[index].problem.code != .collectionGone {
      problems[index].item = problems[index].item.named(in: pair)
    }
  }
}

extension SideConfiguration {
  /// All its items are in one text.
  fileprivate var isOneText: Bool {
    switch self {
    case .file, .subscription: true
    case .directory, .account: false
    }
  }
}
