import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What was done and not answered, and is found done by the same run, counts as what it was.
@Suite struct LostAnswerTests {
  /// A server that acts, and whose answers to writes are lost.
  private struct MuteServer: Storage {
    let base: MemoryStorage

    var traits: StorageTraits { base.traits }

    func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
      await base.carryOut(batch).map { outcome in
        WriteOutcome(
          href: outcome.href, result: .unknown(StorageError(.unreachable, "no answer came")))
      }
    }

    func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
      try await base.listChanges(since: cursor)
    }

    func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
      try await base.read(batch)
    }

    func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
      try await base.confirmAbsence(of: batch)
    }

    func freshHref(for uid: ItemID, attempt: Int) -> Href {
      base.freshHref(for: uid, attempt: attempt)
    }

    func displaced() async throws(StorageError) -> [DisplacedFile] { [] }
    func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
  }

  private let world = World()

  private func sync() throws -> CollectionReport {
    let engine = CollectionSync(
      name: "test", local: world.local, remote: MuteServer(base: world.remote),
      journal: world.journal, surroundings: world.surroundings, digest: sha256,
      options: SyncOptions())
    return try world.executor.run { await engine.run() }
  }

  @Test func `a new item, an edit and a deletion are counted, once`() throws {
    world.set("gym", "A", on: .remote)
    _ = try sync()
    for letter: Character in ["A", "B", "-"] {
      world.set("dentist", letter, on: .local)
      let report = try sync()
      #expect(report.pushed.created == (letter == "A" ? 1 : 0))
      #expect(report.pushed.updated == (letter == "B" ? 1 : 0))
      #expect(report.pushed.deleted == (letter == "-" ? 1 : 0))
      #expect(report.pulled.total == 0)
      #expect(report.problems.isEmpty && report.failure == nil)
      #expect(report.unchanged == 1, "the other one")
      #expect(world.letter("dentist", on: .remote) == letter)
      let writes = world.remote.counts.writes
      #expect(try sync().pushed.total == 0)
      #expect(world.remote.counts.writes == writes)
    }
  }
}
