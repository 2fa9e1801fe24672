import Foundation
import TestSupport
import Testing

/// What a configuration names and what a folder holds, where no calendar comes of it.
@Suite struct UnmetNamesTests {
  @Test(arguments: [
    "collections = [\"nosuch\"]", "collections = [{ w = \"nosuch\" }]", "calendar = \"nosuch\"",
  ])
  func `a name that means nothing is told, with those that there are`(keys: String) async throws {
    let world = try FolderAndCalendar()
    try world.configure(keys)
    for command in ["sync", "status"] {
      let run = try await world.calgw(command)
      let words = run.output + run.errors
      #expect(words.contains("names \"nosuch\""), "\(words)")
      #expect(words.contains("has \"work\""), "\(words)")
      if command == "sync" { #expect(run.status == 1) }
    }
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
  }

  @Test func `a name of what is gone from both sides is told as one that nothing ever had`()
    async throws
  {
    let world = try FolderAndCalendar(displayName: "Unsere Arbeit")
    try world.configure("collections = [\"Unsere Arbeit\"]")
    _ = try await world.sync()
    #expect(try world.folders() == ["work"])
    world.model.removeCalendar(FolderAndCalendar.path)
    try FileManager.default.removeItem(atPath: world.calgw.home + "/calendars/work")
    for command in ["sync", "status"] {
      let run = try await world.calgw(command)
      let words = run.output + run.errors
      #expect(words.contains("names \"Unsere Arbeit\", and there is no such"), "\(words)")
      #expect(words.contains("[collection-gone]"), "\(words)")
      // Without that none would be made for the folder.
      #expect(words.contains("run `calgw forget p/work` and put an item into"), "\(words)")
      if command == "sync" { #expect(run.status == 1) }
    }
    try world.configure("collections = [\"*\"]")
    _ = try await world.sync()
    try world.configure("collections = [\"work\"]")
    #expect(try await world.calgw("forget", "p/work").status == 0)
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    #expect(world.model.calendarPaths.count == 1)
  }

  @Test func `a pattern that nothing has is no mistake`() async throws {
    let world = try FolderAndCalendar()
    try world.configure("collections = [\"wo*\", \"team-*\"]")
    let sync = try await world.sync()
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(try world.folders() == ["work"])
  }

  @Test func `a broken file in a new folder is named, and no calendar is made for it`()
    async throws
  {
    let world = try FolderAndCalendar()
    try world.calgw.write("calendars/new/cut.ics", "BEGIN:VCALENDAR\r\n")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("cut.ics"), "\(run.errors)")
    }
    let status = try await world.calgw("status")
    #expect(status.output.contains("cut.ics"), "\(status.output)")
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
    try world.calgw.write("calendars/new/cut.ics", event("cut", "Whole"))
    _ = try await world.sync()
    #expect(world.model.calendarPaths.count == 2)
  }

  @Test func `a subscription cannot be pushed to, and the command says why`() async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.p]\nlocal = \"~/cal\"\nremote = { ics = \"https://example.org/x.ics\" }\n")
    let run = try await calgw("push", "p")
    #expect(run.status == 64)
    #expect(run.errors.contains("is a subscription and read-only"), "\(run.errors)")
    #expect(!calgw.exists("cal"))
  }

  @Test func `a conflict that is settled says that mail may have gone out`() async throws {
    let world = try FolderAndCalendar()
    try world.configure("conflict = \"ask\"")
    func meeting(_ title: String) -> String {
      let people = "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\n"
      return event("m", title).replacing("END:VEVENT", with: "\(people)END:VEVENT")
    }
    world.model.put("m.ics", meeting("Choir"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    try world.write("m.ics", meeting("Mine"))
    world.model.put("m.ics", meeting("Theirs"), in: FolderAndCalendar.path)
    #expect(try await world.calgw("sync").status == 1)
    let run = try await world.calgw("resolve", "m", "--take", "local")
    #expect(run.status == 0, "\(run.errors)")
    let words = "the server may have sent invitations or updates for 1 item"
    #expect(run.errors.contains(words), "\(run.errors)")
  }
}
