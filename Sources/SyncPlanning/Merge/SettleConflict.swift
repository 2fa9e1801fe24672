import ICalendar
import SyncModel

/// What becomes of a conflict that is looked at with its texts.
enum Settlement {
  case nothing
  case act(Action)
  case problem(ItemTrouble)
  case conflict(Conflict.Reason, canMerge: Bool = true)
}

/// A conflict with the texts that it is about.
struct SettleConflict {
  private let conflict: Conflict
  private let versions: BothSides<SyntaxTree>
  /// Nil where the sides never agreed, or a text of what they agreed on is lost or too large.
  private let base: BothSides<SyntaxTree>?
  /// Looked at as wholes alone.
  private let isTooLarge: Bool
  private let zones: ItemZones
  private let rules: ReconcileRules
  private let times: EditTimes
  /// The two differ in nothing but the fields that say that somebody has touched them.
  private let isTouch: Bool
  /// The sides that were only touched since both agreed: of them nobody has anything to decide, and
  /// nobody is to get mail. One-way runs merge no edits.
  private let touched: Set<Side>

  /// Nil where the text of a side is not known.
  init?(
    _ conflict: Conflict, _ texts: [ContentDigest: ItemData], _ zones: ItemZones,
    _ rules: ReconcileRules
  ) {
    func tree(_ version: ItemVersion?) -> SyntaxTree? {
      version.flatMap { texts[$0.version.digest] }.map { SyntaxTree(bytes: $0.bytes) }
    }
    guard let local = tree(conflict.local), let remote = tree(conflict.remote) else { return nil }
    let isTooLarge = conflict.texts.contains { texts[$0]?.isTooLargeToCompare ?? false }
    var base: BothSides<SyntaxTree>?
    if !isTooLarge, let here = tree(conflict.base?.local), let there = tree(conflict.base?.remote) {
      base = BothSides(here, there)
    }
    let versions = BothSides(local, remote)
    let isTouch = zones.haveOneEssence(local, remote)
    var touched: Set<Side> = []
    if !isTouch, rules.direction == .both, let base {
      touched = Set(
        Side.allCases.filter { zones.haveOneEssence(base[$0], versions[$0]) })
    }
    self.conflict = conflict
    self.versions = versions
    self.base = base
    self.isTooLarge = isTooLarge
    self.zones = zones
    self.rules = rules
    self.isTouch = isTouch
    self.touched = touched
    times = EditTimes(conflict.local, conflict.remote, since: conflict.base, by: rules.clocks)
  }

  var settlement: Settlement {
    if let winner = winnerByPolicy, isAsked(for: winner) {
      if !isTouch, let trouble = conflict.editThatCannotGo(to: winner, rules) {
        return .problem(trouble)
      }
      return whole(winner)
    }
    if let winner = winnerOverAnEdit {
      let isEdit = !isTouch && !touched.contains(winner.opposite)
      if isEdit, let trouble = conflict.editThatCannotGo(to: winner, rules) {
        return .problem(trouble)
      }
      return whole(winner)
    }
    guard mayMerge || conflict.base == nil else {
      return .conflict(conflict.reason, canMerge: canMerge)
    }
    if isTooLarge {
      if isTouch { return newerTouch }
      return .conflict(
        conflict.mergeable == .everything ? .tooLarge : conflict.reason, canMerge: false)
    }
    return switch joined {
    case .conflict where isTouch: newerTouch
    case .conflict(let obstacle):
      .conflict((mayMerge ? obstacle.reason : nil) ?? conflict.reason, canMerge: false)
    case .merged(let merged): taking(merged)
    }
  }

  /// By the policy, where nothing on either side is a mere touch of what both agreed on, or the one
  /// edit cannot be joined with the touch. It sends nobody a version that nobody edited. Two that
  /// were touched are merged, so that no counter goes back; but where the run may write to one side
  /// alone, that one gets the other's.
  private var winnerOverAnEdit: Side? {
    guard case .touchesOrElse(let winner) = conflict.mergeable else { return nil }
    if isTouch {
      return rules.direction == .both || wouldTell(winner.opposite) ? nil : winner
    }
    if isTooLarge || touched.isEmpty { return winner }
    guard case .conflict = joined else { return nil }
    return touched.count == 1 ? Side.allCases.first { !touched.contains($0) } : winner
  }

