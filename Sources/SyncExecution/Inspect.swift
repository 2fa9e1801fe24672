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
  /// The occurrences that the conflict is about, for people; nil where it is about the whole item.
  public var occurrence: String?
  public var problem: ItemProblem?
  /// What both sides agreed on last; nil where they never did.
  var base: Agreement?
  /// What each side has; a side without the item is not in it.
  public var versions: [Side: ItemVersion] = [:]

  /// Both sides agreed on it once.
  public var isChangeOfAgreed: Bool { base != nil }

  /// It is new on a side, and the other one does not take it.
  public func isOffered(from side: Side) -> Bool {
    base == nil && problem != nil && versions[side] != nil && versions[side.opposite] == nil
  }

  /// Says where a side has what became of it, which no version of it tells.
  fileprivate mutating func name(_ href: Href, on side: Side) {
    switch side {
    case .local: item.file = item.file ?? href
    case .remote: item.href = item.href ?? href
    }
  }
}

extension CollectionSync {
  /// Says what a sync would have to deal with, and changes neither side. The journal given is to
  /// be a throw-away copy. Only the `sides` named are looked at; the others are taken to be as
  /// they were last seen.
  public func inspect(_ sides: Set<Side>) async -> Result<[PendingItem], SyncFailure> {
    do throws(SyncFailure) {
      let isWhole = sides.count == Side.allCases.count
      var unclear: [OpenIntent] = []
      if isWhole {
        unclear = try await recover(isLook: true).unclear
        try await compareRemade()
      }
      let unread = Set(try await unreadable(on: sides))
      try await observe(sides)
      if isWhole { try await letGo(of: lackingInRemade()) }
      let (differing, broken) = try await differingAndBroken(unreadBefore: unread)
      var matched = matchItems(differing)
      matched.nameNeverShared(in: broken[.local])
      matched.items = try await lookTwice(at: matched.items)
      var rules = self.rules
      rules.offeredAgain = await freed(matched.items)
      let agreed = try await recorded { () throws(JournalError) in
        try await journal.agreementCount()
      }
      let namedByUID = sidesNamedByUID(differing)
      let allowed = respect(broken, in: try await plan(for: matched.items, rules: rules))
      let run = try await holdBesideUnread(
        leaveAlone(in: allowed, matched.items, differing), matched.items, differing,
        agreed: agreed, former: unread, namedByUID: namedByUID
      ).plan
      var both = run
      if rules.direction != .both {
        var rules = rules
        rules.direction = .both
        both = leaveAlone(
          in: respect(broken, in: try await plan(for: matched.items, rules: rules)),
          matched.items, differing)
      }
      let uninvited = try await uninvited(by: run, matched.items, agreed: agreed)
      var pending = pendingItems(matched.items, run, both, uninvited)
      var problems = try await withSeriesMended(matched.problems)
      name(unclear, in: &pending, beside: &problems, differing)
      var record = deletionRecord(agreed: agreed, matched)
      // Only then is it looked whether what is gone was moved: that may read whole folders.
      if refusal(of: run, uninvited, record) != nil {
        let leaving = await holdLeaving(run) ?? (rest: run, held: [], counted: [])
        record.later[.remote] = leaving.counted
        if let refused = refusal(of: leaving.rest, uninvited, record) { pending.append(refused) }
      }
      return .success(pending + problems.map(pendingItem))
    } catch {
      return .failure(error)
    }
  }

  /// Names what a run leaves alone since it cannot read what became of a write of an earlier one:
  /// as the run does, once, and with what is wrong there.
  private func name(
    _ unclear: [OpenIntent], in pending: inout [PendingItem],
    beside problems: inout [ItemTrouble], _ differing: Differing
  ) {
    for intent in unclear.map(\.intent) {
      let isUnread = differing.observations.contains { seen in
        guard seen.side == intent.side, seen.href == intent.href,
          case .obstructed(_, let problem) = seen.state
        else { return false }
        return !problem.isUngiven
      }
      let index = pending.firstIndex { $0.item.uid == intent.uid && $0.problem == nil }
      guard isUnread, let index else { continue }
      pending[index].problem = .unclear(on: intent.side)
      let place = problems.firstIndex { trouble in
        trouble.side == intent.side && trouble.href == intent.href && isNamedByWrite(trouble)
      }
      guard let place else { continue }
      pending[index].name(intent.href, on: intent.side)
      if let reason = reason(of: problems[place]) { pending[index].problem = reason }
      problems.remove(at: place)
    }
  }

