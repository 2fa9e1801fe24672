import ICalendar
public import SyncModel

extension Conflict {
  /// The texts that merging it needs.
  public var texts: [ContentDigest] {
    [local, remote, base?.local, base?.remote].compactMap { $0?.version.digest }
  }
}

/// Takes out of a plan the conflicts that need no person: what can be merged becomes an action.
///
/// `texts` are those of the conflicts, by digest; without one of a base the item is merged as if
/// the sides had never agreed, and without one of a side it waits.
public func mergeConflicts(
  _ plan: Plan, texts: [ContentDigest: ItemData], zones: ItemZones, rules: ReconcileRules
) -> Plan {
  var merged = plan
  merged.conflicts = []
  for conflict in plan.conflicts {
    switch settle(conflict, texts, zones, rules) {
    case .nothing: break
    case .act(let action): merged.actions.append(action)
    case .problem(let trouble): merged.problems.append(trouble)
    case .conflict(let reason):
      var waiting = conflict
      waiting.reason = reason
      merged.conflicts.append(waiting)
    }
  }
  if merged.actions.count > plan.actions.count { merged.actions.sort { $0.uid < $1.uid } }
  return merged
}

private enum Settlement {
  case nothing
  case act(Action)
  case problem(ItemTrouble)
  case conflict(Conflict.Reason)
}

private func settle(
  _ conflict: Conflict, _ texts: [ContentDigest: ItemData], _ zones: ItemZones,
  _ rules: ReconcileRules
) -> Settlement {
  func tree(_ version: ItemVersion?) -> SyntaxTree? {
    version.flatMap { texts[$0.version.digest] }.map { SyntaxTree(bytes: $0.bytes) }
  }
  guard let local = tree(conflict.local), let remote = tree(conflict.remote) else {
    return .conflict(conflict.reason)
  }
  let isTouch = haveOneEssence(local, remote, zones)
  var base: MergeBase<SyntaxTree>?
  if let here = tree(conflict.base?.local), let there = tree(conflict.base?.remote) {
    base = MergeBase(local: here, remote: there)
  }
  let touched = isTouch ? [] : touchedSides(conflict, base, local, remote, zones, rules)
  let mayMerge = conflict.mergeable == .everything || isTouch || !touched.isEmpty
  guard mayMerge || conflict.base == nil else { return .conflict(conflict.reason) }
  let times = EditTimes(
    conflict.local, conflict.remote, since: conflict.base, now: rules.now)
  switch merge(base: base, local: local, remote: remote, times: times, zones: zones) {
  case .conflict(.schedule): return .conflict(mayMerge ? .schedule : conflict.reason)
  case .conflict(.unmergeable):
    guard isTouch else { return .conflict(conflict.reason) }
    let newer = times.newer == .local ? local : remote
    let new = ItemData(bytes: newer.bytes)
    let older = times.newer.opposite
    let isSpared = rules.notifying.contains(older) && SchedulingAgent.isScheduled(new.bytes)
    return admit(conflict, isSpared ? [:] : [older: new], times, touchReason, rules)
  case .merged(let merged):
    var new: [Side: ItemData] = [:]
    // What means the same is not written: a server may keep it in another layout.
    if !zones.isSameContent(SyntaxTree(bytes: merged.local), local) {
      new[.local] = ItemData(bytes: merged.local)
    }
    if !zones.isSameContent(SyntaxTree(bytes: merged.remote), remote) {
      new[.remote] = ItemData(bytes: merged.remote)
    }
    if let trouble = editThatCannotGo(conflict, merged, rules) { return .problem(trouble) }
    // Two spellings of one thing need no person.
    guard mayMerge || new.isEmpty && merged.lost.isEmpty else { return .conflict(conflict.reason) }
    var reason =
      isTouch ? touchReason : touched.isEmpty ? mergeReason(merged.lost, times) : oneEditReason
    if base == nil || isTouch || !touched.isEmpty {
      for side in Side.allCases where rules.notifying.contains(side) {
        // What alone is touched gets the other one's edit, which a person made.
        if touched == [side] { continue }
        let old = side == .local ? local : remote
        switch whoAsks(for: new[side], over: old, isTouch: isTouch || !touched.isEmpty, zones) {
        case .somebody: break
        case .nobody:
          new[side] = nil
          reason += "; the \(side.rawValue) one stays, so that nobody gets mail"
        case .unknown: return .conflict(conflict.reason)
        }
      }
    }
    return admit(conflict, new, times, reason, rules)
  }
}

