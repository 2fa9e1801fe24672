import SyncModel
import SyncPlanning

/// Deletions of items at whose address, or in whose file, another item is by now.
///
/// An address has one agreement. Once the other item is agreed on there, nothing is left that says
/// that the old one is to go: it would look like a new item of the side that still has it, and come
/// back. So it goes first, whatever becomes of the other one, and that waits where it cannot go.
struct Departures {
  private(set) var deletions: [Action] = []
  /// Who is at the place of an item that is to go, by that item.
  private(set) var heirs: [ItemID: ItemID] = [:]

  init(_ actions: [Action]) {
    var left: [Side: Set<Href>] = [:]
    for case .delete(let side, _, let gone, _) in actions {
      left[side.opposite, default: []].insert(gone.href)
    }
    if left.isEmpty { return }
    var owners: [Side: [Href: ItemID]] = [:]
    for action in actions {
      for (side, href) in action.agreedPlaces where left[side]?.contains(href) == true {
        owners[side, default: [:]][href] = action.uid
      }
    }
    for action in actions {
      guard case .delete(let side, _, let gone, _) = action,
        let heir = owners[side.opposite]?[gone.href]
      else { continue }
      deletions.append(action)
      heirs[action.uid] = heir
    }
  }
}

extension SyncRun {
  /// Lets items go at whose place others are, and gives what is left to do: not what is at the
  /// place of one that could not go. One that a side refused for good keeps nobody waiting; it is
  /// remembered where it still is.
  mutating func carryOut(_ departures: Departures, of actions: [Action])
    async throws(SyncFailure) -> [Action]
  {
    for side in [Side.remote, .local] {
      try await carryOut(stages: [departures.deletions.filter { $0.targets == [side] }], on: side)
    }
    let stuck = departures.heirs.filter { unfinished[$0.key] != nil || leftAlone.contains($0.key) }
    let waiting = Set(stuck.values)
    leaveHeirs(waiting, among: actions)
    return actions.filter { departures.heirs[$0.uid] == nil && !waiting.contains($0.uid) }
  }

  /// What is at the place of an item whose deletion was left out of a plan waits with it.
  mutating func holdHeirs(of whole: Plan, in plan: Plan) -> Plan {
    let heirs = Departures(whole.actions).heirs
    if heirs.isEmpty { return plan }
    let left = Set(plan.actions.map(\.uid))
    let waiting = Set(heirs.filter { !left.contains($0.key) }.values)
    if waiting.isEmpty { return plan }
    leaveHeirs(waiting, among: plan.actions, hint: "The deletion is named, too, with its mend.")
    var held = plan
    held.actions.removeAll { waiting.contains($0.uid) }
    return held
  }

  /// A refused deletion waits where the item is gone. Where another item has that address, which
  /// may have to wait itself, it waits where the item still is.
  mutating func noteRefusal(
    of write: PreparedWrite, _ wait: Observation.Wait, on side: Side
  ) {
    if case .delete(_, let old, _, _) = write.action, write.isDeparture(takenOver) {
      refusedHere.append(
        .observed(Observation(side: side, href: old.href, state: .read(old), wait: wait)))
    } else {
      refusals.append(WaitChange(side: side.opposite, href: write.origin, wait: wait))
    }
  }

  /// Names what waits at the place of another item.
  mutating func leaveHeirs(
    _ waiting: Set<ItemID>, among actions: [Action],
    hint: String = "Run the sync again; or give it another name."
  ) {
    for action in actions where waiting.contains(action.uid) {
      leave(
        action, "it has the place of another item, which could not be deleted yet", hint: hint)
    }
  }
}

extension PreparedWrite {
  /// It deletes an item at whose place another one is.
  func isDeparture(_ takenOver: Set<Href>) -> Bool {
    if case .delete(_, _, let gone, _) = action { takenOver.contains(gone.href) } else { false }
  }
}

extension Action {
  /// The places that its item has been seen at, and is agreed on at when it is done.
  fileprivate var agreedPlaces: [(Side, Href)] {
    switch self {
    case .create(let side, let source, _): [(side.opposite, source.href)]
    case .replace(let side, let old, let source, _, _):
      [(side, old.href), (side.opposite, source.href)]
    case .merge(let merged): [(.local, merged.local.href), (.remote, merged.remote.href)]
    case .record(let agreement): [(.local, agreement.local.href), (.remote, agreement.remote.href)]
    case .delete, .forget: []
    }
  }
}
