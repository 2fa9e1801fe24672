import Foundation
import TestSupport
import Testing

/// `calendar` is changed from one name to another, and back.
@Suite struct ChangedChoiceTests {
  private static let other = ModelServer.homePath + "home/"

  private func world() throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work")
    world.model.makeCalendar("home", displayName: "Home")
    world.model.put("w.ics", event("w", "At work"), in: FolderAndCalendar.path)
    world.model.put("h.ics", event("h", "At home"), in: Self.other)
    return world
  }

  @Test(arguments: [("Work", "Home"), ("work", "home"), ("Work", "home")])
  func `the calendar that is named is meant, also when it was another's turn`(
    first: String, second: String
  ) async throws {
    let world = try world()
    for name in [first, second, first] {
      try world.configure("calendar = \"\(name)\"")
      _ = try await world.sync()
    }
    try world.calgw.write("calendars/n.ics", event("n", "New"))
    let sync = try await world.sync()
    #expect(sync.writes.allSatisfy { $0.target.hasPrefix(FolderAndCalendar.path) })
    #expect(world.there().contains("n") && !world.there(Self.other).contains("n"))
    #expect(try await world.sync().run.output == "p/calendars: nothing to do\n")
  }

  /// The pair has had several folders before: the one of another calendar is none of it.
  @Test func `one calendar in a directory of its own takes nothing from the others`() async throws {
    let world = try world()
    _ = try await world.sync()
    try world.calgw.write("elsewhere/color", "#112233\n")
    try world.calgw.configure(
      server: world.server.url, folder: "~/elsewhere", pair: "calendar = \"work\"")
    let run = try await world.calgw("sync")
    #expect(run.status == 0 && run.output.contains("p/elsewhere: down: 1 new"), "\(run)")
    try world.configure()
    try FileManager.default.removeItem(atPath: world.calgw.home + "/calendars/home/h.ics")
    #expect(try await world.calgw("sync").status == 0)
    #expect(world.there(Self.other).isEmpty, "what was deleted in home does not come back")
    #expect(world.there() == ["w"])
  }

  @Test func `a folder keeps its calendar while a directory elsewhere has it, too`() async throws {
    let world = try world()
    let paths = world.model.calendarPaths
    try world.configure("collections = [{ x = \"work\" }]")
    _ = try await world.sync()
    try world.calgw.write("elsewhere/color", "#112233\n")
    try world.calgw.configure(
      server: world.server.url, folder: "~/elsewhere", pair: "calendar = \"work\"")
    #expect(try await world.calgw("sync").status == 0)
    try world.configure()
    for _ in 0..<2 { _ = try await world.calgw("sync") }
    #expect(world.model.calendarPaths == paths, "none is made beside the one that it has")
    try world.calgw.write("calendars/x/n.ics", event("n", "New"))
    _ = try await world.calgw("sync")
    #expect(world.there() == ["n", "w"])
  }

  /// By name, by id, by path: what the folder had is there, so a text that nothing answers to is a
  /// slip, and no name of a new calendar into which everything would go once more.
  @Test(arguments: ["Work", "work", FolderAndCalendar.path])
  func `a misspelt name makes no second calendar`(right: String) async throws {
    let world = try world()
    let paths = world.model.calendarPaths
    try world.configure("calendar = \"\(right)\"")
    _ = try await world.sync()
    try world.configure("calendar = \"Wrok\"")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      let words = run.output + run.errors
      #expect(run.status == 1 && words.contains("`calendar` is \"Wrok\""), "\(run)")
      #expect(words.contains("calgw discover") && !words.contains("is gone"), "\(words)")
    }
    #expect(world.model.calendarPaths == paths)
    try world.configure("calendar = \"\(right)\"")
    #expect(try await world.sync().run.output == "p/calendars: nothing to do\n")
  }
}
