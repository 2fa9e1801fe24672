import Synchronization

/// Counts calls, and does something at a chosen one.
final class CallCounter: Sendable {
  private let calls = Mutex(0)

  var count: Int { calls.withLock { $0 } }

  /// Counted from 1.
  @discardableResult
  func next() -> Int {
    calls.withLock { calls in
      calls += 1
      return calls
    }
  }
}
