import CalgwKit
import SyncModel
import TestSupport
import Testing

/// A folder that another pair holds is waited for as long as `--wait` says.
@Suite struct LockWaitTests {
  private let held = StorageError(.tryLater(nil), "another calgw holds it", hint: "wait")

  /// How often a lock was tried that is free at the fourth time, and whether it was got.
  ///
  /// - Parameter patience: in milliseconds; nil: none.
  private func tries(
    _ patience: Int64?, atLeast: Duration = .zero,
    stop: @escaping @Sendable () -> StopReason? = { nil }
  ) async -> [Int] {
    let clock = ModelClock()
    let now = clock.surroundings.now().milliseconds
    let wait = LockWait(until: patience.map { Instant(milliseconds: now + $0) }, stop: stop)
    var count = 0
    do throws(StorageError) {
      try await wait.take(clock.surroundings, atLeast: atLeast) { () throws(StorageError) in
        count += 1
        if count < 4 { throw held }
      }
      return [count, 1]
    } catch {
      return [count, 0]
    }
  }

  @Test func `it is tried again until it is free`() async {
    #expect(await tries(20_000) == [4, 1])
  }

  @Test(arguments: [nil, 0] as [Int64?])
  func `without patience it is tried once`(patience: Int64?) async {
    #expect(await tries(patience) == [1, 0])
  }

  /// An edit of an event holds its folder for some milliseconds.
  @Test(arguments: [nil, 0, 20_000] as [Int64?])
  func `a short hold is waited for without patience, too`(patience: Int64?) async {
    #expect(await tries(patience, atLeast: .seconds(1)) == [4, 1])
    #expect(await tries(patience, atLeast: .seconds(1)) { .interrupted } == [1, 0])
  }

  @Test func `what is over before it is free is told`() async {
    #expect(await tries(LockWait.interval * 2) == [3, 0])
  }

  @Test func `who is told to stop waits no longer`() async {
    #expect(await tries(20_000) { .interrupted } == [1, 0])
  }

  @Test func `another trouble is no reason to wait`() async {
    let clock = ModelClock()
    let wait = LockWait(until: Instant(milliseconds: .max))
    let error = await #expect(throws: StorageError.self) {
      try await wait.take(clock.surroundings) { () throws(StorageError) in
        throw StorageError(.io, "the disk", hint: "look")
      }
    }
    #expect(error?.kind == .io)
    #expect(clock.surroundings.now() == ModelClock().surroundings.now())
  }
}
