/// What changed in the calendars of a store, within half a second and as one.
public struct EventStoreChange: Sendable, Hashable {
  /// What happened to an item.
  public enum Kind: String, Sendable, Hashable, Codable {
    case added
    case changed
    case removed
  }

  /// An item that is otherwise than before: a single event, or a series with all its occurrences.
  public struct Item: Sendable, Hashable {
    /// Without an occurrence.
    public var id: EventIdentifier
    public var kind: Kind
    /// A commit of this store did it, and nobody else had a part in it.
    public var isOwn: Bool

    public init(id: EventIdentifier, kind: Kind, isOwn: Bool) {
      self.id = id
      self.kind = kind
      self.isOwn = isOwn
    }
  }

  /// Sorted by calendar and UID, each item once.
  public var items: [Item]
  /// Calendars that could not be looked at, by id, with the reason; each said once until it is
  /// another one.
  public var troubles: [String: EventStoreError]

  public init(items: [Item], troubles: [String: EventStoreError] = [:]) {
    self.items = items
    self.troubles = troubles
  }
}

/// Changes that are not announced yet.
struct GatheredChanges: Sendable {
  private var items: [ItemKey: EventStoreChange.Item] = [:]
  private var troubles: [String: EventStoreError] = [:]

  mutating func add(_ item: EventStoreChange.Item) {
    let key = ItemKey(item.id)
    guard let old = items[key] else {
      items[key] = item
      return
    }
    var merged = item
    merged.isOwn = old.isOwn && item.isOwn
    switch (old.kind, item.kind) {
    // It came and went, and nobody saw it.
    case (.added, .removed): items[key] = nil
    case (.added, _): merged.kind = .added
    case (.removed, .added): merged.kind = .changed
    case (.changed, _), (.removed, _): break
    }
    if items[key] != nil { items[key] = merged }
  }

  mutating func add(_ error: EventStoreError, of calendar: String) { troubles[calendar] = error }

  /// All of them as one; nil where nothing is left of them.
  mutating func take() -> EventStoreChange? {
    guard !items.isEmpty || !troubles.isEmpty else { return nil }
    let change = EventStoreChange(
      items: items.sorted { $0.key < $1.key }.map(\.value), troubles: troubles)
    self = GatheredChanges()
    return change
  }
}
