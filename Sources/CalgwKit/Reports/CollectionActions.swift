public import SyncModel

/// What a run did to a collection itself, beside its items; in a dry run what it would do.
public struct CollectionActions: Sendable, Hashable {
  /// The counterpart that it got; nil where both sides had it.
  public var made: MadeCollection?
  /// The values that went from one side to the other.
  public var carried: [CarriedValue] = []

  package init(made: MadeCollection? = nil, carried: [CarriedValue] = []) {
    self.made = made
    self.carried = carried
  }

  /// With what a later part of the run did.
  func joined(_ later: CollectionActions) -> CollectionActions {
    CollectionActions(made: made ?? later.made, carried: carried + later.carried)
  }

  /// There only where something was done: to most collections nothing is.
  var jsonMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let made {
      let value = JSONValue.object(
        ("side", .string(made.side.rawValue)), ("name", .string(made.name)))
      members.append(.init(name: "made", value: value))
    }
    if !carried.isEmpty {
      let values = carried.map { one in
        JSONValue.object(
          ("key", .string(one.key.rawValue)), ("side", .string(one.side.rawValue)),
          ("value", .optional(one.value.isEmpty ? nil : one.value)),
          ("before", .optional(one.before)))
      }
      members.append(.init(name: "metadata", value: .array(values)))
    }
    return members
  }
}

/// A folder or calendar that is the counterpart of one that had none.
public struct MadeCollection: Sendable, Hashable {
  /// Where it was made.
  public var side: Side
  /// What people call it: the folder's name, or the calendar's display name.
  public var name: String
  public var isFolder: Bool

  package init(side: Side, name: String, isFolder: Bool) {
    self.side = side
    self.name = name
    self.isFolder = isFolder
  }
}

/// A name, a colour or the like that one side got from the other.
public struct CarriedValue: Sendable, Hashable {
  public var key: MetadataKey
  /// The side that got it.
  public var side: Side
  /// Empty where that side's own was removed.
  public var value: String
  /// What that side had, and has no more: nil where it had none.
  public var before: String?
  /// It comes from the log, and from no side.
  public var isPutBack = false

  package init(key: MetadataKey, side: Side, value: String, before: String? = nil) {
    self.key = key
    self.side = side
    self.value = value
    self.before = before.flatMap { $0.isEmpty ? nil : $0 }
  }
}
