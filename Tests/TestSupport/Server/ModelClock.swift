public import SyncModel
import Synchronization

/// Virtual time and counted UUIDs: nothing of the machine comes in.
public final class ModelClock: Sendable {
  private struct State {
    /// 2026-01-05T08:00:00Z.
    var now: Int64 = 1_767_600_000_000
    var uuids = 0
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock { Instant(milliseconds: $0.now) } }

  public func advance(milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

  /// A pause lets the virtual time pass at once.
  public var surroundings: Surroundings {
    Surroundings(
      now: { self.now }, newUUID: { self.newUUID() }, pause: { self.advance(milliseconds: $0) })
  }

  private func newUUID() -> String {
    let number = state.withLock { state in
      state.uuids += 1
      return state.uuids
    }
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }
}
