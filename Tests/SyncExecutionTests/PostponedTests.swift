import SyncExecution
import SyncModel
import TestSupport
import Testing

/// A collection from which an item is gone while nobody can say yet whether another one has it.
@Suite struct PostponedTests {
  /// Both sides have `m` and `n`.
  private func world() throws -> World {
    let world = World()
    for name in ["m", "n"] {
      for side in Side.allCases { world.set(name, "A", on: side) }
    }
    _ = try world.sync()
    return world
  }

  @Test func `is left as it is, and goes on once that is known`() throws {
    let world = try world()
    world.set("m", "-", on: .local)
    world.set("n", "B", on: .local)
    world.set("o", "A", on: .local)
    let engine = world.engine {
      $0.leaving = { _ in nil }
      $0.arriving = { $0 }
    }
    let look = try world.executor.run { await engine.run() }
    #expect(look.isPostponed && look.actions.isEmpty && look.failure == nil)
    #expect(look.arriving.map(\.uid) == [ItemID("o")], "others are told what is new to it")
    #expect(world.letter("m", on: .remote) == "A" && world.letter("n", on: .remote) == "A")

    let knowing = engine.knowing { _ in FoundElsewhere(moved: []) }
    let report = try world.executor.run { await knowing.run() }
    #expect(!report.isPostponed && report.pushed.deleted == 1 && report.pushed.updated == 1)
    #expect(world.letter("m", on: .remote) == "-" && world.letter("n", on: .remote) == "B")
  }

  @Test func `brings nothing back meanwhile`() throws {
    let world = try world()
    world.set("m", "-", on: .local)
    world.set("m", "B", on: .remote)
    let look = try world.sync { $0.leaving = { _ in nil } }
    #expect(look.isPostponed && look.actions.isEmpty)
    #expect(world.letter("m", on: .local) == "-")
    let report = try world.sync { $0.leaving = { FoundElsewhere(moved: $0) } }
    #expect(!report.isPostponed && report.edited.map(\.uid) == [ItemID("m")])
  }

  @Test func `waits for nothing where all is there`() throws {
    let world = try world()
    world.set("n", "B", on: .local)
    let report = try world.sync { $0.leaving = { _ in nil } }
    #expect(!report.isPostponed && report.pushed.updated == 1)
  }
}
