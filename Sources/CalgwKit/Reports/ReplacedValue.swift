public import SyncModel

/// A name, a colour or the like of a collection that calgw replaced or removed on a side, or tried
/// to, as `log` shows it.
public struct ReplacedValue: Sendable, Hashable {
  /// What `restore` takes: unique over all pairs.
  public var id: String
  public var pair: String
  public var collection: String
  public var change: ValueChange

  public init(id: String, pair: String, collection: String, change: ValueChange) {
    self.id = id
    self.pair = pair
    self.collection = collection
    self.change = change
  }

  /// As of a version of an item.
  public var action: HistoryEntry.Action { change.after == nil ? .deleted : .replaced }

  /// A longer value is cut, in characters.
  private static let shownCharacters = 60

  /// What became of it, as one line that is safe to show.
  public var words: String {
    func shown(_ text: String) -> String {
      "\"\(titleText(text, limit: Self.shownCharacters))\""
    }
    let noun =
      switch change.key {
      case .displayname: "name"
      case .color: "colour"
      case .description: "description"
      case .order: "order"
      }
    let before =
      change.before.map { "the \(noun) was \(shown($0))" } ?? "there was no \(noun)"
    return before + (change.after.map { ", set to \(shown($0))" } ?? ", removed")
  }

  /// The machine-readable form: one line, with all that a version of an item has, and `metadata`.
  public func json(withContent: Bool) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init(name: "id", value: .string(id)),
      .init(name: "time", value: .string(timestamp(change.time))),
      .init(name: "pair", value: .string(pair)),
      .init(name: "collection", value: .string(collection)),
      .init(name: "uid", value: .null),
      .init(name: "side", value: .string(change.side.rawValue)),
      .init(name: "action", value: .string(action.rawValue)),
      .init(name: "reason", value: .string(words)),
    ]
    // They are texts of items.
    if withContent { members += ["before", "after"].map { .init(name: $0, value: .null) } }
    let value = JSONValue.object(
      ("key", .string(change.key.rawValue)), ("before", .optional(change.before)),
      ("after", .optional(change.after)))
    return .object(members + [.init(name: "metadata", value: value)])
  }
}
