public import SyncModel

/// What a run may do and how it settles conflicts.
public struct ReconcileRules: Sendable, Hashable {
  public var policy = ConflictPolicy.merge
  public var direction = SyncDirection.both
  /// A run in one direction settles by the policy what both sides changed, where the side that
  /// gives way is the one it writes to: no run of the pair goes the other way.
  public var settlesOneWay = false
  /// Sides that nothing may be written to.
  public var readOnly: Set<Side> = []
  /// The component kinds that each side can store; a side that is not named takes any.
  public var accepted: [Side: Set<String>] = [:]
  /// The component kinds that are synced at all; nil: any.
  public var components: Set<String>?
  /// The only items to deal with; nil: all.
  public var only: Set<ItemID>?
  /// Items of which a person has said which side holds, whatever the policy.
  public var preferred: [ItemID: Side] = [:]
  /// Those of them of which the other side's version stays as well, as an item of its own.
  public var keptBoth: Set<ItemID> = []
  /// Items that a side refused lately and may take now.
  public var offeredAgain: Set<ItemID> = []
  /// Items of which the remote side may have lost its own to a deletion in another collection: that
  /// was meant for the other one, so they are created there again.
  public var takenAlong: Set<ItemID> = []
  /// Sides whose server may send mail because of a scheduled item that is written there, or refuses
  /// the write since it would.
  public var notifying: Set<Side> = []
  /// Those of them that refuse such writes.
  public var silenced: Set<Side> = []
  /// The time of the run, and how far the sides' clocks are off it.
  public var clocks: Clocks
  /// The time of the run.
  public var now: Instant { clocks.now }

  /// As a run has them that may do everything, at a time.
  public init(now: Instant) { clocks = Clocks(now: now) }
}

/// Decides what to do about every item that differs. Total: each combination has one answer, the
/// one in the table of docs/reconcile.md.
public func reconcile(_ differing: some Sequence<DifferingItem>, rules: ReconcileRules) -> Plan {
  var plan = Plan()
  for item in differing where rules.only?.contains(item.uid) ?? true {
    let leftOut = LeftOutKinds(item, rules)
    if leftOut?.isWholeItem ?? false { continue }
    let decision =
      switch item.state {
      case .agreed(let base, let local, let remote):
        decide(base, local, remote, isSame: item.isSameOnBoth, rules)
      case .unmet(let local, let remote):
        decide(local, remote, isSame: item.isSameOnBoth, rules)
      }
    if let trouble = leftOut?.trouble(instead: decision, rules) {
      plan.problems.append(trouble)
      continue
    }
    switch decision {
    case .nothing: break
    case .act(let action): admit(action, of: item, into: &plan, rules)
    case .conflict(let local, let remote, let base, let mergeable):
      plan.conflicts.append(
        Conflict(
          uid: item.uid, local: local, remote: remote,
          reason: base == nil ? .neverAgreed : .bothChanged, base: base,
          mergeable: mergeable, waits: item.waits))
    }
  }
  return plan
}

/// What is to be done about an item, whether it can be done or not.
enum Decision {
  case nothing
  case act(Action)
  case conflict(ItemVersion, ItemVersion, base: Agreement?, Conflict.Mergeable)
}

