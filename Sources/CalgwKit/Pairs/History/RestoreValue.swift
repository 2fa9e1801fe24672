import SQLiteJournal
import SyncExecution
import SyncModel

/// Names, colours and the like of collections in `log` and `restore`.
extension Gateway {
  /// Gives both sides the value that was replaced; what that replaces is in the log, too.
  func restoreValue(
    _ number: Int64, of pair: PairConfiguration, id: String, isDryRun: Bool, patience: Duration
  ) async throws(RunFailure) -> PairReport {
    let (store, missing) = try await openLog(of: pair, for: id)
    let found = try await journaled(pair) { () throws(JournalError) in
      try await store.valueEntry(number)
    }
    guard let found else { throw missing }
    var target = PairTarget(pair: pair)
    target.origin = found.identity
    target.restoring = RestoredValue(key: found.change.key, value: found.change.before ?? "")
    return await act(on: target, isDryRun: isDryRun, patience: patience) { collection in
      var report = CollectionReport(name: collection.sync.name)
      report.problems = collection.unrestored.map {
        ReportedProblem(
          item: ReportedItem(uid: nil, file: nil, href: nil, summary: ""), problem: $0)
      }
      return report
    }
  }
}

/// What an id of the log counts, within its pair.
enum LogNumber: Sendable, Hashable {
  /// A version of an item.
  case version(Int64)
  /// A change of a name, a colour or the like.
  case value(Int64)

  static let valuePrefix = "value-"

  /// Nil for what is none.
  init?(_ text: Substring) {
    if text.hasPrefix(Self.valuePrefix) {
      guard let number = Self.number(text.dropFirst(Self.valuePrefix.count)) else { return nil }
      self = .value(number)
    } else {
      guard let number = Self.number(text) else { return nil }
      self = .version(number)
    }
  }

  /// A number beyond all counts as one that no version has.
  private static func number(_ text: Substring) -> Int64? {
    if let number = Int64(text) { return number }
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isNumber ? .max : nil
  }
}

extension ReplacedValue {
  init(_ entry: PairValueEntry, of pair: String) {
    self.init(
      id: "\(pair)/\(LogNumber.valuePrefix)\(entry.number)", pair: pair,
      collection: entry.identity.name, change: entry.change)
  }
}
