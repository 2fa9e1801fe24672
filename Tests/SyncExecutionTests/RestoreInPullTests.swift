import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A version that comes back in a pair that only pulls.
@Suite struct RestoreInPullTests {
  /// Both sides have the dentist's second version.
  private func world() throws -> World {
    let world = World()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "B", on: .remote)
    _ = try world.sync()
    return world
  }

  private func restore(_ letter: Character, in world: World, isDryRun: Bool) throws
    -> CollectionReport
  {
    var options = SyncOptions()
    options.direction = .pull
    options.isDryRun = isDryRun
    let engine = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: isDryRun ? MemoryJournal(world.journal.state) : world.journal,
      surroundings: world.surroundings, digest: sha256, options: options)
    return try world.executor.run {
      await engine.restore(World.event("dentist", letter), as: ItemID("dentist"))
    }
  }

  @Test(arguments: [true, false])
  func `what both sides have already is nothing to do`(isDryRun: Bool) throws {
    let world = try world()
    let report = try restore("B", in: world, isDryRun: isDryRun)
    #expect(report.problems.isEmpty && report.failure == nil, "\(report.problems)")
    #expect(report.actions.isEmpty && report.pulled.total == 0)
  }

  @Test(arguments: [true, false])
  func `what stays here is named by its file and title`(isDryRun: Bool) throws {
    let world = try world()
    let problem = try #require(try restore("A", in: world, isDryRun: isDryRun).problems.first)
    #expect(problem.problem.code == .readOnly)
    #expect(problem.item.file == Href("dentist.ics"))
    #expect(problem.item.summary == "dentist A")
  }
}
