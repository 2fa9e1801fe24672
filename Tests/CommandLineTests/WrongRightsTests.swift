import TestSupport
import Testing

/// A calendar of which the server says that it may only be read.
@Suite struct WrongRightsTests {
  /// With an item in the folder.
  private func world(_ keys: String, refuses: Bool = false) throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.advertisesReadOnly = true
    switches.refusesWrites = refuses
    let world = try FolderAndCalendar(switches: switches)
    try world.configure(keys)
    try world.calgw.write("calendars/work/a.ics", event("a", "A"))
    return world
  }

  @Test func `nothing is sent to it`() async throws {
    let world = try world("")
    let run = try await world.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("set read_only = false"), "\(run.errors)")
    #expect(world.model.count("PUT") == 0)
  }

  @Test func `with read_only = false it is tried, and takes all`() async throws {
    let world = try world("read_only = false")
    let run = try await world.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(world.there(FolderAndCalendar.path) == ["a"])
  }

  @Test func `what it refuses then is named in each run, and sent once`() async throws {
    let world = try world("read_only = false", refuses: true)
    for _ in 0..<3 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
    }
    #expect(world.model.count("PUT") == 1)
    #expect(world.text("a.ics") == event("a", "A"))
  }
}
