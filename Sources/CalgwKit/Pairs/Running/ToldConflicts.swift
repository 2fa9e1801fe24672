import SQLiteJournal
import SyncExecution
import SyncModel

/// A conflict of which `on_conflict` was not told yet.
struct UntoldConflict: Sendable {
  let collection: String
  let conflict: ReportedConflict
}

/// The conflicts of a collection that `on_conflict` was told of, as the pair's store keeps them.
///
/// A conflict counts as told once the hook has run, so none is missed because a run ended before
/// it; one whose hook ran may be told again if calgw was killed at once after it.
struct ToldConflicts: Sendable, Equatable {
  private var marks: Set<ContentDigest>

  /// The bytes of SHA-256.
  private static let markSize = 32

  init(bytes: [UInt8]) {
    let starts = stride(from: 0, to: bytes.count - bytes.count % Self.markSize, by: Self.markSize)
    marks = Set(starts.map { ContentDigest(bytes: Array(bytes[$0..<($0 + Self.markSize)])) })
  }

  var bytes: [UInt8] {
    marks.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
  }

  func contains(_ conflict: ReportedConflict) -> Bool { marks.contains(Self.mark(of: conflict)) }

  mutating func insert(_ conflict: ReportedConflict) { marks.insert(Self.mark(of: conflict)) }

  /// Forgets those that wait no more.
  mutating func keep(only conflicts: [ReportedConflict]) {
    marks.formIntersection(conflicts.map(Self.mark))
  }

  private static func mark(of conflict: ReportedConflict) -> ContentDigest {
    liveDigest((conflict.item.uid?.bytes ?? []) + conflict.local.bytes + conflict.remote.bytes)
  }

  // MARK: In the store

  static func storeKey(_ collection: String) -> String { "told \(collection)" }

  static func load(_ collection: String, from store: PairStore) async throws(JournalError)
    -> ToldConflicts
  {
    ToldConflicts(bytes: try await store.value(storeKey(collection)) ?? [])
  }

  func save(_ collection: String, in store: PairStore) async throws(JournalError) {
    try await store.setValue(marks.isEmpty ? nil : bytes, for: Self.storeKey(collection))
  }

  /// The conflicts of a run that are to be told; what waits no more is forgotten on the way.
  static func untold(_ report: CollectionReport, in store: PairStore) async throws(JournalError)
    -> [UntoldConflict]
  {
    let told = try await load(report.name, from: store)
    // A run that failed may not have got as far as its conflicts.
    if report.failure == nil {
      var waiting = told
      waiting.keep(only: report.conflicts)
      if waiting != told { try await waiting.save(report.name, in: store) }
    }
    return report.conflicts.filter { !told.contains($0) }.map {
      UntoldConflict(collection: report.name, conflict: $0)
    }
  }
}
