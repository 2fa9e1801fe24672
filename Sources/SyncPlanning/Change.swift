public import SyncModel

/// What became of an agreed item on one side.
public enum Change: Sendable, Hashable {
  /// It means what was agreed; its tag, bytes or name may be new.
  case unchanged(ItemVersion)
  case modified(ItemVersion)
  case deleted
}

/// Compares what a side shows with what was agreed there.
///
/// The canonical forms decide, so that a server's new tag for an old content, other folding or
/// other line ends are no change (docs/decisions/0001-digest-rule.md). Nil: nothing is there.
public func detectChange(from agreed: ItemVersion, to seen: ItemVersion?) -> Change {
  guard let seen else { return .deleted }
  return seen.canonical == agreed.canonical ? .unchanged(seen) : .modified(seen)
}
