import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// An answer to a conflict is about the versions that were shown.
@Suite struct AnsweredConflictTests {
  /// The dentist was edited in unlike ways on both sides.
  private func conflict() throws -> World {
    let world = World()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    return world
  }

  private func engine(_ world: World, _ journal: MemoryJournal) -> CollectionSync {
    CollectionSync(
      name: "test", local: world.local, remote: world.remote, journal: journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
  }

  /// What a person is shown.
  private func shown(_ world: World) throws -> [Side: ContentDigest] {
    let look = engine(world, MemoryJournal(world.journal.state))
    let pending = try world.executor.run { try await look.inspect([.local, .remote]).get() }
    return try #require(pending.first).versions.mapValues(\.canonical)
  }

  private func answer(
    _ choice: ConflictChoice, _ world: World, _ shown: [Side: ContentDigest]
  ) throws -> CollectionReport {
    let engine = engine(world, world.journal)
    return try world.executor.run {
      await engine.resolve(ItemID("dentist"), taking: choice, ifStill: shown)
    }
  }

  private func letters(_ world: World) -> [Character] {
    Side.allCases.map { world.letter("dentist", on: $0) }
  }

  @Test(arguments: [ConflictChoice.local, .remote, .both], Side.allCases)
  func `is not carried out on a version that nobody was shown`(
    choice: ConflictChoice, side: Side
  ) throws {
    let world = try conflict()
    let before = try shown(world)
    world.set("dentist", "D", on: side)
    let left = letters(world)
    let late = try answer(choice, world, before)
    #expect(late.problems.map(\.problem.code) == [.refused])
    #expect(late.actions.isEmpty && late.failure == nil)
    #expect(letters(world) == left)
    let again = try answer(choice, world, shown(world))
    #expect(again.problems.isEmpty && again.conflicts.isEmpty && again.failure == nil)
    #expect(Set(letters(world)).count == 1)
  }

  @Test func `holds where nothing changed`() throws {
    let world = try conflict()
    #expect(try answer(.remote, world, shown(world)).problems.isEmpty)
    #expect(letters(world) == ["C", "C"])
  }
}