/// An item that both sides shared once: nine cases.
private func decide(
  _ base: Agreement, _ local: Change, _ remote: Change, isSame: Bool, _ rules: ReconcileRules
) -> Decision {
  let decided = rules.preferred[base.uid]
  let stays = "a person decided: it stays"
  switch (local, remote) {
  case (.unchanged(let here), .unchanged(let there)):
    let now = Agreement(uid: base.uid, local: here, remote: there)
    return now == base ? .nothing : .act(.record(now))

  case (.modified(let here), .unchanged(let there)) where decided == .remote:
    return .act(give(there, over: here, to: .local, rules))
  case (.unchanged(let here), .modified(let there)) where decided == .local:
    return .act(give(here, over: there, to: .remote, rules))

  case (.modified(let new), .unchanged(let old)):
    return .act(carry(new, over: old, to: .remote, base: base, "changed here"))
  case (.unchanged(let old), .modified(let new)):
    return .act(carry(new, over: old, to: .local, base: base, "changed on the other side"))

  case (.modified(let here), .modified(let there)):
    if isSame || here.canonical == there.canonical {
      return .act(.record(Agreement(uid: base.uid, local: here, remote: there)))
    }
    return settle(here, there, base: base, rules)

  case (.deleted, .unchanged(let old)):
    if decided == .remote { return .act(.create(on: .local, source: old, reason: stays)) }
    return .act(.delete(on: .remote, old: old, gone: base.local, reason: "deleted here"))

  case (.unchanged(let item), .deleted) where rules.takenAlong.contains(base.uid),
    (.modified(let item), .deleted) where rules.takenAlong.contains(base.uid):
    let reason = "it went with the one that was deleted in another collection"
    return .act(.create(on: .remote, source: item, reason: reason))
  case (.unchanged(let old), .deleted):
    if decided == .local { return .act(.create(on: .remote, source: old, reason: stays)) }
    return .act(
      .delete(on: .local, old: old, gone: base.remote, reason: "deleted on the other side"))

  case (.deleted, .deleted):
    return .act(.forget(base))

  case (.modified(let edit), .deleted):
    if decided == .local { return .act(.create(on: .remote, source: edit, reason: stays)) }
    if settlesFor(.remote, rules) {
      return .act(
        .delete(on: .local, old: edit, gone: base.remote, reason: "policy remote: deleted there"))
    }
    return .act(.create(on: .remote, source: edit, reason: "the edit here \(outlived)"))
  case (.deleted, .modified(let edit)):
    if decided == .remote { return .act(.create(on: .local, source: edit, reason: stays)) }
    if settlesFor(.local, rules) {
      return .act(
        .delete(on: .remote, old: edit, gone: base.local, reason: "policy local: deleted here"))
    }
    return .act(.create(on: .local, source: edit, reason: "the edit there \(outlived)"))
  }
}

/// An item that the two sides never agreed on.
private func decide(
  _ local: ItemVersion?, _ remote: ItemVersion?, isSame: Bool, _ rules: ReconcileRules
) -> Decision {
  switch (local, remote) {
  case (let here?, nil): return .act(.create(on: .remote, source: here, reason: "new here"))
  case (nil, let there?):
    return .act(.create(on: .local, source: there, reason: "new on the other side"))
  case (let here?, let there?):
    if isSame || here.canonical == there.canonical {
      return .act(.record(Agreement(uid: here.uid, local: here, remote: there)))
    }
    return settle(here, there, base: nil, rules)
  case (nil, nil):
    return .nothing
  }
}

/// A side's change goes to the other: as a whole text where what is there has the canonical form
/// of the base that was changed, else only what changed.
private func carry(
  _ new: ItemVersion, over old: ItemVersion, to target: Side, base: Agreement, _ reason: String
) -> Action {
  let changed = base[target.opposite]
  let text: Action.Text =
    base.basesAgree && old.canonical == changed.canonical
    ? .whole : .changeSince(changed.version.digest)
  return .replace(on: target, old: old, source: new, text: text, reason: reason)
}

/// Both sides differ: the policy says who wins, or that it waits. A push or pull settles nothing
/// but what a person decided.
private func settle(
  _ here: ItemVersion, _ there: ItemVersion, base: Agreement?, _ rules: ReconcileRules
) -> Decision {
  let decided = rules.preferred[here.uid]
  let byPolicy =
    rules.direction == .both || rules.settlesOneWay
    ? winner(here, there, base: base, policy: rules.policy, by: rules.clocks) : nil
  guard let winner = decided ?? byPolicy, rules.direction.writes(to: winner.opposite) else {
    return .conflict(here, there, base: base, mergeable(rules))
  }
  if decided == nil {
    // What a side that takes nothing lacks may be a mere touch, and those wait for nobody.
    if base != nil || rules.readOnly.contains(winner.opposite) {
      return .conflict(here, there, base: base, .touchesOrElse(holds: winner))
    }
    // What differs may be the server's doing, or that of a journal that was lost.
    if rules.notifying.contains(winner.opposite) {
      return .conflict(here, there, base: nil, .onlySilently(holds: winner))
    }
    // Or an edit that cannot go to the side that holds.
    if rules.readOnly.contains(winner) {
      return .conflict(here, there, base: nil, .touchesOrElse(holds: winner))
    }
  }
  return .act(overwriting(with: winner, here, there, base: base, rules))
}

