import TestSupport
import Testing

/// A server that leads a change of an item to the calendar.
@Suite struct MisledWriteTests {
  private static let names = ["a", "b", "c", "d", "e", "f"]

  private func world() async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar()
    for name in Self.names { try world.write("\(name).ics", event(name, name)) }
    _ = try await world.sync()
    return world
  }

  private let detour = ModelFault.answer(301, headers: [["Location", FolderAndCalendar.path]])

  @Test func `an item whose deletion is led to its calendar is named, and goes another time`()
    async throws
  {
    let world = try await world()
    try world.remove("a.ics")
    world.model.plan(detour, for: "DELETE")
    let sync = try await world.sync(status: 1)
    #expect(sync.run.errors.contains("is not followed"), "\(sync.run.errors)")
    #expect(sync.run.errors.contains("set the account's url"), "\(sync.run.errors)")
    #expect(sync.writes.count == 1 && sync.writes[0].target.hasSuffix(".ics"))
    #expect(world.there() == Self.names)
    _ = try await world.sync()
    #expect(world.there() == Array(Self.names.dropFirst()))
    try await world.expectQuiet()
  }

  /// What a server refuses is named by UID and file, also where the file is what is gone.
  @Test func `a deletion that is refused is named by the file that was deleted`() async throws {
    let world = try await world()
    try world.remove("a.ics")
    world.model.plan(.answer(403), for: "DELETE", times: 9)
    let names = #""uid":"a","file":"a.ics""#
    for _ in 0..<2 {
      let sync = try await world.sync(["--json"], status: 1)
      #expect(sync.run.output.contains(names), "\(sync.run.output)")
    }
    let status = try await world.calgw("status", "--json")
    #expect(status.output.contains(names), "\(status.output)")
  }

  @Test func `an edit that is led to the calendar is named as long as it is`() async throws {
    let world = try await world()
    try world.write("a.ics", event("a", "Edited"))
    world.model.plan(detour, for: "PUT", times: 100)
    let sync = try await world.sync(status: 1)
    #expect(sync.run.errors.contains("is not followed"), "\(sync.run.errors)")
    #expect(sync.writes.allSatisfy { $0.target.hasSuffix(".ics") })
    #expect(world.there() == Self.names)
  }

  @Test func `an edit that was led to the calendar once goes in the next run`() async throws {
    let world = try await world()
    try world.write("a.ics", event("a", "Edited"))
    world.model.plan(detour, for: "PUT")
    _ = try await world.sync(status: 1)
    let next = try await world.sync()
    #expect(next.run.output.contains("up: 1 changed"), "\(next.run.output)")
    try await world.expectQuiet()
  }
}
