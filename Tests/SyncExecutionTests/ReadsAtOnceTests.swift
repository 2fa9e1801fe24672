import SyncExecution
import SyncModel
import Synchronization
import TestSupport
import Testing

/// How many batches are read at once while what a storage wants changes.
@Suite struct ReadsAtOnceTests {
  private struct Reads {
    var begun = 0
    var underWay = 0
    var mostBefore = 0
    var mostAfter = 0
  }

  @Test(arguments: [(2, 5), (5, 2), (3, 0)])
  func `reading follows what the storage wants, and is never stopped by it`(
    before: Int, after: Int
  ) throws {
    let world = World()
    for number in 0..<80 { world.set("\(number)", "A", on: .remote) }
    // After a few reads it wants another number of them at once.
    let turn = 10
    let counts = Mutex(Reads())
    var remote = ForwardingStorage(world.remote)
    remote.changeTraits = { traits in
      traits.readsInFlight = counts.withLock { $0.begun <= turn } ? before : after
    }
    remote.look = { (batch) throws(StorageError) in
      counts.withLock { reads in
        reads.begun += 1
        reads.underWay += 1
        if reads.begun <= turn {
          reads.mostBefore = max(reads.mostBefore, reads.underWay)
        } else if reads.begun > turn + before {
          reads.mostAfter = max(reads.mostAfter, reads.underWay)
        }
      }
      defer { counts.withLock { $0.underWay -= 1 } }
      return try await world.remote.read(batch)
    }
    let engine = CollectionSync(
      name: "test", local: world.local, remote: remote, journal: world.journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
    _ = try world.executor.run { await engine.run() }
    #expect(world.local.items.count == 80)
    let reads = counts.withLock { $0 }
    #expect(reads.begun >= 40)
    #expect(reads.mostBefore == before && reads.mostAfter == max(1, after))
  }
}
