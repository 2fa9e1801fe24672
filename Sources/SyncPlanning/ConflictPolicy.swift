public import SyncModel

/// What is done where both sides changed one item in unlike ways.
public enum ConflictPolicy: String, Sendable, Hashable, CaseIterable {
  /// Joined property by property; what cannot be joined waits for a person.
  case merge
  /// The version that was edited last wins; the other goes to the history.
  case newest
  /// The local version wins, a local deletion too; the other goes to the history.
  case local
  /// The remote version wins, a remote deletion too; the other goes to the history.
  case remote
  /// It waits for a person.
  case ask
}

/// Which side a run may write to.
public enum SyncDirection: String, Sendable, Hashable, CaseIterable {
  case both
  /// Remote to local only.
  case pull
  /// Local to remote only.
  case push

  /// Whether a run in this direction writes to a side.
  public func writes(to side: Side) -> Bool {
    switch self {
    case .both: true
    case .pull: side == .local
    case .push: side == .remote
    }
  }
}
