public import SyncExecution
public import SyncModel
public import SyncPlanning

/// What the command line asks of a run.
public struct RunOptions: Sendable {
  public var direction = SyncDirection.both
  /// In place of the pair's own policy.
  public var policy: ConflictPolicy?
  public var isDryRun = false
  /// The run may delete more than the pair's `max_delete`.
  public var allowsMassDelete = false
  /// How long to wait for another calgw on the pair.
  public var patience = Duration.zero
  /// Asks a person whether an item that is gone from one side goes from `side`, too, for pairs
  /// with `confirm_delete = "always"`; nil where there is nobody to ask. `place` is the pair and
  /// the collection.
  public var confirmDeletion:
    (@Sendable (_ place: String, _ item: ReportedItem, _ side: Side) async -> Bool)?
  /// Asks a person whether so many items with attendees go to a server that is new to them, for
  /// pairs whose `invitations` is not set; nil where there is nobody to ask: they go.
  public var confirmInvitations: (@Sendable (_ place: String, _ count: Int) async -> Bool)?

  public init() {}
}

/// How far a run is, for a display.
public enum PairProgress: Sendable, Hashable {
  case opening(pair: String)
  case collection(pair: String, name: String, SyncProgress)
  /// For so long that a person should know why, in words without a full stop.
  case waiting(pair: String, String)
}

/// What a run may change.
enum RunMode: Sendable, Hashable {
  /// Everything: the pair is locked.
  case write
  /// Nothing: the journal is a copy, and what is missing is taken to be empty.
  case look
}
