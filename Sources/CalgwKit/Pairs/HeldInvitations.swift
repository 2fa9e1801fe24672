import SQLiteJournal
import SyncExecution
import SyncModel

/// The items of a collection that a person did not let go to a server, as the pair's store keeps
/// them: a later run that cannot ask holds them back, too.
enum HeldInvitations {
  private static func key(_ collection: String) -> String { "uninvited \(collection)" }

  static func load(_ collection: String, from store: PairStore) async throws(JournalError)
    -> Set<ItemID>
  {
    let lines = try await store.value(key(collection)) ?? []
    return Set(lines.split(separator: UInt8(ascii: "\n")).map { ItemID(bytes: Array($0)) })
  }

  /// After a run that got as far as its items.
  static func save(
    _ report: CollectionReport, insteadOf known: Set<ItemID>, in store: PairStore
  ) async throws(JournalError) {
    guard report.failure == nil, report.heldInvitations != known else { return }
    let lines = report.heldInvitations.sorted().map(\.bytes)
    try await store.setValue(
      lines.isEmpty ? nil : Array(lines.joined(separator: [UInt8(ascii: "\n")])),
      for: key(report.name))
  }
}

extension Gateway {
  /// Those of an earlier run, as long as the configuration does not say what is to become of them.
  func heldInvitations(_ collection: String, of opened: OpenedPair) async throws(RunFailure)
    -> Set<ItemID>
  {
    let pair = opened.target.pair
    if pair.invitations != nil { return [] }
    return try await journaled(pair) { () throws(JournalError) in
      try await HeldInvitations.load(collection, from: opened.store)
    }
  }
}
