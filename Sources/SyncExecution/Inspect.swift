public import SyncModel
import SyncPlanning

/// An item that is not in sync, for `calgw status`.
public struct PendingItem: Sendable, Hashable {
  /// What became of it on a side since both agreed.
  public enum Change: String, Sendable, CaseIterable {
    case unchanged, created, updated, deleted
  }

  public var item: ReportedItem
  public var local: Change
  public var remote: Change
  public var conflict: ReportedConflict.Reason?
  public var problem: ItemProblem?
  /// What both sides agreed on last; nil where they never did.
  var base: Agreement?
  /// What each side has; a side without the item is not in it.
  public var versions: [Side: ItemVersion] = [:]

  /// Both sides agreed on it once.
  public var isChangeOfAgreed: Bool { base != nil }
}

extension CollectionSync {
  /// Says what a sync would have to deal with, and changes neither side. The journal given is to
  /// be a throw-away copy. Only the `sides` named are looked at; the others are taken to be as
  /// they were last seen.
  public func inspect(_ sides: Set<Side>) async -> Result<[PendingItem], SyncFailure> {
    do throws(SyncFailure) {
      if sides.count == Side.allCases.count { _ = try await recover(isLook: true) }
      let known = Set(try await unreadable(on: sides))
      try await observe(sides)
      let differing = try await recorded { () throws(JournalError) in
        try await journal.differing()
      }
      var matched = matchItems(differing)
      matched.items = try await lookTwice(at: matched.free)
      // What one direction leaves alone is not in sync all the same.
      var rules = rules
      rules.direction = .both
      let broken = try await brokenFiles(differing, known: known)
      var pending: [PendingItem] = []
      var whole = Plan()
      for item in matched.items {
        let merged = try await mergingConflicts(reconcile([item], rules: rules))
        let plan = respect(broken, in: try await respectWindow(merged, [item]))
        if let found = pendingItem(item, plan) { pending.append(found) }
        whole.actions += plan.actions
      }
      if let refused = try await refusal(of: whole) { pending.append(refused) }
      return .success(pending + matched.problems.map(pendingItem))
    } catch {
      return .failure(error)
    }
  }

  /// The guard against mass deletions, if a sync would meet it.
  private func refusal(of plan: Plan) async throws(SyncFailure) -> PendingItem? {
    let agreed = try await recorded { () throws(JournalError) in
      try await journal.agreementCount()
    }
    do throws(PlanRefusal) {
      _ = try approve(plan, limit: options.deletionLimit, agreed: agreed)
      return nil
    } catch {
      return PendingItem(
        item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""), local: .unchanged,
        remote: .unchanged, conflict: nil, problem: error.problem)
    }
  }

  private func pendingItem(_ trouble: ItemTrouble) -> PendingItem {
    let problem = report(of: trouble)
    return PendingItem(
      item: problem.item, local: .unchanged, remote: .unchanged, conflict: nil,
      problem: problem.problem)
  }

  /// Nil where nothing but the journal would have to be written.
  private func pendingItem(_ item: DifferingItem, _ plan: Plan) -> PendingItem? {
    let writes = plan.actions.contains { !$0.targets.isEmpty }
    guard writes || !plan.conflicts.isEmpty || !plan.problems.isEmpty else { return nil }
    let names = ReportedItem(
      uid: item.uid, file: name(of: item, on: .local), href: name(of: item, on: .remote),
      summary: item.anyVersion?.summary ?? "")
    var pending = PendingItem(
      item: names, local: change(of: item, on: .local), remote: change(of: item, on: .remote),
      conflict: plan.conflicts.first.map { report(of: $0).reason },
      problem: plan.problems.first?.problem ?? question(of: plan))
    if case .agreed(let agreement, _, _) = item.state { pending.base = agreement }
    for side in Side.allCases { pending.versions[side] = item.version(on: side) }
    return pending
  }

  /// What waits until a person says yes to it, in a sync that nobody sees.
  private func question(of plan: Plan) -> ItemProblem? {
    for action in plan.actions {
      switch action {
      // What the pair's direction leaves alone is not asked about either.
      case .delete(let side, _, _, _)
      where options.confirmDeletion != nil && options.direction.writes(to: side):
        return .awaitsDeletion(on: side)
      case .create(let side, let source, _)
      where options.invitations.holds(source.uid) && options.direction.writes(to: side):
        return .awaitsInvitation
      case .create, .replace, .merge, .delete, .record, .forget: continue
      }
    }
    return nil
  }

  private func name(of item: DifferingItem, on side: Side) -> Href? {
    if let version = item.version(on: side) { return version.href }
    if case .agreed(let agreement, _, _) = item.state { return agreement[side].href }
    return nil
  }

  private func change(of item: DifferingItem, on side: Side) -> PendingItem.Change {
    switch item.state {
    case .agreed(_, let local, let remote):
      switch side == .local ? local : remote {
      case .unchanged: .unchanged
      case .modified: .updated
      case .deleted: .deleted
      }
    case .unmet:
      item.version(on: side) == nil ? .unchanged : .created
    }
  }
}
