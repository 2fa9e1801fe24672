import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A file system that cannot exchange two files: whatever is replaced there is said to be.
@Suite struct UnguardedMergeTests {
  private struct Unguarded: Storage {
    let storage: MemoryStorage
    var traits: StorageTraits { storage.traits }

    func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
      try await storage.listChanges(since: cursor)
    }

    func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
      try await storage.read(batch)
    }

    func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
      try await storage.confirmAbsence(of: batch)
    }

    func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
      var outcomes = await storage.carryOut(batch)
      for index in outcomes.indices { outcomes[index].isUnguarded = true }
      return outcomes
    }

    func freshHref(for uid: ItemID, attempt: Int) -> Href {
      storage.freshHref(for: uid, attempt: attempt)
    }

    func displaced() async throws(StorageError) -> [DisplacedFile] { [] }
    func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
  }

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
    let engine = CollectionSync(
      name: "test", local: Unguarded(storage: world.local), remote: world.remote,
      journal: world.journal, surroundings: world.surroundings, digest: sha256,
      options: SyncOptions())
    let report = try world.executor.run { await engine.run() }
    #expect(report.merged == (here != "AAA" && there != "AAA" ? 1 : 0))
    // Of the edit that went to the server alone, no file was written.
    #expect(report.problems.map(\.problem.code) == (there == "AAA" ? [] : [.unguarded]))
  }
}
