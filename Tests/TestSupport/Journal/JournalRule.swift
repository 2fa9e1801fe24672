public import SyncModel
import Synchronization

/// One rule that every journal must keep, as a test of a fresh one.
public struct JournalRule: Sendable, CustomStringConvertible {
  public let sentence: String
  private let check: @Sendable (any Journal, JournalFindings) async throws -> Void

  init(
    _ sentence: String,
    check:
      @escaping @Sendable (any Journal, JournalFindings) async throws -> Void
  ) {
    self.sentence = sentence
    self.check = check
  }

  public var description: String { sentence }

  /// What a fresh journal does against the rule; empty where it keeps it.
  public func violations(by journal: any Journal) async -> [String] {
    let findings = JournalFindings()
    do {
      try await check(journal, findings)
    } catch {
      findings.add("threw: \(error)")
    }
    return findings.all
  }

  /// The contract: docs/journal.md in tests.
  public static let all =
    observationRules + agreementRules + intentRules + historyRules
}

/// Collects what was not as it should be.
public final class JournalFindings: Sendable {
  private let found = Mutex<[String]>([])

  var all: [String] { found.withLock { $0 } }

  func add(_ words: String) { found.withLock { $0.append(words) } }

  func equal<T: Equatable>(_ got: T, _ wanted: T, _ words: String) {
    if got != wanted { add("\(words): got \(got), wanted \(wanted)") }
  }
}
