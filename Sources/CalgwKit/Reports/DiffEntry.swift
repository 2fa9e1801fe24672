public import SyncExecution
public import SyncPlanning

/// An item that differs, property by property, as `diff` shows it.
public struct DiffEntry: Sendable, Hashable {
  public var entry: PendingEntry
  /// Empty for an item that is new or gone. Of one that both sides have and never agreed on, what
  /// the local version has against the remote one.
  public var changes: [PropertyDifference] = []

  init(_ entry: PendingEntry) { self.entry = entry }

  /// The machine-readable form: one line.
  public var json: JSONValue {
    .object(
      [
        .init(name: "pair", value: .string(entry.pair)),
        .init(name: "collection", value: .string(entry.collection)),
      ] + itemMembers(entry.item, withSummary: true) + [
        .init(name: "local", value: .string(entry.local.rawValue)),
        .init(name: "remote", value: .string(entry.remote.rawValue)),
        .init(name: "changes", value: .array(changes.map(\.json))),
      ])
  }
}

extension PropertyDifference {
  fileprivate var json: JSONValue {
    .object(
      ("component", .string(component)), ("occurrence", .optional(occurrence)),
      ("property", .string(property)), ("before", .optional(before)),
      ("after", .optional(after)), ("words", .string(words)))
  }
}

/// What `diff` found.
public struct DiffReport: Sendable {
  public var items: [DiffEntry] = []
  public var failures: [RunFailure] = []

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
}
