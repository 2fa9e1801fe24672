public import SyncExecution
public import SyncModel

/// An item that is not in step, as `status` shows it.
public struct PendingItem: Sendable, Hashable {
  /// What a side did since both last agreed.
  public enum Change: String, Sendable, CaseIterable {
    case unchanged, created, updated, deleted
  }

  public var pair: String
  public var collection: String
  public var item: ReportedItem
  public var local: Change
  public var remote: Change
  public var conflict: ReportedConflict.Reason?
  public var problem: ItemProblem?

  public init(
    pair: String, collection: String, item: ReportedItem, local: Change = .unchanged,
    remote: Change = .unchanged, conflict: ReportedConflict.Reason? = nil,
    problem: ItemProblem? = nil
  ) {
    self.pair = pair
    self.collection = collection
    self.item = item
    self.local = local
    self.remote = remote
    self.conflict = conflict
    self.problem = problem
  }

  /// The machine-readable form: one line.
  public var json: JSONValue {
    let problem: JSONValue =
      self.problem.map {
        .object(
          ("code", .string($0.code.rawValue)), ("message", .string($0.message)),
          ("hint", .string($0.hint)))
      } ?? .null
    return .object(
      [
        .init(name: "pair", value: .string(pair)),
        .init(name: "collection", value: .string(collection)),
      ] + itemMembers(item, withSummary: true) + [
        .init(name: "local", value: .string(local.rawValue)),
        .init(name: "remote", value: .string(remote.rawValue)),
        .init(name: "conflict", value: .optional(conflict?.rawValue)),
        .init(name: "problem", value: problem),
      ])
  }
}
