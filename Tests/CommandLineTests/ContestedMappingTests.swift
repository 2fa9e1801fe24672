import TestSupport
import Testing

/// Mappings in `collections` that mean one calendar, or an address that has none: nothing is made
/// of them, and no calendar gets what belongs to another one.
@Suite struct ContestedMappingTests {
  private static let home = ModelServer.homePath + "home/"

  @Test(arguments: ["work", "Work", FolderAndCalendar.path], [true, false])
  func `two to one calendar are status 78, and nothing is made`(text: String, hasItem: Bool)
    async throws
  {
    let world = try FolderAndCalendar(displayName: "Work")
    world.model.put("w.ics", event("w", "There"), in: FolderAndCalendar.path)
    world.model.makeCalendar("home", displayName: nil)
    if hasItem { try world.calgw.write("calendars/b/y.ics", event("y", "Here")) }
    try world.configure("collections = [{ a = \"work\" }, { b = \"\(text)\" }, \"home\"]")
    for command in [["sync", "--dry-run"], ["sync"], ["sync"], ["status"]] {
      let run = try await world.calgw.run(command)
      #expect(run.status == 78, "\(run.output) \(run.errors)")
      for words in ["{ a = \"work\" }", "{ b = \"\(text)\" }", "a is left alone", "b is left"] {
        #expect(run.errors.contains(words), "\(run.errors)")
      }
    }
    #expect(try world.folders() == (hasItem ? ["b", "home"] : ["home"]), "the rest is synced")
    #expect(world.model.calendarPaths == [Self.home, FolderAndCalendar.path])
    #expect(world.there() == ["w"])
    try world.configure("collections = [{ a = \"home\" }, { b = \"\(text)\" }]")
    let run = try await world.calgw("sync", "p/b")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(world.there() == (hasItem ? ["w", "y"] : ["w"]))
  }

  @Test func `one that is changed to the calendar of another waits, with what it had`()
    async throws
  {
    let world = try FolderAndCalendar(displayName: "Work")
    world.model.makeCalendar("home", displayName: "Home")
    world.model.put("w.ics", event("w", "There"), in: FolderAndCalendar.path)
    world.model.put("h.ics", event("h", "At home"), in: Self.home)
    func map(b text: String) throws {
      try world.configure("collections = [{ a = \"work\" }, { b = \"\(text)\" }]")
    }
    try map(b: "home")
    _ = try await world.sync()
    try world.calgw.write("calendars/a/x.ics", event("x", "New"))
    try world.calgw.write("calendars/b/y.ics", event("y", "New at home"))
    for text in ["work", "Work"] {
      try map(b: text)
      let run = try await world.calgw("sync")
      #expect(run.status == 78, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("a has it from earlier runs"), "\(run.errors)")
      #expect(!run.errors.contains("a is left alone"), "\(run.errors)")
      #expect(world.there() == ["w", "x"], "what stands goes on")
      #expect(world.there(Self.home) == ["h"])
    }
    #expect(world.calgw.exists("calendars/b/h.ics"))
    try map(b: "home")
    let sync = try await world.sync()
    #expect(sync.run.output.contains("p/b: up: 1 new"), "\(sync.run.output)")
    #expect(sync.run.errors.isEmpty, "what was agreed on is still known: \(sync.run.errors)")
    #expect(world.there(Self.home) == ["h", "y"])
  }

  @Test(arguments: [ModelServer.homePath + "nosuch/", "https://example.org/dav/"])
  func `one to an address that has none makes no calendar of that name`(text: String)
    async throws
  {
    let world = try FolderAndCalendar()
    try world.calgw.write("calendars/b/y.ics", event("y", "Here"))
    try world.configure("collections = [{ b = \"\(text)\" }]")
    for command in ["sync", "sync", "status"] {
      let run = try await world.calgw(command)
      let words = run.output + run.errors
      #expect(words.contains("`collections` names \"\(text)\""), "\(words)")
      #expect(words.contains("has \"work\""), "\(words)")
      #expect(!words.contains("to have one made"), "an item makes none: \(words)")
      if command == "sync" { #expect(run.status == 1) }
    }
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
    #expect(world.there() == [])
    #expect(try world.folders() == ["b"])
    try world.configure("collections = [{ b = \"\(FolderAndCalendar.path)\" }]")
    _ = try await world.sync()
    #expect(world.there() == ["y"])
  }

  @Test func `one that is changed to an address that has none is told no way to make it`()
    async throws
  {
    let world = try FolderAndCalendar()
    world.model.put("w.ics", event("w", "There"), in: FolderAndCalendar.path)
    try world.configure("collections = [{ b = \"work\" }]")
    _ = try await world.sync()
    try world.configure("collections = [{ b = \"\(ModelServer.homePath)nosuch/\" }]")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      let words = run.output + run.errors
      #expect(run.status == 1 && words.contains("b is left alone"), "\(words)")
      #expect(!words.contains("to have it made"), "\(words)")
    }
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
  }
}
