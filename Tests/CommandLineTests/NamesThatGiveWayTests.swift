import Foundation
import TestSupport
import Testing

/// What is set together with a new display name, where the name moves the calendar (Zimbra) or
/// gives way.
@Suite struct NamesThatGiveWayTests {
  private static let office = ModelServer.homePath + "Office/"

  /// Two items of a server on which names move calendars, in step.
  private func synced() async throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.renamesMove = true
    let world = try FolderAndCalendar(
      displayName: "Work", color: "#FF8800FF", switches: switches)
    for uid in ["a", "b"] {
      world.model.put("\(uid).ics", event(uid, "Dentist"), in: FolderAndCalendar.path)
    }
    _ = try await world.sync()
    #expect(try world.here() == ["a", "b"])
    return world
  }

  @Test func `a colour that is set together with the name reaches the new address`() async throws {
    let world = try await synced()
    try world.write("displayname", "Office")
    try world.write("color", "#00ff00")
    for _ in 0..<2 { _ = try await world.sync() }
    #expect(world.text("color") == "#00ff00")
    #expect(
      world.model.metadata(of: Self.office) == ["displayname": "Office", "color": "#00FF00FF"])
  }

  @Test func `a colour that comes down in the run that moves the calendar stays`() async throws {
    let world = try await synced()
    try world.write("displayname", "Office")
    try await world.set("a:calendar-color", "#00FF00FF")
    let sync = try await world.sync()
    #expect(
      sync.run.output
        == "p/work: color came down: \"#ff8800\" → \"#00ff00\";"
        + " displayname went up: \"Work\" → \"Office\"\n")
    try await world.expectQuiet()
    #expect(world.text("color") == "#00ff00")
    #expect(
      world.model.metadata(of: Self.office) == ["displayname": "Office", "color": "#00FF00FF"])
  }

  @Test func `the option of a run holds for names, too`() async throws {
    let world = try FolderAndCalendar(displayName: "Work")
    _ = try await world.sync()
    try world.write("displayname", "Mine")
    try await world.set("displayname", "Theirs")
    _ = try await world.sync("--conflict", "local")
    #expect(world.text("displayname") == "Mine")
    #expect(world.model.metadata(of: FolderAndCalendar.path)["displayname"] == "Mine")
  }
}
