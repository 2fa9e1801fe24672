import SyncExecution
import SyncModel

extension PairReport {
  /// Counts an item once that a server has moved and that got its edit there after that: it is new
  /// to its calendar, as a dry run says and as it would be without a move. Its reason has both.
  mutating func countOnce(_ next: inout CollectionReport) {
    guard let place = collections.firstIndex(where: { $0.name == next.name }) else { return }
    var rest: [ReportedAction] = []
    for action in next.actions {
      let creation = collections[place].actions.firstIndex {
        $0.kind == .create && $0.side == .remote && $0.item.uid == action.item.uid
      }
      guard action.kind == .update, action.side == .remote, let creation else {
        rest.append(action)
        continue
      }
      collections[place].actions[creation].reason += "; \(action.reason)"
      next.pushed.updated -= 1
    }
    next.actions = rest
  }
}
