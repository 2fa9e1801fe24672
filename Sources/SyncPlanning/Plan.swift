public import SyncModel

/// One step towards both sides being the same.
///
/// A first sync has one for each item, in many lists, so what it holds is kept apart.
public indirect enum Action: Sendable, Hashable {
  /// Puts the other side's item where none is.
  case create(on: Side, source: ItemVersion, reason: String)
  /// Puts the other side's content in the place of `old`.
  case replace(on: Side, old: ItemVersion, source: ItemVersion, text: Text, reason: String)
  /// Gives each side the text that holds what both changed, where it does not have it yet.
  case merge(MergedItem)
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
    /// This one, and the side itself is the source: the other one has no such item yet.
    case amended(ItemData)
  }

  /// Whom it is about.
  public var uid: ItemID {
    switch self {
    case .create(_, let source, _), .replace(_, _, let source, _, _): source.uid
    case .delete(_, let old, _, _): old.uid
    case .merge(let merged): merged.local.uid
    case .record(let agreement), .forget(let agreement): agreement.uid
    }
  }

  /// The sides that it writes to; none where only the journal is to know.
  public var targets: [Side] {
    switch self {
    case .create(let side, _, _), .replace(let side, _, _, _, _), .delete(let side, _, _, _):
      [side]
    case .merge(let merged): Side.allCases.filter { merged.texts[$0] != nil }
    case .record, .forget: []
    }
  }
}

/// An item that both sides changed, with the texts that hold both changes.
public struct MergedItem: Sendable, Hashable {
  /// What is on each side, and is replaced where a text is given.
  public var local: ItemVersion
  public var remote: ItemVersion
  /// What is to be written; nothing for a side that has it already. At least one side.
  public var texts: [Side: ItemData]
  /// What both shared last; nil if they never agreed.
  public var base: Agreement?
  /// When the later of the two edits was made: what is written is no edit of its own.
  public var edited: Instant?
  public var reason: String

  public init(
    local: ItemVersion, remote: ItemVersion, texts: [Side: ItemData], base: Agreement?,
    edited: Instant?, reason: String
  ) {
    self.local = local
    self.remote = remote
    self.texts = texts
    self.base = base
    self.edited = edited
    self.reason = reason
  }

  /// What is on one side.
  public subscript(side: Side) -> ItemVersion {
    get { side == .local ? local : remote }
    set { if side == .local { local = newValue } else { remote = newValue } }
  }
}

/// Both sides changed an item in unlike ways. `mergeConflicts` takes out what needs no person.
public struct Conflict: Sendable, Hashable {
  /// Why nothing can be decided without a person.
  public enum Reason: Sendable, Hashable {
    /// Both changed it since they agreed.
    case bothChanged
    /// Both have it and never agreed on it.
    case neverAgreed
    /// Both changed when it is, and one of them its start, its end or its rule; or when one
    /// occurrence is: its day for people.
    case schedule(occurrence: String?)
    /// One side made it an item of another kind.
    case kind
    /// It has more text than is compared property by property.
    case tooLarge
  }

  /// How much of it may be merged without a person.
  public enum Mergeable: Sendable, Hashable {
    /// All that the rules of docs/merge.md can.
    case everything
    /// Versions that differ in SEQUENCE, LAST-MODIFIED, DTSTAMP and CREATED alone: there nobody
    /// has anything to decide.
    case touches
    /// A side that was only touched since both agreed: nobody has anything to decide, and the edit
    /// of the other one goes over it. Else the version of this side holds by the policy, but for an
    /// edit that cannot go there.
    case touchesOrElse(holds: Side)
    /// Nothing: the version of this side holds by the policy, and goes over the other. But nobody
    /// knows whether a person made it. A meeting, of which the server may tell people, is merged
    /// where both agree and it gets nothing, and waits otherwise.
    case onlySilently(holds: Side)
  }

  public var uid: ItemID
  public var local: ItemVersion
  public var remote: ItemVersion
  public var reason: Reason
  /// What both shared last; nil if they never agreed.
  public var base: Agreement?
  public var mergeable: Mergeable
  /// What both changed can be joined, where a person wants that; or nobody knows, since the journal
  /// has lost a text.
  public var canMerge = true
  /// What waits on the observation of a side, if anything.
  public var waits: [Side: Observation.Wait]

  /// An earlier run has seen it.
  public var isKnown: Bool { waits[.local] == .conflict || waits[.remote] == .conflict }

  public init(
    uid: ItemID, local: ItemVersion, remote: ItemVersion, reason: Reason, base: Agreement?,
    mergeable: Mergeable, waits: [Side: Observation.Wait]
  ) {
    self.uid = uid
    self.local = local
    self.remote = remote
    self.reason = reason
    self.base = base
    self.mergeable = mergeable
    self.waits = waits
  }
}

/// What would make both sides the same, and what stands in the way. Nothing is done by having one.
public struct Plan: Sendable, Hashable {
  /// Sorted by UID.
  public var actions: [Action] = []
  public var conflicts: [Conflict] = []
  public var problems: [ItemTrouble] = []
  /// More is to be merged than this plan holds: another one has it, once this is carried out.
  public var isPartial = false

  public init() {}
}
