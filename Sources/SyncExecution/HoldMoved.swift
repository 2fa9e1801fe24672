public import SyncModel
import SyncPlanning

/// Which of the items that are gone from a collection here another one has.
public struct FoundElsewhere: Sendable, Hashable {
  /// Somebody moved them there: it does not share them yet.
  public var moved: Set<ItemID>
  /// Both sides have them there as well, and had them before: here they were deleted.
  public var copied: Set<ItemID>

  public init(moved: Set<ItemID>, copied: Set<ItemID> = []) {
    self.moved = moved
    self.copied = copied
  }

  fileprivate var all: Set<ItemID> { moved.union(copied) }
}

/// An item that somebody moved between the folders of two collections is a deletion for one and a
/// new item for the other. Whoever runs both says what becomes of them once he knows of both.
extension SyncRun {
  /// Leaves out the deletions on the remote side of what another collection has. Of what was moved
  /// there and is not on both sides yet: where that refuses it, the server would have it nowhere.
  mutating func holdLeaving(_ plan: Plan) async -> Plan {
    report.isPostponed = false
    guard let leaving = await sync.holdLeaving(plan) else {
      return postponing(plan, \.isDeletionThere)
    }
    report.leaving = leaving.held.map(sync.item(of:))
    deletedLater = leaving.counted
    return leaving.rest
  }

  /// Leaves it out to bring back what was moved into another collection here, and edited on the
  /// remote side meanwhile.
  mutating func holdEdited(_ plan: Plan, _ items: [DifferingItem]) async -> Plan {
    report.edited = []
    guard let leaving = sync.options.leaving else { return plan }
    let edited = Set(items.filter(\.isEditedThereAlone).map(\.uid))
    func comesBack(_ action: Action) -> Bool {
      if case .create(.local, _, _) = action { edited.contains(action.uid) } else { false }
    }
    let uids = plan.uids(where: comesBack)
    if uids.isEmpty { return plan }
    guard let moved = await leaving(uids)?.all else { return postponing(plan, comesBack) }
    let (rest, held) = plan.holding { comesBack($0) && moved.contains($0.uid) }
    report.edited = held.map(sync.item(of:))
    return rest
  }

  /// Does nothing, since it is not known yet what such actions are about; where the run has written
  /// before, it leaves them to the next one.
  private mutating func postponing(_ plan: Plan, _ isMeant: (Action) -> Bool) -> Plan {
    report.isPostponed = !hasWritten
    return plan.holding(isMeant).rest
  }

  /// Leaves it out to forget what another collection is to take over: nothing else tells there what
  /// is an edit of it.
  mutating func holdDeparted(_ plan: Plan) -> Plan {
    let departed = sync.options.departed
    let (rest, held) = plan.holding {
      if case .forget = $0 { departed.contains($0.uid) } else { false }
    }
    report.departed = Set(held.map(\.uid))
    return rest
  }

  /// Leaves out the deletions here of what may be nowhere on the remote side, and names it.
  mutating func holdOnTheirWay(_ plan: Plan) -> Plan {
    if onTheirWay.isEmpty { return plan }
    let (rest, held) = plan.holding {
      if case .delete(.local, _, _, _) = $0 { onTheirWay.contains($0.uid) } else { false }
    }
    report.problems += held.map {
      ReportedProblem(item: sync.item(of: $0), problem: .onItsWay)
    }
    return rest
  }

  /// Leaves out what would be new on the local side, where that is not to be.
  func holdPulled(_ plan: Plan) -> Plan {
    if sync.options.pullsNew { return plan }
    return plan.holding { if case .create(.local, _, _) = $0 { true } else { false } }.rest
  }

  /// Leaves out what both sides never shared here, and which another collection has on the remote
  /// side.
  mutating func holdArriving(_ plan: Plan, _ items: [DifferingItem]) async -> Plan {
    report.arriving = []
    guard let arriving = sync.options.arriving else { return plan }
    let strange = Set(
      items.filter { if case .unmet = $0.state { true } else { false } }.map(\.uid))
    let new = plan.uids { action in
      if case .create(.remote, _, _) = action { strange.contains(action.uid) } else { false }
    }
    if new.isEmpty { return plan }
    let moved = await arriving(new)
    let (rest, held) = plan.holding { action in
      if case .create(.remote, _, _) = action {
        new.contains(action.uid) && moved.contains(action.uid)
      } else {
        false
      }
    }
    report.arriving = held.map(sync.item(of:))
    return rest
  }
}

extension CollectionSync {
  /// The plan without the deletions on the remote side of what another collection has, and those;
  /// and of which items they count for the guard with those of the plan, although a later step
  /// carries them out: half of what a person deletes is not approved by itself. A move is no
  /// deletion, and what a person is asked about is no accident. Nil: what others have is not known.
  func holdLeaving(
    _ plan: Plan
  ) async -> (rest: Plan, held: [Action], counted: Set<ItemID>)? {
    guard let leaving = options.leaving else { return (plan, [], []) }
    let uids = plan.uids(where: \.isDeletionThere)
    if uids.isEmpty { return (plan, [], []) }
    guard let found = await leaving(uids) else { return nil }
    let elsewhere = found.all
    let (rest, held) = plan.holding { $0.isDeletionThere && elsewhere.contains($0.uid) }
    return (rest, held, options.confirmDeletion == nil ? found.copied : [])
  }

  /// The same collection, of whose items it is known by now which another one has.
  public func knowing(
    leaving: @escaping @Sendable (_ gone: Set<ItemID>) async -> FoundElsewhere?
  ) -> CollectionSync {
    var options = options
    options.leaving = leaving
    return CollectionSync(
      name: name, local: local, remote: remote, journal: journal, surroundings: surroundings,
      digest: digest, options: options)
  }
}

extension Action {
  /// It deletes an item on the remote side.
  fileprivate var isDeletionThere: Bool {
    if case .delete(.remote, _, _, _) = self { true } else { false }
  }
}

extension DifferingItem {
  /// Both sides shared it, the local one has it no more, and the remote one has edited it.
  fileprivate var isEditedThereAlone: Bool {
    if case .agreed(_, .deleted, .modified) = state { true } else { false }
  }
}

extension Plan {
  /// The items of such actions.
  fileprivate func uids(where isMeant: (Action) -> Bool) -> Set<ItemID> {
    Set(actions.filter(isMeant).map(\.uid))
  }

  /// The plan without such actions, and those.
  fileprivate func holding(_ isHeld: (Action) -> Bool) -> (rest: Plan, held: [Action]) {
    var rest = self
    rest.actions.removeAll(where: isHeld)
    return (rest, actions.filter(isHeld))
  }
}

extension ItemProblem {
  fileprivate static let onItsWay = ItemProblem(
    .refused,
    "an earlier run was moving it to another calendar, which does not say now whether it has it,"
      + " and its file is back here",
    hint: "Run the sync again once the server gives that calendar: it goes on from there.")
}
