public import SyncModel

/// Says what keeps an action from being carried out on a side: it is read-only, takes no such
/// component, or has refused this very content lately. Nil: nothing.
public func obstacle(
  to action: Action, on target: Side, waits: [Side: Observation.Wait], _ rules: ReconcileRules
) -> ItemProblem? {
  if rules.readOnly.contains(target) { return isReadOnly(target, against: action) }
  switch action {
  case .create(_, let source, _), .replace(_, _, let source, _, _):
    if case .refused(source.version.digest, let problem, let retry) = waits[target.opposite],
      rules.isPaused(until: retry), !rules.offeredAgain.contains(action.uid),
      !rules.isOver(problem, for: action, on: target)
    {
      return problem
    }
    let refused = source.components.filter { !(rules.accepted[target]?.contains($0) ?? true) }
    if let kind = refused.first {
      return ItemProblem(
        .unsupported, "the \(target.rawValue) collection takes no \(kind)",
        hint: "Keep it in a collection that takes \(kind).")
    }
    return nil
  case .delete(_, let old, _, _):
    for wait in [waits[target.opposite], waits[target]] {
      if case .refused(old.version.digest, let problem, let retry) = wait,
        rules.isPaused(until: retry), !rules.offeredAgain.contains(action.uid)
      {
        return problem
      }
    }
    return nil
  case .merge(let merged):
    // With what changed on the target, which comes first, it is another text than the one that was
    // refused.
    if merged.texts[target.opposite] != nil { return nil }
    let source = merged[target.opposite]
    if case .refused(source.version.digest, let problem, let retry) = waits[target.opposite],
      rules.isPaused(until: retry), !rules.offeredAgain.contains(action.uid),
      !rules.isOver(problem, for: action, on: target)
    {
      return problem
    }
    return nil
  case .record, .forget:
    return nil
  }
}

extension ReconcileRules {
  /// The longest pause before something is offered again, and less than the shortest one of what is
  /// never: in milliseconds.
  private static let (longestPause, endless) = (86_400_000 as Int64, 10_000 * 86_400_000 as Int64)

  /// A pause that began while the clock was ahead is over: nobody waits for so long.
  public func isPaused(until retry: Instant) -> Bool {
    let left = retry.milliseconds(since: now)
    return left > 0 && (left <= Self.longestPause || left >= Self.endless)
  }

  /// A side may give another answer than this one to what is planned now.
  fileprivate func isOver(_ problem: ItemProblem, for action: Action, on side: Side) -> Bool {
    switch problem.cause {
    // What was refused was a new item; by now the other one is known, and there is something else
    // to be done.
    case .uidIsTaken, .uidMayBeTaken: return !action.isCreation
    // Whether that is read by now is asked for on its own.
    case .mayBeUnread: return true
    // It is no longer kept from sending mail, or nothing is there any more that it could tell of.
    case .tellsAttendees: return !silenced.contains(side) || action.isCreation
    case .outOfRoom, .exceedsLimit, .unfitText, .keptFormer, .twin, nil: return false
    }
  }
}

extension Action {
  fileprivate var isCreation: Bool {
    switch self {
    case .create: true
    case .replace, .merge, .delete, .record, .forget: false
    }
  }
}
