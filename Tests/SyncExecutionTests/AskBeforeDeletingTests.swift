import SyncExecution
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Deletions that a person is asked about.
@Suite struct AskBeforeDeletingTests {
  /// Two items that both sides had, gone from the local one.
  private func twoGone() throws -> World {
    let world = World()
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    for uid in ["dentist", "gym"] { world.set(uid, "-", on: .local) }
    return world
  }

  @Test func `who is told to stop while he asks takes no answer, and asks no more`() throws {
    let world = try twoGone()
    let (asked, isStopped) = (Counter(), Counter())
    let report = try world.sync { options in
      options.shouldStop = { isStopped.value > 0 }
      options.confirmDeletion = { _, _ in
        asked.add()
        isStopped.add()
        return true
      }
    }
    #expect(report.failure == .stopped)
    #expect(asked.value == 1)
    #expect(["dentist", "gym"].map { world.letter($0, on: .remote) } == ["A", "A"])
    #expect(report.problems.isEmpty, "nobody said no")
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
