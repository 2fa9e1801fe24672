public import SyncExecution
public import SyncModel
public import SyncPlanning

/// An item that differs, property by property, as `diff` shows it.
public struct DiffEntry: Sendable, Hashable {
  public var entry: PendingEntry
  /// Empty for an item that is new or gone. Of one that both sides have and never agreed on, what
  /// the local version has against the remote one.
  public var changes: [PropertyDifference] = []
  /// The remote version was to be compared and cannot be had: `changes` are those of the local side
  /// since both agreed.
  public var lacksRemote = false
  /// What the remote side alone changed since both agreed, of an item that waits for something
  /// else.
  public var remoteChanges: [PropertyDifference] = []
  /// What is left of an item that one side deleted, where the sides are compared with each other.
  public var remains: Remains?

  /// Where its file is.
  private let folder: EventFolder?

  init(_ entry: PendingEntry, in folder: EventFolder?) {
    self.entry = entry
    self.folder = folder
  }

  /// The machine-readable form: one line.
  public var json: JSONValue {
    .object(
      [
        .init(name: "pair", value: .string(entry.pair)),
        .init(name: "collection", value: .string(entry.collection)),
      ] + itemMembers(entry.item.namingFile(in: folder), withSummary: true) + [
        .init(name: "local", value: .string(entry.local.rawValue)),
        .init(name: "remote", value: .string(entry.remote.rawValue)),
        .init(name: "changes", value: .array(changes.map(\.json))),
        .init(name: "remoteChanges", value: .array(remoteChanges.map(\.json))),
        .init(name: "remains", value: remains?.json ?? .null),
      ])
  }

  /// An item that one side alone has still, of those that both have had.
  public struct Remains: Sendable, Hashable {
    /// The one that has it.
    public var side: Side
    /// What it changed since both agreed; empty where it is as it was.
    public var changes: [PropertyDifference]

    /// Nil where both have it, or none.
    init?(of item: PendingItem, _ differences: ItemDifferences) {
      switch (item.local, item.remote) {
      case (.deleted, .deleted): return nil
      case (.deleted, _): self.init(side: .remote, changes: differences.remote)
      case (_, .deleted): self.init(side: .local, changes: differences.local)
      case (.unchanged, _), (.created, _), (.updated, _): return nil
      }
    }

    private init(side: Side, changes: [PropertyDifference]) {
      self.side = side
      self.changes = changes
    }

    fileprivate var json: JSONValue {
      .object(("side", .string(side.rawValue)), ("changes", .array(changes.map(\.json))))
    }
  }
}

extension PropertyDifference {
  fileprivate var json: JSONValue {
    .object(
      ("component", .string(component)), ("occurrence", .optional(occurrence)),
      ("property", .string(property)), ("before", .optional(before)),
      ("after", .optional(after)), ("words", .string(words)),
      ("details", .array(details.map(\.json))))
  }
}

extension DetailLine {
  fileprivate var json: JSONValue {
    let name =
      switch mark {
      case .removed: "removed"
      case .added: "added"
      case .changed: "changed"
      case .alike: "alike"
      }
    return .object(("mark", .string(name)), ("text", .string(text)))
  }
}

/// What `diff` found.
public struct DiffReport: Sendable {
  public var items: [DiffEntry] = []
  public var failures: [RunFailure] = []
  /// Why that may not be all.
  public var notices: [String] = []

  public init() {}
}

/// A conflict with both versions, for a person to choose.
public struct ConflictView: Sendable {
  public var entry: PendingEntry
  /// What each side changed since both agreed; empty where they never did.
  public var differences: ItemDifferences
  public var versions: VersionComparison
  /// Why it cannot be merged; nil where it can.
  public var obstacle: MergeObstacle?
  /// What can be said to it in this pair.
  public var choices: [ConflictChoice]
  /// What gives way if it is merged; nil where it cannot be, here.
  public var merging: MergePreview?
}

/// What a merge takes of neither version as it is, before anybody has chosen it.
public struct MergePreview: Sendable, Hashable {
  /// What gives way of the local version, from what it says to what the remote one does.
  public var local: [PropertyDifference]
  /// What gives way of the remote version.
  public var remote: [PropertyDifference]
  /// No time says which version is newer where that decides, so that the remote one holds.
  public var isGuessed: Bool
}
