import SQLiteJournal
import SyncModel

/// The items of one kind that the pair's store keeps for later runs, of all collections: read once
/// in a run, and written where they change.
struct NotedItems {
  private let kind: HeldItems
  private let gateway: Gateway
  private let pair: PairConfiguration
  private let store: PairStore
  /// A collection without any is not in it.
  private(set) var byCollection: [String: Set<ItemID>]

  init(
    _ kind: HeldItems, of opened: OpenedPair, _ gateway: Gateway
  ) async throws(RunFailure) {
    self.kind = kind
    self.gateway = gateway
    (pair, store) = (opened.target.pair, opened.store)
    byCollection = try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      try await kind.loadAll(from: opened.store)
    }
  }

  var isEmpty: Bool { byCollection.isEmpty }

  subscript(collection: String) -> Set<ItemID> { byCollection[collection] ?? [] }

  mutating func set(
    _ items: Set<ItemID>, of collection: String
  ) async throws(RunFailure) {
    if items == self[collection] { return }
    let (kind, store) = (kind, store)
    try await gateway.journaled(pair) { () throws(JournalError) in
      try await kind.save(items, of: collection, in: store)
    }
    byCollection[collection] = items.isEmpty ? nil : items
  }
}
