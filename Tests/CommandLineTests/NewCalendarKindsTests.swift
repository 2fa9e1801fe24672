import TestSupport
import Testing

/// What a calendar is asked to take that is made for a folder.
@Suite struct NewCalendarKindsTests {
  /// A folder with items of some kinds, and no calendar yet.
  private func world(
    _ kinds: [String], keys: String = "", change: (inout ModelSwitches) -> Void
  ) throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.usualKinds = ["VEVENT"]
    switches.enforcesComponents = true
    change(&switches)
    let world = try FolderAndCalendar(switches: switches)
    world.model.makeCalendar("other")
    world.model.removeCalendar(FolderAndCalendar.path)
    try world.configure("collections = [\"work\"]\n\(keys)")
    for kind in kinds {
      let text = event(kind, "A title").replacing("VEVENT", with: kind)
      try world.write("\(kind).ics", text.replacing("UID:\(kind)", with: "UID:\(kind)-1"))
    }
    return world
  }

  @Test(arguments: [
    ["VEVENT"], ["VTODO"], ["VJOURNAL"], ["VEVENT", "VTODO"], ["VJOURNAL", "VTODO"],
  ])
  func `a calendar takes what the folder holds`(kinds: [String]) async throws {
    let world = try world(kinds) { _ in }
    let sync = try await world.sync()
    #expect(sync.methods.filter { $0 == "MKCALENDAR" }.count == 1)
    #expect(world.there() == kinds.map { "\($0)-1" }.sorted())
    try await world.expectQuiet()
  }

  @Test(arguments: ["VEVENT", "VTODO", "VJOURNAL"])
  func `one kind goes up to a server that wants one a calendar, too`(kind: String) async throws {
    let world = try world([kind]) { $0.mostKinds = 1 }
    _ = try await world.sync()
    #expect(world.there() == ["\(kind)-1"])
    try await world.expectQuiet()
  }

  @Test func `events may be joined by to-dos later`() async throws {
    let world = try world(["VEVENT"]) { _ in }
    _ = try await world.sync()
    try world.write("t.ics", event("t", "Later").replacing("VEVENT", with: "VTODO"))
    _ = try await world.sync()
    #expect(world.there() == ["VEVENT-1", "t"])
  }

  @Test func `what the pair does not sync is not asked for`() async throws {
    let world = try world(["VEVENT"], keys: "components = [\"VEVENT\"]") { $0.mostKinds = 1 }
    let sync = try await world.sync()
    #expect(sync.methods.filter { ["MKCALENDAR", "MKCOL"].contains($0) } == ["MKCALENDAR"])
  }

  @Test func `what a server that wants one kind does not take is named`() async throws {
    let world = try world(["VEVENT", "VTODO"]) { $0.mostKinds = 1 }
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("takes no VTODO"), "\(run.errors)")
    #expect(world.there() == ["VEVENT-1"])
  }

  @Test func `no calendar is made that takes nothing of the folder`() async throws {
    let world = try world(["VJOURNAL"]) { $0.mostKinds = 0 }
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 73, "\(run.errors)")
      #expect(run.errors.contains("as one that takes VJOURNAL"), "\(run.errors)")
      #expect(world.model.calendarPaths == [ModelServer.homePath + "other/"])
    }
  }

  @Test func `no calendar is made for a folder of what the pair does not sync`() async throws {
    let world = try world(["VTODO"], keys: "components = [\"VEVENT\"]") { _ in }
    let run = try await world.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(world.model.calendarPaths == [ModelServer.homePath + "other/"])
    try world.write("e.ics", event("e", "An event"))
    _ = try await world.sync()
    #expect(world.there() == ["e"])
    try await world.expectQuiet()
  }
}
