import SQLiteJournal
import SyncExecution
import SyncModel

/// Calendars of servers that a run has told to be gone. One that is there again may have been made
/// anew, and what it lacks then nobody has deleted. That is kept until a run has met it.
enum GoneCalendars {
  static func storeKey(_ collection: String) -> String { "was gone \(collection)" }

  /// The sides on which a collection was gone.
  static func load(
    _ collection: String, from store: PairStore
  ) async throws(JournalError) -> Set<Side> {
    let words = try await store.value(storeKey(collection)) ?? []
    return Set(
      words.split(separator: UInt8(ascii: " ")).compactMap {
        Side(rawValue: String(decoding: $0, as: UTF8.self))
      })
  }

  static func save(
    _ sides: Set<Side>, of collection: String, in store: PairStore
  ) async throws(JournalError) {
    let words = Side.allCases.filter(sides.contains).map(\.rawValue).joined(separator: " ")
    try await store.setValue(words.isEmpty ? nil : Array(words.utf8), for: storeKey(collection))
  }
}

extension CollectionRun {
  /// Notes on which servers a collection is gone, as was told.
  func noteGone(
    _ collection: MatchedCollection, _ told: CollectionReport, _ former: Set<Side>
  ) async throws(RunFailure) {
    guard told.problems.contains(where: { $0.problem.code == .collectionGone }) else { return }
    let gone = Side.allCases.filter { side in
      guard case .gone = side == .local ? collection.local : collection.remote else { return false }
      return opened.side(side).isServer
    }
    try await keep(former.union(gone), of: collection.name, former)
  }

  /// Notes of a collection that was opened that it was met, or went away meanwhile.
  func noteMet(
    _ name: String, _ result: CollectionReport, _ former: Set<Side>, isWhole: Bool
  ) async throws(RunFailure) {
    switch result.failure {
    case .storage(let side, let error) where error.kind == .vanished && opened.side(side).isServer:
      try await keep(former.union([side]), of: name, former)
    case nil where isWhole: try await keep([], of: name, former)
    case nil, .some: break
    }
  }

  private func keep(
    _ sides: Set<Side>, of name: String, _ former: Set<Side>
  ) async throws(RunFailure) {
    if options.isDryRun || sides == former { return }
    let store = opened.store
    try await gateway.journaled(opened.target.pair) { () throws(JournalError) in
      try await GoneCalendars.save(sides, of: name, in: store)
    }
  }
}
