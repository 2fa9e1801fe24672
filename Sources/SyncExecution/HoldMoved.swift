import SyncModel
import SyncPlanning

/// An item that somebody moved between the folders of two collections is a deletion for one and a
/// new item for the other. Whoever runs both says what becomes of them once he knows of both.
extension SyncRun {
  /// Leaves out the deletions on the remote side of what was moved into another collection, and is
  /// not there on both sides yet: where that refuses it, the server would have it nowhere.
  mutating func holdLeaving(_ plan: Plan) async -> Plan {
    report.leaving = []
    guard let leaving = sync.options.leaving else { return plan }
    let deletions = plan.actions.filter { action in
      if case .delete(.remote, _, _, _) = action { true } else { false }
    }
    if deletions.isEmpty { return plan }
    let moved = await leaving(Set(deletions.map(\.uid)))
    report.leaving = deletions.filter { moved.contains($0.uid) }.map(sync.item(of:))
    var rest = plan
    rest.actions.removeAll { action in
      if case .delete(.remote, _, _, _) = action { moved.contains(action.uid) } else { false }
    }
    return rest
  }

  /// Leaves it out to forget what another collection is to take over: nothing else tells there what
  /// is an edit of it.
  mutating func holdDeparted(_ plan: Plan) -> Plan {
    let departed = sync.options.departed
    let held = plan.actions.filter { action in
      if case .forget = action { departed.contains(action.uid) } else { false }
    }
    report.departed = Set(held.map(\.uid))
    var rest = plan
    rest.actions.removeAll { action in
      if case .forget = action { departed.contains(action.uid) } else { false }
    }
    return rest
  }

  /// Leaves out what would be new on the local side, where that is not to be.
  func holdPulled(_ plan: Plan) -> Plan {
    if sync.options.pullsNew { return plan }
    var rest = plan
    rest.actions.removeAll { action in
      if case .create(.local, _, _) = action { true } else { false }
    }
    return rest
  }

  /// Leaves out what both sides never shared here, and which another collection has on the remote
  /// side.
  mutating func holdArriving(_ plan: Plan, _ items: [DifferingItem]) async -> Plan {
    report.arriving = []
    guard let arriving = sync.options.arriving else { return plan }
    let strange = Set(
      items.filter { if case .unmet = $0.state { true } else { false } }.map(\.uid))
    let new = plan.actions.filter { action in
      if case .create(.remote, _, _) = action { strange.contains(action.uid) } else { false }
    }
    if new.isEmpty { return plan }
    let moved = await arriving(Set(new.map(\.uid)))
    report.arriving = new.filter { moved.contains($0.uid) }.map(sync.item(of:))
    var rest = plan
    rest.actions.removeAll { action in
      if case .create(.remote, _, _) = action { moved.contains(action.uid) } else { false }
    }
    return rest
  }
}
