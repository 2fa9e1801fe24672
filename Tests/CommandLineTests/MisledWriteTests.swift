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
