import SyncModel
import Synchronization

/// Says once that it is the first time.
final class CallOnce: Sendable {
  private let calls = Mutex(0)
  var isFirst: Bool {
    calls.withLock {
      $0 += 1
      return $0 == 1
    }
  }
}

extension ReadOutcome {
  var version: Version? {
    if case .found(let version, _, _) = result { version } else { nil }
  }
}

extension WriteOutcome {
  var isStored: Bool { if case .stored = result { true } else { false } }
}
