import CalgwKit
import SyncModel
import Synchronization
import Testing

/// A run's time, and what does not count for it.
@Suite struct StopWatchTests {
  /// A clock that moves where the test says so.
  private final class Clock: Sendable {
    private let time = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { time.withLock { $0 } }
    func advance(_ seconds: Int) { time.withLock { $0 += .seconds(seconds) } }
  }

  private func world() -> (Clock, StopSignals) {
    let clock = Clock()
    return (clock, StopSignals(told: nil, now: { clock.now }))
  }

  @Test func `a run ends with its time`() {
    let (clock, signals) = world()
    let watch = StopWatch(signals: signals, deadline: .seconds(60))
    clock.advance(59)
    #expect(watch.reason == nil)
    clock.advance(1)
    #expect(watch.reason == .deadline)
  }

  @Test func `the time in which a person thinks is none of the run's`() {
    let (clock, signals) = world()
    // What was asked before the run is nothing to it.
    _ = signals.asking { () -> String? in
      clock.advance(1000)
      return "the password"
    }
    let watch = StopWatch(signals: signals, deadline: .seconds(60))
    clock.advance(30)
    _ = signals.asking { () -> String? in
      clock.advance(3600)
      #expect(watch.reason == nil, "the question stands")
      return "local"
    }
    clock.advance(29)
    #expect(watch.reason == nil)
    clock.advance(1)
    #expect(watch.reason == .deadline)
  }

  @Test func `what waits for the end of a run waits as much longer`() {
    let (clock, signals) = world()
    let watch = StopWatch(signals: signals, deadline: .seconds(60))
    let end = watch.extended(Instant(milliseconds: 60_000))
    #expect(end().milliseconds == 60_000)
    _ = signals.asking { () -> String? in
      clock.advance(10)
      #expect(end().milliseconds == 70_000, "the question stands")
      return "local"
    }
    clock.advance(5)
    #expect(end().milliseconds == 70_000)
  }

  @Test func `a signal goes before the time`() {
    let watch = StopWatch(signals: StopSignals(told: .terminated), deadline: .zero)
    #expect(watch.reason == .terminated)
  }
}
