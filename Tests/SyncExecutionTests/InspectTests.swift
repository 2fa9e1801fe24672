import Recurrence
import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What `status` says, against what a sync does.
@Suite struct InspectTests {
  /// All of 2026: the events of a world are in January.
  private static let year = SyncWindow(
    from: Instant(milliseconds: 1_767_225_600_000), to: Instant(milliseconds: 1_798_761_600_000),
    zones: .machine)

  @Test func `an item outside the window is no matter of a broken file, as in a sync`() throws {
    let world = World(remoteTraits: World.serverTraits)
    world.set("gym", "A", on: .local)
    _ = try world.sync()
    // Somebody wrote half of an old event over the gym, and the server has all of it.
    let text = String(decoding: World.event("old", "A").bytes, as: UTF8.self)
      .replacing("DTSTART:2026", with: "DTSTART:2020")
    world.local.put(Href("gym.ics"), ItemData(bytes: Array(text.utf8.prefix(90))))
    world.remote.put(Href("old.ics"), ItemData(bytes: Array(text.utf8)))
    for window in [Self.year, nil] {
      let engine = world.engine { $0.window = window }
      let copy = MemoryJournal(world.journal.state)
      let look = CollectionSync(
        name: "test", local: world.local, remote: world.remote, journal: copy,
        surroundings: world.surroundings, digest: sha256, options: Self.options(window))
      let pending = try world.executor.run { try await look.inspect([.local, .remote]).get() }
      let report = try world.executor.run { await engine.run() }
      #expect(
        pending.compactMap { $0.problem?.message }.sorted()
          == report.problems.map(\.problem.message).sorted())
      #expect(pending.contains { $0.item.uid == ItemID("old") } == (window == nil))
      #expect(world.local.items.count == 1)
    }
  }

  @Test(arguments: [SyncDirection.both, .pull, .push])
  func `in every direction a look reports what a sync does`(direction: SyncDirection) throws {
    let world = World(remoteTraits: World.serverTraits)
    let all = ["both", "gonehere", "gonethere", "here", "there"]
    for uid in all { world.set(uid, "AAA", on: .local) }
    _ = try world.sync()
    world.set("both", "BAA", on: .local)
    world.set("both", "ABA", on: .remote)
    world.set("here", "BAA", on: .local)
    world.set("there", "BAA", on: .remote)
    world.set("gonehere", "-", on: .local)
    world.set("gonethere", "-", on: .remote)
    var options = SyncOptions()
    options.direction = direction
    let look = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: MemoryJournal(world.journal.state), surroundings: world.surroundings,
      digest: sha256, options: options)
    let engine = world.engine { $0.direction = direction }
    let pending = try world.executor.run { try await look.inspect([.local, .remote]).get() }
    let report = try world.executor.run { await engine.run() }
    #expect(pending.compactMap(\.item.uid) == all.map { ItemID($0) }, "each is out of step")
    #expect(
      pending.filter { $0.conflict != nil }.map(\.item.uid) == report.conflicts.map(\.item.uid))
    #expect(pending.compactMap(\.conflict) == report.conflicts.map(\.reason))
    #expect(report.conflicts.count == (direction == .both ? 0 : 1))
  }

  @Test func `what a server failed at is named until it goes, though it is offered again`() throws {
    let world = World(remoteTraits: World.serverTraits)
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    for uid in ["dentist", "gym"] { world.remote.stumble(over: Href("\(uid).ics"), true) }
    world.set("dentist", "B", on: .local)
    world.set("gym", "-", on: .local)
    let failed = try world.sync().problems.map(\.problem.message)
    #expect(failed == ["the server failed", "the server failed"])
    #expect(try look(at: world).map { $0.problem?.message } == failed)
    world.set("dentist", "C", on: .local)
    let pending = try look(at: world)
    #expect(pending.map { $0.problem?.message } == [nil, "the server failed"])
    for uid in ["dentist", "gym"] { world.remote.stumble(over: Href("\(uid).ics"), false) }
    #expect(try world.sync().problems.isEmpty)
    #expect(try look(at: world).isEmpty)
  }

  private func look(at world: World) throws -> [PendingItem] {
    let look = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: MemoryJournal(world.journal.state), surroundings: world.surroundings,
      digest: sha256, options: SyncOptions())
    return try world.executor.run { try await look.inspect([.local, .remote]).get() }
  }

  private static func options(_ window: SyncWindow?) -> SyncOptions {
    var options = SyncOptions()
    options.window = window
    return options
  }

  @Test(arguments: Side.allCases)
  func `of an item that was only touched it is said that it was`(side: Side) throws {
    let world = World(remoteTraits: World.serverTraits)
    world.set("gym", "A", on: .local)
    _ = try world.sync()
    let text = String(decoding: World.event("gym", "A").bytes, as: UTF8.self)
    let touch = "SEQUENCE:3\r\nLAST-MODIFIED:20260104T000000Z\r\nSUMMARY"
    let touched = text.replacing("SUMMARY", with: touch)
      .replacing("DTSTAMP:20260101", with: "DTSTAMP:20260104")
    world.storage(side).put(Href("gym.ics"), ItemData(bytes: Array(touched.utf8)))
    let engine = world.engine()
    let pending = try world.executor.run { try await engine.inspect([.local, .remote]).get() }
    let item = try #require(pending.first)
    let differences = try world.executor.run { try await engine.differences(of: item).get() }
    let words = "only its revision data (SEQUENCE, LAST-MODIFIED, DTSTAMP)"
    #expect(differences.local.map(\.words) == (side == .local ? [words] : []))
    #expect(differences.remote.map(\.words) == (side == .remote ? [words] : []))
    #expect(differences.between.isEmpty, "the same on both sides, as far as it counts")
  }
}
