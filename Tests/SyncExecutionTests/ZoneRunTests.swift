import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// Definitions of time zones over several runs.
@Suite struct ZoneRunTests {
  private func letters(_ world: World) -> [String] {
    Side.allCases.map { world.letters("dentist", on: $0, width: 4) }
  }

  private static var mailing: StorageTraits {
    var traits = World.serverTraits
    traits.mayNotify = true
    return traits
  }

  /// The event with an organizer and a guest, as somebody puts it on a side.
  private func putMeeting(_ world: World, _ letters: String, _ more: String = "", on side: Side) {
    let text = String(decoding: World.event("dentist", letters).bytes, as: UTF8.self)
    let people = "ORGANIZER:mailto:ann@example.org\r\nATTENDEE:mailto:bob@example.org\r\n" + more
    world.storage(side).put(
      Href("dentist.ics"),
      ItemData(bytes: Array(text.replacing("END:VEVENT", with: people + "END:VEVENT").utf8)))
  }

  @Test func `sides that met with unlike definitions keep them through edits on both`() throws {
    let world = World()
    world.set("dentist", "AAAF", on: .local)
    world.set("dentist", "AAA-", on: .remote)
    #expect(try world.sync().conflicts.isEmpty)
    world.executor.advance(60_000)
    world.edit("dentist", from: "AAAF", to: "BAAF", on: .local)
    _ = try world.sync()
    #expect(letters(world) == ["BAAF", "BAA-"])
    world.executor.advance(60_000)
    world.edit("dentist", from: "BAA-", to: "BCA-", on: .remote)
    _ = try world.sync()
    #expect(letters(world) == ["BCAF", "BCA-"])
    world.executor.advance(60_000)
    world.edit("dentist", from: "BCAF", to: "BCAS", on: .local)
    world.edit("dentist", from: "BCA-", to: "BCC-", on: .remote)
    _ = try world.sync()
    #expect(letters(world) == ["BCCS", "BCC-"])
    let writes = world.writes
    #expect(try world.sync().actions.isEmpty)
    #expect(world.writes == writes)
  }

  @Test func `a server that writes everything anew costs its reading, and the next run nothing`()
    throws
  {
    let world = World()
    let names = (1...300).map { "item\($0)" }
    for name in names { world.set(name, "AAAF", on: .local) }
    _ = try world.sync()
    for name in names { world.set(name, "AAAS", on: .remote) }
    let writes = world.writes
    let report = try world.sync()
    #expect(report.actions.count == names.count && report.actions.allSatisfy { $0.kind == .record })
    #expect(report.pulled.total + report.pushed.total + report.merged == 0)
    #expect(world.writes == writes)
    let reads = world.remote.counts.reads
    #expect(try world.sync().actions.isEmpty)
    #expect(world.remote.counts.reads == reads)
  }

  @Test func `status is silent of a definition that says the same`() throws {
    let world = World()
    world.set("dentist", "AAAF", on: .local)
    _ = try world.sync()
    func pending() throws -> Int {
      try world.executor.run { () async -> Int in
        switch await world.engine().inspect([.local, .remote]) {
        case .success(let items): items.count
        case .failure: -1
        }
      }
    }
    world.set("dentist", "AAAS", on: .remote)
    #expect(try pending() == 0)
    world.set("dentist", "AAAW", on: .remote)
    #expect(try pending() == 1)
  }

  @Test func `a meeting is not sent because of a definition`() throws {
    for (local, remote) in [("AAAF", "AAAS"), ("AAAF", "AAA-"), ("AAA-", "AAAF")] {
      let world = World(remoteTraits: Self.mailing)
      putMeeting(world, local, on: .local)
      putMeeting(world, remote, on: .remote)
      #expect(try world.sync().conflicts.isEmpty)
      putMeeting(world, "AAAS", on: .local)
      _ = try world.sync()
      #expect(world.remote.counts.writes == 0, "\(local) \(remote)")
    }
  }

  @Test func `nor where the server drops extensions or counts as well`() throws {
    for more in ["X-MINE:1\r\n", "SEQUENCE:2\r\nLAST-MODIFIED:20260101T000000Z\r\n"] {
      let world = World(remoteTraits: Self.mailing)
      putMeeting(world, "AAAF", more, on: .local)
      putMeeting(world, "AAAS", on: .remote)
      #expect(try world.sync().conflicts.isEmpty)
      #expect(world.writes == 0, "\(more)")
    }
  }

  @Test func `a definition of another meaning waits, where a server may send mail`() throws {
    let world = World(remoteTraits: Self.mailing)
    putMeeting(world, "AAAF", on: .remote)
    world.executor.advance(60_000)
    putMeeting(world, "AAAW", on: .local)
    #expect(try world.sync().conflicts.count == 1)
    #expect(world.writes == 0)
  }

  @Test func `without tzdata every definition counts`() throws {
    let world = World()
    world.set("dentist", "AAAF", on: .local)
    _ = try world.sync()
    world.set("dentist", "AAAS", on: .remote)
    _ = try world.sync { $0.zones = .ownDefinitions }
    #expect(letters(world) == ["AAAS", "AAAS"])
  }

  /// A run with other tzdata than the one before: on another machine, or after an update.
  @Test func `a new tzdata changes nothing by itself`() throws {
    let world = World()
    world.set("dentist", "AAAF", on: .local)
    world.set("dentist", "AAAS", on: .remote)
    _ = try world.sync()
    let (writes, state) = (world.writes, world.journal.state)
    #expect(try world.sync { $0.zones = .ownDefinitions }.actions.isEmpty)
    #expect(world.writes == writes)
    #expect(world.journal.state.agreements == state.agreements)
    // An edit of one side is that edit, whatever the definitions are held for now.
    world.executor.advance(60_000)
    world.edit("dentist", from: "AAAF", to: "BAAF", on: .local)
    _ = try world.sync { $0.zones = .ownDefinitions }
    #expect(letters(world) == ["BAAF", "BAAS"])
  }
}
