import SyncModel
import SyncPlanning

extension CollectionSync {
  func report(of trouble: ItemTrouble) -> ReportedProblem {
    ReportedProblem(
      item: ReportedItem(
        uid: trouble.uid, file: trouble.side == .local ? trouble.href : nil,
        href: trouble.side == .remote ? trouble.href : nil, summary: trouble.summary),
      problem: trouble.problem)
  }

  /// A refused plan, with a way back that this pair has.
  func problem(of refusal: PlanRefusal) -> ItemProblem {
    refusal.problem(canBringBack: choices.contains(refusal.side == .local ? .local : .remote))
  }

  /// A one-way run settles nothing, so there every unlike pair is one that both sides changed.
  func report(of conflict: Conflict) -> ReportedConflict {
    let item = ReportedItem(
      uid: conflict.uid, file: conflict.local.href, href: conflict.remote.href,
      summary: conflict.local.summary)
    let reason: ReportedConflict.Reason =
      switch conflict.reason {
      case .bothChanged: .bothChanged
      case .neverAgreed: options.direction == .both ? .neverAgreed : .bothChanged
      case .schedule: .schedule
      case .kind: .kind
      case .tooLarge: .tooLarge
      }
    var occurrence: String?
    if case .schedule(let words) = conflict.reason { occurrence = words }
    return ReportedConflict(
      item: item, reason: reason, occurrence: occurrence, local: conflict.local.version.digest,
      remote: conflict.remote.version.digest,
      choices: choices.filter { conflict.canMerge || $0 != .merged })
  }
}

extension SyncRun {
  /// Adds an action to the counts and the list of what was done.
  ///
  /// - Parameter place: Where what is new came to be; nil where that is not known yet.
  mutating func count(_ action: Action, at place: Href? = nil) {
    switch action {
    case .create(let side, let source, let reason):
      tally(side) { $0.created += 1 }
      list(.create, on: side, source: source, target: nil, at: place, reason: reason)
    case .replace(let side, let old, let source, _, let reason):
      tally(side) { $0.updated += 1 }
      list(.update, on: side, source: source, target: old, reason: reason)
    case .delete(let side, let old, _, let reason):
      tally(side) { $0.deleted += 1 }
      list(.delete, on: side, source: nil, target: old, reason: reason)
    case .merge(let merged):
      report.merged += 1
      let side = action.targets.last ?? .remote
      list(
        .merge, on: side, source: merged[side.opposite], target: merged[side],
        reason: merged.reason)
    case .record(let agreement):
      list(.record, on: .local, source: agreement.remote, target: agreement.local)
    case .forget(let agreement):
      list(.forget, on: .local, source: agreement.remote, target: agreement.local)
    }
  }

  private mutating func tally(_ side: Side, _ change: (inout WriteCounts) -> Void) {
    switch side {
    case .local: change(&report.pulled)
    case .remote: change(&report.pushed)
    }
  }

  private mutating func list(
    _ kind: ReportedAction.Kind, on side: Side, source: ItemVersion?, target: ItemVersion?,
    at place: Href? = nil, reason: String = ""
  ) {
    let own = target?.href ?? place
    let (local, remote) = side == .local ? (own, source?.href) : (source?.href, own)
    report.actions.append(
      ReportedAction(
        kind: kind, side: side,
        item: ReportedItem(
          uid: (source ?? target)?.uid, file: local, href: remote,
          summary: (source ?? target)?.summary ?? ""), reason: reason))
  }
}

extension Plan {
  /// How many more items both sides share once it is carried out; below zero, how many fewer.
  func newlyShared(among items: [DifferingItem]) -> Int {
    let agreed = Set(items.filter(\.wasAgreed).map(\.uid))
    return actions.reduce(0) { sum, action in
      switch action {
      case .create, .replace, .merge, .record: sum + (agreed.contains(action.uid) ? 0 : 1)
      case .delete, .forget: sum - 1
      }
    }
  }
}

extension DifferingItem {
  fileprivate var wasAgreed: Bool {
    if case .agreed = state { true } else { false }
  }
}

extension Action {
  /// It writes to the remote side alone, and has its source here.
  fileprivate var isRemoteWrite: Bool {
    if case .merge = self { false } else { targets == [.remote] }
  }
}

extension CollectionSync {
  /// The item of an action as reports name it.
  func item(of action: Action) -> ReportedItem {
    let (target, source): (ItemVersion?, ItemVersion?) =
      switch action {
      case .create(_, let source, _): (nil, source)
      case .replace(_, let old, let source, _, _): (old, source)
      case .delete(_, let old, _, _): (old, nil)
      case .merge(let merged): (merged.local, merged.remote)
      case .record(let agreement), .forget(let agreement): (agreement.local, agreement.remote)
      }
    let (local, remote) = action.isRemoteWrite ? (source, target) : (target, source)
    return ReportedItem(
      uid: action.uid, file: local?.href, href: remote?.href,
      summary: (source ?? target)?.summary ?? "")
  }
}
