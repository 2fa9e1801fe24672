import SyncExecution
import SyncModel
import Synchronization
import TestSupport
import Testing

/// How many batches are read at once while what a storage wants changes.
@Suite struct ReadsAtOnceTests {
  /// A storage that wants another number of reads at once after a few of them.
  private final class ChangingStorage: Storage {
    struct Reads {
      var begun = 0
      var underWay = 0
      var mostBefore = 0
      var mostAfter = 0
    }

    let base: MemoryStorage
    let before: Int
    let after: Int
    /// Reads after which there may be another number.
    static let turn = 10
    let reads = Mutex(Reads())

    init(_ base: MemoryStorage, _ before: Int, _ after: Int) {
      (self.base, self.before, self.after) = (base, before, after)
    }

    var traits: StorageTraits {
      var traits = base.traits
      traits.readsInFlight = reads.withLock { $0.begun <= Self.turn } ? before : after
      return traits
    }

    func read(_ batch: [Href]) async throws(StorageError) -> [ReadOutcome] {
      reads.withLock { reads in
        reads.begun += 1
        reads.underWay += 1
        if reads.begun <= Self.turn {
          reads.mostBefore = max(reads.mostBefore, reads.underWay)
        } else if reads.begun > Self.turn + before {
          reads.mostAfter = max(reads.mostAfter, reads.underWay)
        }
      }
      defer { reads.withLock { $0.underWay -= 1 } }
      return try await base.read(batch)
    }

    func listChanges(since cursor: Cursor?) async throws(StorageError) -> ChangePage {
      try await base.listChanges(since: cursor)
    }

    func confirmAbsence(of batch: [Href]) async throws(StorageError) -> [Href] {
      try await base.confirmAbsence(of: batch)
    }

    func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
      await base.carryOut(batch)
    }

    func freshHref(for uid: ItemID, attempt: Int) -> Href {
      base.freshHref(for: uid, attempt: attempt)
    }

    func displaced() async throws(StorageError) -> [DisplacedFile] { [] }

    func discard(_ files: [DisplacedFile]) async throws(StorageError) {}
  }

  @Test(arguments: [(2, 5), (5, 2), (3, 0)])
  func `reading follows what the storage wants, and is never stopped by it`(
    before: Int, after: Int
  ) throws {
    let world = World()
    for number in 0..<80 { world.set("\(number)", "A", on: .remote) }
    let remote = ChangingStorage(world.remote, before, after)
    let engine = CollectionSync(
      name: "test", local: world.local, remote: remote, journal: world.journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
    _ = try world.executor.run { await engine.run() }
    #expect(world.local.items.count == 80)
    let reads = remote.reads.withLock { $0 }
    #expect(reads.begun >= 40)
    #expect(reads.mostBefore == before && reads.mostAfter == max(1, after))
  }
}
