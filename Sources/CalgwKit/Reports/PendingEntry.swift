public import SyncExecution
public import SyncModel

/// An item that is not in step, with its place, as `status` shows it.
public struct PendingEntry: Sendable, Hashable {
  public var pair: String
  public var collection: String
  public var item: ReportedItem
  public var local = PendingItem.Change.unchanged
  public var remote = PendingItem.Change.unchanged
  public var conflict: ReportedConflict.Reason?
  /// The occurrences that the conflict is about, for people; nil where it is about the whole item.
  public var occurrence: String?
  public var problem: ItemProblem?
  /// What to do about names and colours of the collection itself that wait for a person.
  public var valueMend: String?
  /// What each side changed, in words; empty where it is new, deleted or as it was.
  public var localChanges: [String] = []
  public var remoteChanges: [String] = []
  /// How its mend names it.
  public var names: MendNames
  /// From the remote version to the local one, in words, where the sides never agreed on it.
  public var unlikeness: [String] = []

  /// Both sides have it, and never agreed on it.
  public var isUnmet: Bool { local == .created && remote == .created }

  /// An item in step, until more is said of it.
  public init(pair: String, collection: String, item: ReportedItem) {
    self.pair = pair
    self.collection = collection
    self.item = item
    names = MendNames(item.uid)
  }

  init(pair: String, collection: String, _ pending: PendingItem) {
    self.init(pair: pair, collection: collection, item: pending.item)
    local = pending.local
    remote = pending.remote
    conflict = pending.conflict
    occurrence = pending.occurrence
    problem = pending.problem
  }

  /// The machine-readable form: one line.
  public var json: JSONValue {
    let problem: JSONValue =
      self.problem.map {
        .object(
          ("code", .string($0.code.rawValue)), ("message", .string($0.message)),
          ("hint", .string($0.hint)))
      } ?? .null
    var members: [JSONValue.Member] = [
      .init(name: "pair", value: .string(pair)),
      .init(name: "collection", value: .string(collection)),
    ]
    members += itemMembers(item, withSummary: true)
    members += [
      .init(name: "local", value: .string(local.rawValue)),
      .init(name: "remote", value: .string(remote.rawValue)),
      .init(name: "conflict", value: .optional(conflict?.rawValue)),
    ]
    members += occurrenceMember(occurrence)
    members += [
      .init(name: "problem", value: problem),
      .init(name: "localChanges", value: .array(localChanges.map { .string($0) })),
      .init(name: "remoteChanges", value: .array(remoteChanges.map { .string($0) })),
    ]
    return .object(members)
  }
}
