import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// Another client moves items on a server whose lists of changes say nothing of deletions: at the
/// new places they are no duplicates, of which one could go.
@Suite struct UntoldMoveTests {
  private static let uids = ["bath", "dentist", "gym", "lunch", "piano", "yoga"]

  private func place(_ uid: String) -> Href { Href("\(uid).ics") }
  private func newPlace(_ uid: String) -> Href { Href("re-\(uid).ics") }

  /// Both sides share six items, and nothing is left to do.
  private func settled() throws -> World {
    let world = World()
    for uid in Self.uids { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    world.executor.advance(60_000)
    let reads = world.remote.counts.reads
    _ = try world.sync()
    #expect(world.remote.counts.reads == reads, "where there is no duplicate nothing is looked at")
    return world
  }

  private func move(_ uid: String, in world: World) {
    world.remote.moveUntold(place(uid), to: newPlace(uid))
  }

  private func expectMoved(_ uids: [String], _ world: World) throws {
    let report = try world.sync()
    #expect(report.failure == nil && report.problems.isEmpty, "\(report.problems)")
    #expect(report.conflicts.isEmpty)
    #expect(world.local.items.keys.sorted() == Self.uids.map(place).sorted())
    #expect(world.remote.untold == uids.map(place))
    for uid in uids {
      world.set(uid, "B", on: .local)
      _ = try world.sync()
      #expect(world.letter(uid, on: .remote) == "B", "the edit goes to where it is now")
      #expect(world.remote.items[place(uid)] == nil)
    }
  }

  @Test func `an item under a new name was moved, if nothing is at the old one`() throws {
    let world = try settled()
    move("dentist", in: world)
    try expectMoved(["dentist"], world)
  }

  @Test func `of more than a few the whole listing tells`() throws {
    let world = try settled()
    let uids = ["bath", "gym", "piano"]
    for uid in uids { move(uid, in: world) }
    #expect(uids.count > World.serverTraits.readBatch)
    try expectMoved(uids, world)
  }

  @Test func `an edit made here meanwhile goes along`() throws {
    let world = try settled()
    move("gym", in: world)
    world.set("gym", "C", on: .local)
    let report = try world.sync()
    #expect(report.problems.isEmpty && report.conflicts.isEmpty, "\(report.problems)")
    #expect(world.letter("gym", on: .remote) == "C" && world.letter("gym", on: .local) == "C")
  }

  @Test func `a status says nothing of it, too`() throws {
    let world = try settled()
    move("dentist", in: world)
    let look = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: MemoryJournal(world.journal.state), surroundings: world.surroundings,
      digest: sha256, options: SyncOptions())
    let pending = try world.executor.run { try await look.inspect([.local, .remote]).get() }
    #expect(pending.isEmpty, "\(pending.map(\.problem))")
  }

  @Test func `real duplicates are named, and looked at until one of them goes unsaid`() throws {
    let world = try settled()
    world.remote.put(newPlace("gym"), World.event("gym", "A"))
    let places = [place("gym"), newPlace("gym")].sorted()
    for _ in 0..<2 {
      let reads = world.remote.counts.reads
      let problems = try world.sync().problems
      #expect(problems.map(\.problem.code) == [.duplicateUID, .duplicateUID])
      #expect(problems.compactMap(\.item.href).sorted() == places)
      #expect(world.remote.counts.reads - reads == 2, "its two places, and nothing else")
    }
    #expect(world.remote.untold.isEmpty)
    world.remote.moveUntold(place("gym"), to: newPlace("gym"))
    try expectMoved(["gym"], world)
  }

  @Test func `a run that ended before it looked leaves the look to the next one`() throws {
    let world = try settled()
    move("yoga", in: world)
    // It lists, reads what is new, and does not come to the look: by then the server is gone.
    let stop = StorageError(.unreachable, "the server is gone")
    let place = place("yoga")
    var server = ForwardingStorage(world.remote)
    server.look = { (batch) throws(StorageError) in
      if batch.contains(place) { throw stop }
      return try await world.remote.read(batch)
    }
    let engine = CollectionSync(
      name: "test", local: world.local, remote: server, journal: world.journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
    let report = try world.executor.run { await engine.run() }
    #expect(report.failure == .storage(.remote, stop))
    try expectMoved(["yoga"], world)
  }
}
