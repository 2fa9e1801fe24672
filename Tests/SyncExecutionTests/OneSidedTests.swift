import SyncExecution
import SyncModel
import TestSupport
import Testing

/// An edit on one side, where the server keeps the item in a form of its own.
@Suite struct OneSidedTests {
  private static let href = Href("dentist.ics")

  private static func changed(_ data: ItemData, _ changes: [(String, String)]) -> ItemData {
    var text = String(decoding: data.bytes, as: UTF8.self)
    for (old, new) in changes { text = text.replacing(old, with: new) }
    return ItemData(bytes: Array(text.utf8))
  }

  /// Both sides have an event with these lines, the server with changes of its own.
  private func synced(_ lines: String, _ form: [(String, String)]) throws -> World {
    let world = World { Self.changed($0, form) }
    let event = World.event("dentist", "AAAF")
    world.local.put(Self.href, Self.changed(event, [("END:VEVENT", lines + "END:VEVENT")]))
    _ = try world.sync()
    return world
  }

  /// Somebody edits what is on a side; the run after the next has nothing to do.
  private func edit(_ world: World, _ old: String, _ new: String, on side: Side) throws {
    world.executor.advance(60_000)
    let there = try #require(world.storage(side).items[Self.href])
    world.storage(side).put(Self.href, Self.changed(there, [(old, new)]))
    let report = try world.sync()
    #expect(report.problems.isEmpty && report.conflicts.isEmpty)
    let writes = world.writes
    #expect(try world.sync().actions.isEmpty)
    #expect(world.writes == writes)
  }

  private func lines(_ world: World, _ name: String, on side: Side) -> [String] {
    let bytes = world.storage(side).items[Self.href]?.bytes ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
      .filter { $0.hasPrefix(name) }
  }

  @Test func `what the server cut off stays here as its list changes on both sides`() throws {
    let world = try synced(
      "COMMENT:one\r\nCOMMENT:call Anna, then Bo\r\n", [(", then Bo", "")])
    #expect(lines(world, "COMMENT", on: .remote) == ["COMMENT:one", "COMMENT:call Anna"])
    try edit(world, "COMMENT:one", "COMMENT:one\r\nCOMMENT:new", on: .remote)
    #expect(
      lines(world, "COMMENT", on: .local) == [
        "COMMENT:one", "COMMENT:call Anna, then Bo", "COMMENT:new",
      ])
    try edit(world, "COMMENT:one\r\n", "", on: .local)
    #expect(lines(world, "COMMENT", on: .remote) == ["COMMENT:new", "COMMENT:call Anna"])
  }

  @Test func `what the server added stays there as its list changes here`() throws {
    let world = try synced(
      "CATEGORIES:A\r\n", [("CATEGORIES:A\r\n", "CATEGORIES:A\r\nCATEGORIES;X-ID=1:Own\r\n")])
    try edit(world, "CATEGORIES:A", "CATEGORIES:A,B", on: .local)
    #expect(lines(world, "CATEGORIES", on: .remote) == ["CATEGORIES:A,B", "CATEGORIES;X-ID=1:Own"])
    #expect(lines(world, "CATEGORIES", on: .local) == ["CATEGORIES:A,B"])
  }

  @Test func `a time in a zone that the server calls by a name of its own brings its definition`()
    throws
  {
    let world = try synced("", [("Europe/Vienna", "Custom Vienna")])
    try edit(world, "20260105T100500", "20260105T080500", on: .remote)
    #expect(
      lines(world, "DTSTART;", on: .local) == ["DTSTART;TZID=Custom Vienna:20260105T080500"])
    #expect(lines(world, "TZID:Custom", on: .local) == ["TZID:Custom Vienna"])
  }
}
