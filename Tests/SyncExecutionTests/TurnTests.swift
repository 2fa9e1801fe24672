import SyncExecution
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Items that a storage waits for in vain, and those that it has no time for then.
@Suite struct TurnTests {
  /// With a storage that waits for two items in vain, and gives none of those that it is asked for
  /// after them.
  private func sync(_ world: World) throws -> CollectionReport {
    let waited = Mutex(0)
    var remote = ForwardingStorage(world.remote)
    remote.changeTraits = { traits in
      traits.readBatch = 1
      traits.readsInFlight = 1
    }
    remote.look = { (batch) throws(StorageError) in
      let isTired = waited.withLock { waited in
        if waited == 2 { return true }
        waited += batch.count { $0.text.hasPrefix("hangs") }
        return false
      }
      if isTired || batch.contains(where: { $0.text.hasPrefix("hangs") }) {
        let trouble = ItemProblem(.brokenRemote, "no answer", hint: "wait")
        return batch.map { ReadOutcome(href: $0, result: .problem(trouble)) }
      }
      return try await world.remote.read(batch)
    }
    let engine = CollectionSync(
      name: "test", local: world.local, remote: remote, journal: world.journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
    return try world.executor.run { await engine.run() }
  }

  @Test func `what comes after items that are waited for in vain has its turn in a later run`()
    throws
  {
    let world = World()
    for uid in ["hangs1", "hangs2", "hangs3", "later"] { world.set(uid, "A", on: .remote) }
    #expect(try sync(world).problems.count == 4)
    #expect(world.letter("later", on: .local) == "-")
    for _ in 0..<4 {
      world.executor.advance(60_001)
      _ = try sync(world)
    }
    #expect(world.letter("later", on: .local) == "A")
    // What is new does not wait for them.
    world.set("new", "A", on: .remote)
    #expect(try sync(world).problems.count == 3)
    #expect(world.letter("new", on: .local) == "A")
  }
}
