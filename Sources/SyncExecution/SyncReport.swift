public import SyncModel

/// What one run did in one collection.
public struct CollectionReport: Sendable, Hashable {
  public var name: String
  /// Writes to the local side, and to the remote side.
  public var pulled = WriteCounts()
  public var pushed = WriteCounts()
  public var merged = 0
  /// Items that both sides have alike, and that this run did not write.
  public var unchanged = 0
  /// Items with attendees for which a server may have sent mail because of what was written.
  public var invitations = 0
  /// Those of them that were deleted there.
  public var cancellations = 0
  /// Those of the problems that wait until somebody says yes to sending them.
  public var heldInvitations: Set<ItemID> = []
  /// Items that stay on the remote side until the collection has them into which they were moved.
  public var leaving: [ReportedItem] = []
  /// Items that were moved into another collection here, and edited on the remote side meanwhile:
  /// they did not come back yet, since they may go there with that edit.
  public var edited: [ReportedItem] = []
  /// New items that were not sent yet, since another collection has them on the remote side.
  public var arriving: [ReportedItem] = []
  /// Items that have left both sides, of which what they shared is kept for another collection.
  public var departed: Set<ItemID> = []
  /// The run has looked and done nothing, since nobody could say which of the items that are gone
  /// here another collection has (`SyncOptions.leaving`).
  public var isPostponed = false
  /// How many items a collection lacks that was gone and is there again: they count as new to it.
  public var lacking = 0
  /// How far a side's clock is ahead of ours, in milliseconds, where that is minutes and the run
  /// had items that both sides changed; nil else.
  public var clockAhead: Int64?
  public var conflicts: [ReportedConflict] = []
  public var problems: [ReportedProblem] = []
  /// What was done, or with a dry run what would be, in the order of the plan.
  public var actions: [ReportedAction] = []
  /// New parts of split series, by UID, that have occurrences which are there twice.
  public var doubled: [ItemID: DoubledPart] = [:]
  /// Items that a side has stored without METHOD, though their text has it.
  public var withoutMethod: [ItemID: ReportedItem] = [:]
  /// Files that calgw had replaced or removed, and into which somebody saved after that: what was
  /// saved is in the history alone.
  public var lateEdits: [LateEdit] = []
  /// Why the collection could not be finished; nil where it was.
  public var failure: SyncFailure?

  public init(name: String) { self.name = name }

  /// Everything in the asked direction is in step.
  public var needsAttention: Bool { !conflicts.isEmpty || !problems.isEmpty }
}

/// How many items were written to one side.
public struct WriteCounts: Sendable, Hashable {
  public var created = 0
  public var updated = 0
  public var deleted = 0

  public init() {}
  /// All writes together.
  public var total: Int { created + updated + deleted }
}

/// An item as reports name it: what a person needs to find it.
public struct ReportedItem: Sendable, Hashable {
  /// Nil where the content could not tell.
  public var uid: ItemID?
  /// The file's name in the folder, where the local side is one; nil where there is none.
  public var file: Href?
  /// The remote resource; nil where there is none.
  public var href: Href?
  public var summary: String

  public init(uid: ItemID?, file: Href?, href: Href?, summary: String) {
    self.uid = uid
    self.file = file
    self.href = href
    self.summary = summary
  }
}

/// An item that both sides changed and that is left alone on both.
public struct ReportedConflict: Sendable, Hashable {
  /// Why it was not settled.
  public enum Reason: String, Sendable, CaseIterable {
    /// Both sides changed it since they agreed; of a one-way run also: both have it, unlike.
    case bothChanged = "both-changed"
    /// Both sides have it, unlike, and never agreed on it.
    case neverAgreed = "never-agreed"
    /// Both sides changed when it is, and one of them its start, its end or its rule.
    case schedule
    /// One side made it an item of another kind, as a task of an event.
    case kind
    /// It has more text than is compared property by property.
    case tooLarge = "too-large"
  }

  public var item: ReportedItem
  public var reason: Reason
  /// Of a schedule, the occurrences that it is about, as `12 January 2026`; nil where it is about
  /// the item as a whole.
  public var occurrence: String?
  /// The contents that it is about: with others it is another conflict.
  public var local: ContentDigest
  public var remote: ContentDigest
  /// What a person can say to it.
  public var choices: [ConflictChoice]

  public init(
    item: ReportedItem, reason: Reason, occurrence: String? = nil, local: ContentDigest,
    remote: ContentDigest, choices: [ConflictChoice] = ConflictChoice.allCases
  ) {
    self.item = item
    self.reason = reason
    self.occurrence = occurrence
    self.local = local
    self.remote = remote
    self.choices = choices
  }
}

/// An item that is left alone on both sides, and why.
public struct ReportedProblem: Sendable, Hashable {
  public var item: ReportedItem
  public var problem: ItemProblem

  public init(item: ReportedItem, problem: ItemProblem) {
    self.item = item
    self.problem = problem
  }
}

/// One step of a run or, with a dry run, of its plan.
public struct ReportedAction: Sendable, Hashable {
  /// The names that scripts rely on.
  public enum Kind: String, Sendable, CaseIterable {
    case create, update, delete, merge, record, forget
  }

  public var kind: Kind
  public var side: Side
  public var item: ReportedItem
  /// Why, one sentence without a full stop, for people; of a merge it names the properties that
  /// one side lost. Empty where the kind says it all.
  public var reason: String

  public init(kind: Kind, side: Side, item: ReportedItem, reason: String = "") {
    self.kind = kind
    self.side = side
    self.item = item
    self.reason = reason
  }
}

/// Why a collection was not finished.
public enum SyncFailure: Error, Sendable, Hashable {
  case storage(Side, StorageError)
  case journal(JournalError)
  /// The run was told to stop; what was done is recorded.
  case stopped
}
