import Synchronization

/// A clock that stands still until a test advances it. Who sleeps on it is woken in the order of
/// the deadlines.
public final class ManualClock: Clock, Sendable {
  /// Time since the clock was made.
  public struct Instant: InstantProtocol {
    public var offset: Duration

    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Sleeper] = []
    /// Sleeps that were begun, ever.
    var begun = 0
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init() {}

  public var now: Instant { state.withLock { $0.now } }
  public var minimumResolution: Duration { .nanoseconds(1) }

  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    await withCheckedContinuation { continuation in
      let (isOver, ready) = state.withLock { state in
        state.begun += 1
        let isOver = deadline <= state.now
        if !isOver {
          state.sleepers.append(Sleeper(deadline: deadline, continuation: continuation))
        }
        let ready = state.watchers.filter { $0.count <= state.begun }
        state.watchers.removeAll { $0.count <= state.begun }
        return (isOver, ready)
      }
      if isOver { continuation.resume() }
      for watcher in ready { watcher.continuation.resume() }
    }
  }

  /// Waits until so many sleeps were begun since the clock was made.
  public func sleepsBegun(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.begun < count { state.watchers.append((count, continuation)) }
        return state.begun >= count
      }
      if isThere { continuation.resume() }
    }
  }

  /// Lets time pass, and wakes who has slept long enough.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume() }
  }
}
