import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// The figures of a dry run, against those of the run that follows.
@Suite struct DryRunFiguresTests {
  /// What a sync of the world would report.
  private func foresee(_ world: World, policy: ConflictPolicy) throws -> CollectionReport {
    var options = SyncOptions()
    options.policy = policy
    options.isDryRun = true
    let look = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: MemoryJournal(world.journal.state), surroundings: world.surroundings,
      digest: sha256, options: options)
    return try world.executor.run { await look.run() }
  }

  private func expectSame(_ dry: CollectionReport, _ run: CollectionReport, unchanged: Int) {
    #expect(run.unchanged == unchanged)
    #expect(dry.unchanged == run.unchanged)
    #expect(dry.pulled == run.pulled)
    #expect(dry.pushed == run.pushed)
    #expect(dry.merged == run.merged)
    #expect(dry.conflicts.map(\.item.uid) == run.conflicts.map(\.item.uid))
  }

  /// What waits for a person is not one of them.
  @Test(arguments: [.merge, .local, .remote, .ask] as [ConflictPolicy])
  func `of items that changed in every way, the unchanged ones are those of the run`(
    policy: ConflictPolicy
  ) throws {
    let world = World(remoteTraits: World.serverTraits)
    let shared = [
      "agreed", "alike", "both", "gone", "gonehere", "gonethere", "here", "saved", "there",
    ]
    for uid in shared { world.set(uid, "AAA", on: .local) }
    _ = try world.sync()
    for (uid, here, there) in [
      ("alike", "BAA", "BAA"), ("both", "BAA", "ABA"), ("gone", "-", "-"),
      ("saved", "BAA", "-"), ("newhere", "AAA", "-"), ("newthere", "-", "AAA"),
      ("strangers", "AAA", "ABB"), ("twins", "AAA", "AAA"),
    ] {
      world.set(uid, here, on: .local)
      world.set(uid, there, on: .remote)
    }
    world.set("here", "BAA", on: .local)
    world.set("there", "BAA", on: .remote)
    world.set("gonehere", "-", on: .local)
    world.set("gonethere", "-", on: .remote)
    let dry = try foresee(world, policy: policy)
    let run = try world.sync { $0.policy = policy }
    expectSame(dry, run, unchanged: 3)
    #expect(run.conflicts.map(\.item.uid?.text).contains("both") == (policy == .ask))
  }

  @Test func `of a first sync they are what both sides have alike`() throws {
    let world = World(remoteTraits: World.serverTraits)
    for uid in ["choir", "dentist", "gym"] { world.set(uid, "A", on: .local) }
    for uid in ["dentist", "gym", "lunch"] { world.set(uid, "A", on: .remote) }
    let dry = try foresee(world, policy: .merge)
    expectSame(dry, try world.sync(), unchanged: 2)
  }

  @Test func `a plan that deletes too much leaves them all`() throws {
    let world = World(remoteTraits: World.serverTraits)
    let all = ["choir", "dentist", "gym"]
    for uid in all { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    for uid in all { world.set(uid, "-", on: .local) }
    let dry = try foresee(world, policy: .merge)
    expectSame(dry, try world.sync(), unchanged: 3)
    #expect(dry.problems.map(\.problem.code) == [.massDelete])
  }
}
