import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A file system that cannot exchange two files: whatever is replaced there is said to be.
@Suite struct UnguardedMergeTests {
  @Test(arguments: [("BAA", "AAA"), ("AAA", "ABA"), ("BAA", "ABA")])
  func `a write without a guard is told, that of a merge's local half too`(
    here: String, there: String
  ) throws {
    let world = World()
    world.set("dentist", "AAA", on: .local)
    _ = try world.sync()
    world.executor.advance(60_000)
    for (side, letters) in [(Side.local, here), (.remote, there)] where letters != "AAA" {
      world.edit("dentist", from: "AAA", to: letters, on: side)
    }
    var folder = ForwardingStorage(world.local)
    folder.write = { batch in
      var outcomes = await world.local.carryOut(batch)
      for index in outcomes.indices { outcomes[index].isUnguarded = true }
      return outcomes
    }
    let engine = CollectionSync(
      name: "test", local: folder, remote: world.remote,
      journal: world.journal, surroundings: world.surroundings, digest: sha256,
      options: SyncOptions())
    let report = try world.executor.run { await engine.run() }
    #expect(report.merged == (here != "AAA" && there != "AAA" ? 1 : 0))
    // Of the edit that went to the server alone, no file was written.
    #expect(report.problems.map(\.problem.code) == (there == "AAA" ? [] : [.unguarded]))
  }
}