  /// The guard against mass deletions, if a sync would meet it.
  private func refusal(
    of plan: Plan, _ uninvited: Set<ItemID>, _ record: DeletionRecord
  ) -> PendingItem? {
    // What waits for a yes of its own is not deleted by a run that nobody sees.
    var plan = plan
    plan.actions.removeAll { question(of: $0, uninvited) != nil }
    do throws(PlanRefusal) {
      _ = try approve(plan, limit: options.deletionLimit, record)
      return nil
    } catch {
      return PendingItem(
        item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""), local: .unchanged,
        remote: .unchanged, conflict: nil, problem: problem(of: error))
    }
  }

  private func pendingItem(_ trouble: ItemTrouble) -> PendingItem {
    let problem = report(of: trouble)
    var pending = PendingItem(
      item: problem.item, local: .unchanged, remote: .unchanged, conflict: nil,
      problem: problem.problem)
    if let there = trouble.neverShared {
      (pending.remote, pending.item.href) = (.created, there.href)
      pending.versions[.remote] = there
    }
    guard let counterpart = trouble.counterpart else { return pending }
    pending.base = counterpart.agreed
    let other = trouble.side.opposite
    let change: PendingItem.Change
    var href = counterpart.agreed[other].href
    switch counterpart.change {
    case .unchanged(let version), .modified(let version):
      pending.versions[other] = version
      href = version.href
      change = version.canonical == counterpart.agreed[other].canonical ? .unchanged : .updated
    case .deleted:
      change = .deleted
    }
    switch other {
    case .local: pending.local = change
    case .remote: (pending.remote, pending.item.href) = (change, href)
    }
    return pending
  }

  /// The items that are not in step.
  ///
  /// - Parameters:
  ///   - run: What a run of the pair would do, and what it would report.
  ///   - both: The same if it went both ways: what one direction leaves alone is not in step all
  ///     the same.
  ///   - uninvited: What waits for a yes to invitations.
  private func pendingItems(
    _ items: [DifferingItem], _ run: Plan, _ both: Plan, _ uninvited: Set<ItemID>
  ) -> [PendingItem] {
    let inRun = run.byItem
    let inBoth = both.byItem
    return items.compactMap { item in
      let own = inRun[item.uid] ?? Plan()
      let either = inBoth[item.uid] ?? Plan()
      return own.hasNews || either.hasNews ? pendingItem(item, own, uninvited) : nil
    }
  }

  private func pendingItem(
    _ item: DifferingItem, _ run: Plan, _ uninvited: Set<ItemID>
  ) -> PendingItem {
    let names = ReportedItem(
      uid: item.uid, file: name(of: item, on: .local), href: name(of: item, on: .remote),
      summary: item.anyVersion?.summary ?? "")
    let conflict = run.conflicts.first.map { report(of: $0) }
    var pending = PendingItem(
      item: names, local: change(of: item, on: .local), remote: change(of: item, on: .remote),
      conflict: conflict?.reason, occurrence: conflict?.occurrence,
      problem: run.problems.first?.problem
        ?? run.actions.lazy.compactMap { question(of: $0, uninvited) }.first
        ?? item.lastRefusal)
    if case .agreed(let agreement, _, _) = item.state { pending.base = agreement }
    for side in Side.allCases { pending.versions[side] = item.version(on: side) }
    return pending
  }

  /// What waits until a person says yes to it, in a sync that nobody sees.
  private func question(of action: Action, _ uninvited: Set<ItemID>) -> ItemProblem? {
    switch action {
    case .delete(let side, _, _, _) where options.confirmDeletion != nil:
      .awaitsDeletion(on: side)
    case .create(_, let source, _) where uninvited.contains(source.uid):
      .awaitsInvitation
    case .create, .replace, .merge, .delete, .record, .forget: nil
    }
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

extension DifferingItem {
  /// What a side said last of a version that is as it was then: the next run offers it again, and
  /// whether that helps nobody knows.
  fileprivate var lastRefusal: ItemProblem? {
    let versions = Side.allCases.compactMap { version(on: $0)?.version.digest }
    return Side.allCases.lazy.compactMap { side in
      guard case .refused(let digest, let problem, _)? = waits[side], versions.contains(digest)
      else { return nil }
      return problem
    }.first
  }
}

extension Plan {
  /// Something is left to do but to write the journal.
  fileprivate var hasNews: Bool {
    actions.contains { !$0.targets.isEmpty } || !conflicts.isEmpty || !problems.isEmpty
  }

  /// Its parts, each about one item.
  fileprivate var byItem: [ItemID: Plan] {
    var parts: [ItemID: Plan] = [:]
    for action in actions { parts[action.uid, default: Plan()].actions.append(action) }
    for conflict in conflicts { parts[conflict.uid, default: Plan()].conflicts.append(conflict) }
    for problem in problems {
      if let uid = problem.uid { parts[uid, default: Plan()].problems.append(problem) }
    }
    return parts
  }
}
