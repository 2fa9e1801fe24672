import SQLiteJournal
import SyncModel

/// How much of a history is kept. A pair's are in its journal, too, and hold there once the pair is
/// in no configuration any more.
struct HistoryLimits: Sendable, Hashable {
  /// Versions younger than this, however many.
  var age = Self.kept
  /// The newest of an item, however old.
  var versionsAnItem = Self.versions

  /// Where no pair says otherwise.
  static let kept = Duration.seconds(90 * 86_400)
  static let versions = 50

  init() {}

  init(of pair: PairConfiguration) {
    age = pair.historyKept
    versionsAnItem = pair.historyVersions
  }

  // MARK: In the store

  static let storeKey = "history limits"

  var bytes: [UInt8] { Array("\(age.milliseconds) \(versionsAnItem)".utf8) }

  /// Nil for what is none.
  init?(_ bytes: [UInt8]) {
    let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").map { Int64($0) }
    guard numbers.count == 2, let age = numbers[0], let versions = numbers[1] else { return nil }
    self.age = .milliseconds(age)
    versionsAnItem = Int(clamping: versions)
  }

  /// Those that the pair had in its last run; nil where that run kept none.
  static func load(from store: PairStore) async throws(JournalError) -> HistoryLimits? {
    try await store.value(storeKey).flatMap { HistoryLimits($0) }
  }
}

extension Surroundings {
  /// A moment in the past; the earliest there is where it would lie before that.
  func now(minus length: Duration) -> Instant {
    now().after(.zero - length)
  }
}
