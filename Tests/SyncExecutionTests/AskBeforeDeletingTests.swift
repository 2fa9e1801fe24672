import SyncExecution
import SyncModel
import SyncPlanning
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

  /// All of eight are gone: without a person's word the guard would leave the calendar alone.
  @Test func `what a person said yes to, one by one, is no mass deletion`() throws {
    let world = World()
    let uids = (1...8).map { "event-\($0)" }
    for uid in uids { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    for uid in uids { world.set(uid, "-", on: .local) }
    #expect(try world.sync().problems.map(\.problem.code) == [.massDelete])

    let report = try world.sync { $0.confirmDeletion = { item, _ in item.uid?.text != "event-8" } }
    #expect(report.pushed.deleted == 7)
    #expect(report.problems.map(\.item.uid?.text) == ["event-8"])
    #expect(uids.map { world.letter($0, on: .remote) } == Array(repeating: "-", count: 7) + ["A"])
  }

  /// By `merge` an edit survives a deletion, and `resolve` goes by the pair's own policy.
  @Test(arguments: [ConflictPolicy.local, .merge])
  func `resolve is offered to delete what the pair's own policy deletes`(
    own: ConflictPolicy
  ) throws {
    let world = try twoGone()
    world.set("gym", "B", on: .remote)
    let report = try world.sync { options in
      options.policy = .local
      options.pairPolicy = own
      options.confirmDeletion = { _, _ in false }
    }
    #expect(report.problems.map(\.item.uid?.text) == ["dentist", "gym"])
    let hints = report.problems.map(\.problem.hint)
    let offers = hints.map { $0.contains("`calgw resolve UID --take local` deletes") }
    #expect(offers == [true, own == .local], "\(hints)")
    #expect(hints.map { $0.contains("--conflict local") } == [false, own == .merge], "\(hints)")
    #expect(hints.allSatisfy { $0.hasSuffix("`calgw resolve UID --take remote` brings it back.") })
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