/// The sides that were only touched since both agreed, where an edit would wait for a person: of
/// them nobody has anything to decide. One-way runs merge no edits.
private func touchedSides(
  _ conflict: Conflict, _ base: MergeBase<SyntaxTree>?, _ local: SyntaxTree,
  _ remote: SyntaxTree, _ zones: ItemZones, _ rules: ReconcileRules
) -> Set<Side> {
  guard conflict.mergeable == .touches, rules.direction == .both, let base else { return [] }
  var touched: Set<Side> = []
  if haveOneEssence(base.local, local, zones) { touched.insert(.local) }
  if haveOneEssence(base.remote, remote, zones) { touched.insert(.remote) }
  return touched
}

private enum Wish { case somebody, nobody, unknown }

/// Whether a person asked for a write to a server that may send mail because of it: without a base
/// a version may be an edit, or what a server made of the other one.
private func whoAsks(
  for new: ItemData?, over old: SyntaxTree, isTouch: Bool, _ zones: ItemZones
) -> Wish {
  guard let new, SchedulingAgent.isScheduled(new.bytes) else { return .somebody }
  if isTouch { return .nobody }
  func view(_ tree: SyntaxTree) -> [UInt8]? {
    essenceWithoutExtensions(of: zones.withoutRedundantDefinitions(tree))
  }
  let wanted = view(SyntaxTree(bytes: new.bytes))
  return wanted != nil && wanted == view(old) ? .nobody : .unknown
}

private let touchReason =
  "only times, counters and written-out defaults of the two versions differed: merged"

private let oneEditReason = "one side at most was edited, and else only times and counters: merged"

/// Two versions differ in nothing but the fields that say that somebody has touched them.
private func haveOneEssence(
  _ local: SyntaxTree, _ remote: SyntaxTree, _ zones: ItemZones
) -> Bool {
  guard let first = essence(of: zones.withoutRedundantDefinitions(local)) else { return false }
  return first == essence(of: zones.withoutRedundantDefinitions(remote))
}

/// The action, unless the run may not write where it would have to.
private func admit(
  _ conflict: Conflict, _ texts: [Side: ItemData], _ times: EditTimes, _ reason: String,
  _ rules: ReconcileRules
) -> Settlement {
  let action = Action.merge(
    MergedItem(
      local: conflict.local, remote: conflict.remote, texts: texts, base: conflict.base,
      edited: times.latest, reason: reason))
  guard !action.targets.isEmpty else {
    return .act(
      .record(Agreement(uid: conflict.uid, local: conflict.local, remote: conflict.remote)))
  }
  guard action.targets.allSatisfy(rules.direction.writes) else { return .nothing }
  for target in action.targets {
    if let problem = obstacle(to: action, on: target, waits: conflict.waits, rules) {
      return .problem(trouble(conflict, problem, on: target.opposite))
    }
  }
  return .act(action)
}

/// An edit that cannot go to a read-only side is not undone because that one was edited, too.
private func editThatCannotGo(
  _ conflict: Conflict, _ merged: MergedTexts, _ rules: ReconcileRules
) -> ItemTrouble? {
  guard conflict.base != nil,
    let winner = merged.lost.map(\.winner).first(where: rules.readOnly.contains)
  else { return nil }
  return trouble(conflict, isReadOnly(winner), on: winner.opposite)
}

/// A problem of a version that cannot go to the other side.
private func trouble(
  _ conflict: Conflict, _ problem: ItemProblem, on side: Side
) -> ItemTrouble {
  let source = side == .local ? conflict.local : conflict.remote
  return ItemTrouble(
    uid: conflict.uid, side: side, href: source.href, summary: source.summary, problem: problem)
}
