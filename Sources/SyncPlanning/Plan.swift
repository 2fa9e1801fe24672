public import SyncModel

/// One step towards both sides being the same.
public enum Action: Sendable, Hashable {
  /// Puts the other side's item where none is.
  case create(on: Side, source: ItemVersion, reason: String)
  /// Puts the other side's content in the place of `old`.
  case replace(on: Side, old: ItemVersion, source: ItemVersion, text: Text, reason: String)
  /// Removes `old`; the other side's was `agreed` and is gone.
  case delete(on: Side, old: ItemVersion, gone: ItemVersion, reason: String)
  /// Writes down that both sides are the same; touches neither.
  case record(Agreement)
  /// Forgets an item that is gone from both sides.
  case forget(Agreement)

  /// Which text a replacement writes.
  public enum Text: Sendable, Hashable {
    /// The source's, whole.
    case whole
    /// `old` with the source's change since this base: what only one side keeps, because a server
    /// dropped or added it, stays as it is there (docs/decisions/0004-server-rewrites.md).
    case changeSince(ContentDigest)
  }

  /// Whom it is about.
  public var uid: ItemID {
    switch self {
    case .create(_, let source, _), .replace(_, _, let source, _, _): source.uid
    case .delete(_, let old, _, _): old.uid
    case .record(let agreement), .forget(let agreement): agreement.uid
    }
  }

  /// The side that it writes to; nil where it touches neither.
  public var target: Side? {
    switch self {
    case .create(let side, _, _), .replace(let side, _, _, _, _), .delete(let side, _, _, _): side
    case .record, .forget: nil
    }
  }
}

/// Both sides changed an item and nobody has decided yet.
public struct Conflict: Sendable, Hashable {
  /// Why nothing can be decided without a person.
  public enum Reason: Sendable, Hashable {
    /// Both changed it since they agreed.
    case bothChanged
    /// Both have it and never agreed on it.
    case neverAgreed
  }

  public var uid: ItemID
  public var local: ItemVersion
  public var remote: ItemVersion
  public var reason: Reason
  /// What waits on the observation of a side, if anything.
  public var waits: [Side: Observation.Wait]

  /// Both versions are in the history already.
  public var isKept: Bool { waits[.local] == .conflict || waits[.remote] == .conflict }

  public init(
    uid: ItemID, local: ItemVersion, remote: ItemVersion, reason: Reason,
    waits: [Side: Observation.Wait]
  ) {
    self.uid = uid
    self.local = local
    self.remote = remote
    self.reason = reason
    self.waits = waits
  }
}

/// What would make both sides the same, and what stands in the way. Nothing is done by having one.
public struct Plan: Sendable, Hashable {
  /// Sorted by UID.
  public var actions: [Action] = []
  public var conflicts: [Conflict] = []
  public var problems: [ItemTrouble] = []

  public init() {}
}