/// The version of one side, whole, over the other's.
func overwriting(
  with winner: Side, _ here: ItemVersion, _ there: ItemVersion, base: Agreement?,
  _ rules: ReconcileRules
) -> Action {
  let (source, old) = winner == .local ? (here, there) : (there, here)
  let isDecided = rules.preferred[here.uid] != nil
  var settledBy = isDecided ? "a person decided" : "policy \(rules.policy.rawValue)"
  if !isDecided, rules.policy == .newest,
    !EditTimes(here, there, since: base, by: rules.clocks).areTelling
  {
    settledBy += ", \(guessed)"
  }
  let found = base == nil ? "the sides differ, and never agreed" : "both changed it"
  if rules.keptBoth.contains(here.uid) {
    return .replace(
      on: winner.opposite, old: old, source: source, text: .whole,
      reason: "\(found); \(keepingBoth(winner))")
  }
  return .replace(
    on: winner.opposite, old: old, source: source, text: .whole,
    reason: "\(found); \(settledBy): the \(winner.rawValue) one won")
}

/// What a person wants goes over the only change there was; one that made both sides the same is
/// what he wants already.
private func give(
  _ source: ItemVersion, over old: ItemVersion, to target: Side, _ rules: ReconcileRules
) -> Action {
  if source.canonical == old.canonical {
    let (local, remote) = target == .local ? (old, source) : (source, old)
    return .record(Agreement(uid: source.uid, local: local, remote: remote))
  }
  let reason =
    rules.keptBoth.contains(source.uid)
    ? keepingBoth(target.opposite) : "a person decided: the \(target.opposite.rawValue) one holds"
  return .replace(on: target, old: old, source: source, text: .whole, reason: reason)
}

/// What is said of an item of which a person keeps both versions.
///
/// - Parameter winner: The side whose version stays what it is; the other one gets another UID.
public func keepingBoth(_ winner: Side) -> String {
  "a person decided: both are kept, the \(winner.opposite.rawValue) one as a second item"
}

/// A one-way run leaves alone what both sides changed, whatever the policy.
private func mergeable(_ rules: ReconcileRules) -> Conflict.Mergeable {
  rules.policy == .merge && rules.direction == .both ? .everything : .touches
}

/// An edit there does not survive a deletion on this side. In a one-way run as well: it does what a
/// sync would, as far as it may write. What is deleted on a read-only side takes no edit with it.
private func settlesFor(_ side: Side, _ rules: ReconcileRules) -> Bool {
  if rules.readOnly.contains(side) { return false }
  return switch rules.policy {
  case .local: side == .local
  case .remote: side == .remote
  case .merge, .newest, .ask: false
  }
}

extension DifferingItem {
  fileprivate func isEdited(on side: Side) -> Bool {
    guard case .agreed(_, let local, let remote) = state else { return false }
    if case .modified = side == .local ? local : remote { return true }
    return false
  }
}

/// Takes an action into the plan, or the reason why it cannot be carried out.
private func admit(
  _ action: Action, of item: DifferingItem, into plan: inout Plan, _ rules: ReconcileRules
) {
  guard let target = action.targets.first else {
    plan.actions.append(action)
    return
  }
  guard rules.direction.writes(to: target) else { return }
  var waits = item.waits
  // That an edit here was refused is no reason to keep it from going; what waits there may be the
  // deletion that was refused.
  if case .delete = action, target == .local, item.isEdited(on: .local) { waits[.local] = nil }
  if let problem = obstacle(to: action, on: target, waits: waits, rules),
    let version = item.version(on: target.opposite) ?? item.anyVersion
  {
    let side = item.version(on: target.opposite) == nil ? target : target.opposite
    plan.problems.append(
      ItemTrouble(
        uid: item.uid, side: side, href: version.href, summary: version.summary, problem: problem))
  } else {
    plan.actions.append(action)
  }
}
