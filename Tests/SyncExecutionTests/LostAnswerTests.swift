import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What was done and not answered, and is found done by the same run, counts as what it was.
@Suite struct LostAnswerTests {
  private let world = World()

  /// With a server that acts, and whose answers to writes are lost.
  private func sync(_ world: World) throws -> CollectionReport {
    var server = ForwardingStorage(world.remote)
    server.write = { batch in
      await world.remote.carryOut(batch).map { outcome in
        WriteOutcome(
          href: outcome.href, result: .unknown(StorageError(.unreachable, "no answer came")))
      }
    }
    let engine = CollectionSync(
      name: "test", local: world.local, remote: server, journal: world.journal,
      surroundings: world.surroundings, digest: sha256, options: SyncOptions())
    return try world.executor.run { await engine.run() }
  }

  private func sync() throws -> CollectionReport { try sync(world) }

  /// What a server drops of a new item, and what it adds.
  @Test(arguments: [
    ("GEO:48.2;16.3\r\n", ""), ("", "STATUS:CONFIRMED\r\nTRANSP:OPAQUE\r\n"),
    ("ATTACH:https://example.org/a\r\nDESCRIPTION:far\r\n", ""),
    ("RESOURCES:Projector,Easel\r\n", "RESOURCES:Projector\\,Easel\r\n"),
  ])
  func `what the server made of a new item is nobody's edit`(
    dropped: String, added: String
  ) throws {
    func text(_ more: String) -> ItemData {
      let plain = String(decoding: World.event("dentist", "A").bytes, as: UTF8.self)
      return ItemData(bytes: Array(plain.replacing("SUMMARY", with: more + "SUMMARY").utf8))
    }
    var traits = World.serverTraits
    traits.namesAreUnguessable = true
    let stored = text(added)
    let world = World(remoteTraits: traits) { _ in stored }
    world.local.put(Href("dentist.ics"), text(dropped))
    let report = try sync(world)
    #expect(report.problems.isEmpty && report.pushed.created == 1, "\(report)")
    #expect(report.pulled.total == 0)
    let next = try sync(world)
    #expect(next.problems.isEmpty && next.pushed.total + next.pulled.total == 0, "\(next)")
    #expect(world.local.items[Href("dentist.ics")] == text(dropped))
    #expect(world.remote.items.values.map(\.self) == [stored])
    #expect(world.remote.counts.writes == 1)
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