  private func whole(_ winner: Side) -> Settlement {
    conflict.admit(conflict.whole(winner, rules), rules)
  }

  private var joined: MergeOutcome {
    merge(base: base, local: versions.local, remote: versions.remote, times: times, zones: zones)
  }

  /// For a person, where nothing is merged without one.
  private var canMerge: Bool {
    if isTooLarge { return false }
    if case .conflict = joined { return false }
    return true
  }

  /// Without a person.
  private var mayMerge: Bool { conflict.mergeable != .touches || hasTouchAlone }

  /// Nil where the policy lets no side hold as a whole.
  private var winnerByPolicy: Side? {
    if case .onlySilently(let winner) = conflict.mergeable { winner } else { nil }
  }

  /// Nobody gets mail for the whole version of a side, neither who is invited nor who was, or
  /// somebody wanted that.
  private func isAsked(for winner: Side) -> Bool {
    if SchedulingAgent.isScheduled(versions[winner.opposite].bytes) { return false }
    let new = ItemData(bytes: versions[winner].bytes)
    return whoAsks(for: new, over: versions[winner.opposite]) == .somebody
  }

  private var hasTouchAlone: Bool { isTouch || !touched.isEmpty }

  /// The later of two versions that nobody edited, whole, where the one cannot be merged into the
  /// other; nothing where it would cause a mail, or cannot go.
  private var newerTouch: Settlement {
    let new = ItemData(bytes: versions[times.newer].bytes)
    let older = times.newer.opposite
    let stays = wouldTell(older) || rules.readOnly.contains(older)
    return admit(stays ? [:] : [older: new], because: touchReason)
  }

  private func taking(_ merged: MergedTexts) -> Settlement {
    var texts: [Side: ItemData] = [:]
    for (side, bytes) in [(Side.local, merged.local), (.remote, merged.remote)] {
      // What means the same is not written: a server may keep it in another layout.
      if zones.isSameContent(SyntaxTree(bytes: bytes), versions[side]) { continue }
      // Nor do times and counters wait for a side that takes nothing.
      if isTouch, rules.readOnly.contains(side) { continue }
      texts[side] = ItemData(bytes: bytes)
    }
    // Of what both say otherwise the policy knows whose holds, and cannot say so to the server.
    if winnerByPolicy != nil, !merged.lost.isEmpty { return .conflict(conflict.reason) }
    // Two spellings of one thing need no person.
    guard mayMerge || texts.isEmpty && merged.lost.isEmpty else {
      return .conflict(conflict.reason)
    }
    for side in Side.allCases where givesWay(side, merged.lost, texts) {
      if let trouble = conflict.editThatCannotGo(to: side.opposite, rules) {
        return .problem(trouble)
      }
    }
    var reason =
      isTouch
      ? touchReason
      : touched.isEmpty
        ? mergeReason(merged.lost, times, hasBase: conflict.base != nil) : oneEditReason
    for side in Side.allCases where sparesMail(on: side) {
      switch whoAsks(for: texts[side], over: versions[side]) {
      case .somebody: break
      case .nobody:
        texts[side] = nil
        reason += "; the \(side.rawValue) one stays, so that nobody gets mail"
      case .unknown: return .conflict(conflict.reason)
      }
    }
    return admit(texts, because: reason)
  }

  /// A change of the side is lost in a merge. Without a base all that is written there may undo
  /// one, as where a person has removed what the other side has.
  private func givesWay(
    _ side: Side, _ lost: [LostChange], _ texts: [Side: ItemData]
  ) -> Bool {
    let isLost = lost.contains { $0.winner == side.opposite }
    return !isTouch && (isLost || conflict.base == nil && texts[side] != nil)
  }

  // MARK: Mail

  /// The whole version of the other side would cause mail there.
  private func wouldTell(_ side: Side) -> Bool {
    rules.notifying.contains(side) && SchedulingAgent.isScheduled(versions[side.opposite].bytes)
  }

