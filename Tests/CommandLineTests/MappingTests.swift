import Foundation
import TestSupport
import Testing

/// A mapping in `collections` that a person changes between two runs.
@Suite struct MappingTests {
  private static let other = ModelServer.homePath + "rr2/"

  /// The folder `work` and the calendar `work`, in step by a mapping, and another calendar.
  private func synced(
    _ name: String = "work", displayName: String? = nil, _ switches: ModelSwitches = ModelSwitches()
  ) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: displayName, switches: switches)
    world.model.makeCalendar("rr2", displayName: "Second")
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    try world.map(to: name)
    _ = try await world.sync()
    try await world.expectQuiet()
    return world
  }

  @Test(arguments: ["rr2", "Second"])
  func `one to another calendar counts at once, as a first sync`(name: String) async throws {
    let world = try await synced()
    world.model.put("z.ics", event("z", "There"), in: Self.other)
    try world.map(to: name)
    let sync = try await world.sync()
    #expect(sync.run.errors.contains("p/work is another place than in the last run"))
    #expect(world.there() == ["a"])
    #expect(world.there(Self.other) == ["a", "z"])
    #expect(try world.here().count == 2)
    try world.write("a.ics", event("a", "Moved"))
    let later = try await world.sync()
    #expect(later.writes.allSatisfy { $0.target.hasPrefix(Self.other) })
    #expect(later.run.errors.isEmpty, "\(later.run.errors)")
    try await world.expectQuiet()
  }

  @Test func `one to another calendar holds back no item that was no meeting`() async throws {
    let world = try await synced()
    try world.map(to: "rr2")
    #expect(try await world.calgw("pull").status == 0)
    let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"
    let meeting = event("a", "Dentist").replacing("END:VEVENT", with: "\(people)END:VEVENT")
    try world.write("a.ics", meeting)
    _ = try await world.sync()
    #expect(world.there(Self.other) == ["a"], "a person made a meeting of it since")
  }

  @Test func `one to another calendar invites nobody anew without a word`() async throws {
    let world = try await synced()
    let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"
    let meeting = event("m", "Choir").replacing("END:VEVENT", with: "\(people)END:VEVENT")
    try world.write("m.ics", meeting)
    _ = try await world.sync()
    let mails = world.model.mails
    #expect(mails == 1)
    try world.map(to: "rr2")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1)
      #expect(run.errors.contains("it has attendees and is new to the server"), "\(run.errors)")
      #expect(world.there(Self.other) == ["a"], "the other one goes")
    }
    #expect(world.model.mails == mails)
    try world.write("new.ics", meeting.replacing("UID:m", with: "UID:n"))
    #expect(try await world.calgw("sync").status == 1)
    #expect(world.there(Self.other) == ["a", "n"], "a person made it for this calendar")
    try world.map(to: "rr2", "invitations = \"server\"")
    _ = try await world.sync()
    #expect(world.there(Self.other) == ["a", "m", "n"])
  }

  @Test func `a meeting that is all there was waits in later runs, too`() async throws {
    let world = try FolderAndCalendar()
    world.model.makeCalendar("rr2", displayName: "Second")
    let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"
    try world.map(to: "work")
    try world.write(
      "m.ics", event("m", "Choir").replacing("END:VEVENT", with: "\(people)END:VEVENT"))
    _ = try await world.sync()
    try world.map(to: "rr2")
    #expect(try await world.calgw("sync").status == 1)
    try world.write("x.ics", event("x", "Dentist"))
    for _ in 0..<3 { #expect(try await world.calgw("sync").status == 1) }
    #expect(world.there(Self.other) == ["x"])
    #expect(world.model.mails == 1)
  }

  @Test func `one to a calendar that is not there is said, and nothing goes anywhere`()
    async throws
  {
    let world = try await synced()
    try world.map(to: "nowhere")
    try world.write("a.ics", event("a", "Moved"))
    for command in ["sync", "status"] {
      let run = try await world.calgw(command)
      let words = run.output + run.errors
      #expect(words.contains("maps work to \"nowhere\""), "\(words)")
      #expect(words.contains("[collection-gone]"), "\(words)")
      if command == "sync" { #expect(run.status == 1 && words.contains("calgw forget p/work")) }
    }
    #expect(world.model.items(in: FolderAndCalendar.path).values.first == text("Dentist"))
    #expect(world.model.calendarPaths.count == 2)
    try world.map(to: "work")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: up: 1 changed\n")
    #expect(sync.run.errors.isEmpty, "what was agreed on is still known: \(sync.run.errors)")
  }

  @Test(arguments: [true, false])
  func `one by a display name follows the calendar to its next names`(renamesMove: Bool)
    async throws
  {
    var switches = ModelSwitches()
    switches.renamesMove = renamesMove
    let world = try await synced("Work", displayName: "Work", switches)
    for (before, name) in [("Work", "Office"), ("Office", "Desk")] {
      try world.write("displayname", name)
      let sync = try await world.sync()
      #expect(sync.run.output == "p/work: displayname went up: \"\(before)\" → \"\(name)\"\n")
      #expect(!sync.run.errors.contains("another place"), "\(sync.run.errors)")
      try await world.expectQuiet()
    }
    #expect(try world.folders() == ["work"])
  }

  // MARK: Taken out, and written again

  @Test func `one that is written again when its folder has another calendar holds anew`()
    async throws
  {
    let world = try await synced("rr2")
    world.model.put("z.ics", event("z", "There"), in: Self.other)
    _ = try await world.sync()
    try world.configure("collections = [\"work\"]")
    #expect(try await world.calgw("forget", "p/work").status == 0)
    _ = try await world.sync()
    #expect(world.there() == ["a", "z"])
    try world.map(to: "rr2")
    let sync = try await world.sync()
    #expect(sync.run.errors.contains("p/work is another place than in the last run"))
    #expect(world.there(Self.other) == ["a", "z"])
    try world.write("b.ics", event("b", "Later"))
    _ = try await world.sync()
    #expect(world.there(Self.other) == ["a", "b", "z"])
    #expect(world.there() == ["a", "z"])
  }

  @Test func `one that is written again after a run without it means what is called so by now`()
    async throws
  {
    let world = try await synced("Second")
    try world.configure("collections = [\"Second\"]")
    #expect(try await world.sync().run.output == "p/work: nothing to do\n")
    world.model.setDisplayName("Third", of: Self.other)
    let path = world.model.makeCalendar("rr3", displayName: "Second")
    world.model.put("z.ics", event("z", "There"), in: path)
    try world.map(to: "Second")
    let sync = try await world.sync()
    #expect(sync.run.errors.contains("p/work is another place than in the last run"))
    #expect(try world.here() == ["z"])
  }

  // MARK: Names of two, folders of one

  @Test func `one to a name that two calendars have is status 78, and the rest is synced`()
    async throws
  {
    let world = try FolderAndCalendar()
    world.model.makeCalendar("rr2", displayName: "Second")
    world.model.makeCalendar("rr3", displayName: "Second")
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    try world.calgw.write("calendars/mine/z.ics", event("z", "Here"))
    try world.configure("collections = [\"*\", { mine = \"Second\" }]")
    for command in ["sync", "sync", "status"] {
      let run = try await world.calgw(command)
      #expect(run.status == 78, "\(run.output) \(run.errors)")
      for words in ["maps mine to \"Second\"", Self.other, "{ mine = \"rr2\" }", "\"rr3\""] {
        #expect(run.errors.contains(words), "\(run.errors)")
      }
      #expect(try world.folders() == ["mine", "work"])
    }
    #expect(try world.here() == ["a"])
    #expect(world.model.calendarPaths.count == 3)
    #expect(world.there(Self.other) == [] && world.there(ModelServer.homePath + "rr3/") == [])
    try world.configure("collections = [\"!rr3\", \"*\", { mine = \"rr2\" }]")
    _ = try await world.sync()
    #expect(world.there(Self.other) == ["z"])
  }

  @Test func `one by a name that another calendar gets, too, stays with what it joined`()
    async throws
  {
    let world = try await synced("Work", displayName: "Work")
    world.model.makeCalendar("new", displayName: "Work")
    for _ in 0..<2 {
      let sync = try await world.sync()
      #expect(sync.run.output == "p/work: nothing to do\n" && sync.run.errors.isEmpty)
    }
  }

  @Test(arguments: ["office", "zoo"])
  func `one that gives a calendar to another folder holds in later runs, too`(folder: String)
    async throws
  {
    let world = try FolderAndCalendar()
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    try world.configure("collections = [{ \(folder) = \"work\" }]")
    for output in ["down: 1 new", "nothing to do"] {
      let sync = try await world.sync()
      #expect(sync.run.output.hasPrefix("p/\(folder): "), "\(sync.run.output)")
      #expect(sync.run.output.hasSuffix("\(output)\n"), "\(sync.run.output)")
      #expect(!sync.run.output.contains("p/work"), "\(sync.run.output)")
      #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    }
    try world.configure("collections = [\"*\", { \(folder) = \"work\" }]")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      let words = run.output + run.errors
      #expect(run.status == 1 && words.contains("work is no longer synced"), "\(words)")
      #expect(words.contains("goes to \(folder) now") && !words.contains("is gone"), "\(words)")
      #expect(words.contains("\"!work\"") && !words.contains("forget"), "\(words)")
    }
    // Taken back, it has given the calendar all the same.
    try world.configure()
    for _ in 0..<3 {
      let run = try await world.calgw("sync")
      let words = run.output + run.errors
      #expect(words.contains("work is no longer synced"), "\(words)")
      #expect(words.contains("goes to \(folder) now"), "\(words)")
    }
    try world.configure("collections = [\"*\", \"!work\", { \(folder) = \"work\" }]")
    #expect(try await world.sync().run.output == "p/\(folder): nothing to do\n")
    #expect(try world.here() == ["a"] && world.there() == ["a"])
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
  }

  /// Each of two folders has had the calendar by a mapping.
  @Test(arguments: [("office", "zoo"), ("zoo", "office")])
  func `the last one that gave a calendar holds when it is taken back`(
    first: String, last: String
  ) async throws {
    let world = try FolderAndCalendar()
    for uid in ["a", "b"] {
      world.model.put("\(uid).ics", event(uid, uid), in: FolderAndCalendar.path)
    }
    for folder in [first, last] {
      try world.configure("collections = [{ \(folder) = \"work\" }]")
      _ = try await world.sync()
    }
    try world.configure()
    for _ in 0..<3 {
      let run = try await world.calgw("sync")
      #expect(run.errors.contains("goes to \(last) now"), "\(run.errors)")
      try? FileManager.default.removeItem(
        atPath: "\(world.calgw.home)/calendars/\(first)/a.ics")
    }
    #expect(world.there() == ["a", "b"])
  }

  private func text(_ summary: String) -> [UInt8] { Array(event("a", summary).utf8) }
}

extension FolderAndCalendar {
  fileprivate func map(to name: String, _ more: String = "") throws {
    try configure("collections = [{ work = \"\(name)\" }]\n\(more)")
  }
}