  private enum Wish { case somebody, nobody, unknown }

  /// What alone is touched gets the other one's edit, which a person made.
  private func sparesMail(on side: Side) -> Bool {
    rules.notifying.contains(side) && (base == nil || hasTouchAlone) && touched != [side]
  }

  /// Whether a person asked for a write to a server that may send mail because of it: without a
  /// base a version may be an edit, or what a server made of the other one.
  private func whoAsks(for new: ItemData?, over old: SyntaxTree) -> Wish {
    guard let new, SchedulingAgent.isScheduled(new.bytes) else { return .somebody }
    if hasTouchAlone { return .nobody }
    func view(_ tree: SyntaxTree) -> [UInt8]? {
      essenceWithoutExtensions(of: zones.withoutRedundantDefinitions(tree))
    }
    let wanted = view(SyntaxTree(bytes: new.bytes))
    return wanted != nil && wanted == view(old) ? .nobody : .unknown
  }

  // MARK: What the run may do

  /// The action, unless the run may not write where it would have to.
  private func admit(_ texts: [Side: ItemData], because reason: String) -> Settlement {
    let action = Action.merge(
      MergedItem(
        local: conflict.local, remote: conflict.remote, texts: texts, base: conflict.base,
        edited: times.latest, reason: reason))
    guard !action.targets.isEmpty else {
      return .act(
        .record(Agreement(uid: conflict.uid, local: conflict.local, remote: conflict.remote)))
    }
    return conflict.admit(action, rules)
  }
}

extension Conflict {
  /// What becomes of it where the text of a side is not known.
  func settlementUnseen(_ rules: ReconcileRules) -> Settlement {
    guard case .touchesOrElse(let winner) = mergeable else {
      return .conflict(reason, canMerge: true)
    }
    if let trouble = editThatCannotGo(to: winner, rules) { return .problem(trouble) }
    return admit(whole(winner, rules), rules)
  }

  /// An edit that cannot go to a read-only side is not undone because that one was edited, too,
  /// whatever the policy says; nil where it may go. What the sides never agreed on may be one, and
  /// so gives way to no guess.
  fileprivate func editThatCannotGo(to side: Side, _ rules: ReconcileRules) -> ItemTrouble? {
    guard rules.readOnly.contains(side), base != nil || !isSaid(toHold: side, rules) else {
      return nil
    }
    return trouble(isReadOnly(side), on: side.opposite)
  }

  /// The policy names the side whose version holds, or the times say that it was edited last.
  private func isSaid(toHold side: Side, _ rules: ReconcileRules) -> Bool {
    switch rules.policy {
    case .local, .remote, .ask: return true
    case .merge, .newest:
      let times = EditTimes(local, remote, since: nil, by: rules.clocks)
      return times.areTelling && times.newer == side
    }
  }

  fileprivate func whole(_ winner: Side, _ rules: ReconcileRules) -> Action {
    overwriting(with: winner, local, remote, base: base, rules)
  }

  fileprivate func admit(_ action: Action, _ rules: ReconcileRules) -> Settlement {
    guard action.targets.allSatisfy(rules.direction.writes) else { return .nothing }
    for target in action.targets {
      if let problem = obstacle(to: action, on: target, waits: waits, rules) {
        return .problem(trouble(problem, on: target.opposite))
      }
    }
    return .act(action)
  }

  /// A problem of a version that cannot go to the other side.
  fileprivate func trouble(_ problem: ItemProblem, on side: Side) -> ItemTrouble {
    let source = side == .local ? local : remote
    return ItemTrouble(
      uid: uid, side: side, href: source.href, summary: source.summary, problem: problem)
  }
}

private let touchReason =
  "only times, counters and written-out defaults of the two versions differed: merged"

private let oneEditReason = "one side at most was edited, and else only times and counters: merged"

extension ItemZones {
  /// Two versions differ in nothing but the fields that say that somebody has touched them.
  func haveOneEssence(_ one: SyntaxTree, _ other: SyntaxTree) -> Bool {
    guard let first = essence(of: withoutRedundantDefinitions(one)) else { return false }
    return first == essence(of: withoutRedundantDefinitions(other))
  }
}
