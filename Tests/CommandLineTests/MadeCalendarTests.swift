import Foundation
import TestSupport
import Testing

/// What becomes of the names and items of a calendar that a server makes in its own way.
@Suite struct MadeCalendarTests {
  /// Folders with a name and a colour of their own, and without; and a server that has no calendar.
  private func world(
    keys: String = "", change: (inout ModelSwitches) -> Void
  ) throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    change(&switches)
    let world = try FolderAndCalendar(switches: switches)
    world.model.removeCalendar(FolderAndCalendar.path)
    try world.configure(keys)
    try world.write("a.ics", event("a", "A"))
    try world.write("displayname", "Meine Arbeit")
    try world.write("color", "#ff0000")
    try world.calgw.write("calendars/Neue Sachen/b.ics", event("b", "B"))
    return world
  }

  private func names(_ world: FolderAndCalendar) async throws -> [String] {
    let found = try await world.calgw("discover", "--json").output
    return found.matches(of: /"name":"([^"]*)"/).map { String($0.1) }.sorted()
  }

  /// One that calls a calendar as it likes, or not at all, until somebody sets the name: that is no
  /// change by a person.
  @Test(
    arguments: [("New Calendar", "#888888FF"), (nil, nil)] as [(String?, String?)],
    ["merge", "local", "remote", "ask"])
  func `a made calendar gets the names that it was asked for`(
    own: (name: String?, color: String?), policy: String
  ) async throws {
    let world = try world(keys: "conflict = \"\(policy)\"") { $0.newCalendar = own }
    let run = try await world.calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(try await names(world) == ["Meine Arbeit", "Neue Sachen"])
    #expect(world.text("displayname") == "Meine Arbeit")
    #expect(world.text("color") == "#ff0000")
    #expect(!world.calgw.exists("calendars/Neue Sachen/displayname"))
    let next = try await world.calgw("sync")
    #expect(next.status == 0 && next.errors.isEmpty, "\(next.errors)")
    #expect(try await names(world) == ["Meine Arbeit", "Neue Sachen"])
    // From then on another name there is somebody's.
    try await world.set("displayname", "Job")
    #expect(try await world.calgw("sync").status == 0)
    #expect(world.text("displayname") == "Job")
  }

  /// OX App Suite has the address that was asked for as another one of the calendar, and lists it
  /// by its own alone.
  @Test func `a calendar that is listed by another address than was asked for stays the folder's`()
    async throws
  {
    let world = try world { $0.listsCalendarsElsewhere = true }
    #expect(try await world.sync().run.errors.isEmpty)
    for _ in 0..<2 {
      let next = try await world.sync()
      #expect(next.run.errors.isEmpty && next.writes.isEmpty, "\(next.run.errors)")
    }
    #expect(world.model.calendarPaths.count == 2)
    #expect(try await names(world) == ["Meine Arbeit", "Neue Sachen"])
    #expect(try world.folders() == ["Neue Sachen", "work"])
  }

  /// Google and others store under a name of their own; without Location nobody is told, and what
  /// they drop or add is no person's edit either.
  @Test(arguments: ["merge", "ask", "newest", "local", "remote"])
  func `a new item is followed to the name that the server gives it`(policy: String) async throws {
    var switches = ModelSwitches()
    switches.choosesNames = true
    switches.tellsNames = false
    switches.putTag = .none
    switches.dropsExtensions = true
    switches.addsStamps = true
    let world = try FolderAndCalendar(switches: switches)
    try world.configure("conflict = \"\(policy)\"")
    _ = try await world.sync()
    let text = event("a", "A").replacing("SUMMARY:A", with: "X-MINE:1\r\nSUMMARY:A")
    try world.write("a.ics", text)
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: up: 1 new\n", "\(sync.run.output)")
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(sync.writes.map(\.method) == ["PUT"])
    try await world.expectQuiet()
    #expect(world.there() == ["a"])
    #expect(world.text("a.ics") == text)
    // And an edit goes to where it lies.
    try world.write("a.ics", text.replacing("SUMMARY:A", with: "SUMMARY:B"))
    #expect(try await world.sync().run.output == "p/work: up: 1 changed\n")
    #expect(world.there() == ["a"])
  }

  /// What it says of guests is news, and no edit that meets the person's own.
  @Test func `so is a meeting whose guests the server fills in`() async throws {
    var switches = ModelSwitches()
    switches.choosesNames = true
    switches.tellsNames = false
    switches.fillsInAttendees = true
    let world = try FolderAndCalendar(switches: switches)
    _ = try await world.sync()
    let guests = [
      "ORGANIZER:mailto:ann@example.org", "ATTENDEE;RSVP=TRUE:mailto:bob@example.org",
      "ATTENDEE;RSVP=TRUE;ROLE=CHAIR:mailto:zoe@example.org",
    ]
    let text = event("a", "A").replacing(
      "SUMMARY:A", with: guests.joined(separator: "\r\n") + "\r\nSUMMARY:A")
    try world.write("a.ics", text)
    let sync = try await world.sync()
    #expect(sync.run.status == 0, "\(sync.run.errors)")
    #expect(sync.run.output.contains("up: 1 new"), "\(sync.run.output)")
    #expect(sync.writes.map(\.method) == ["PUT"])
    try await world.expectQuiet()
    #expect(world.there() == ["a"])
    let file = try #require(world.text("a.ics"))
    #expect(file.contains("RSVP=TRUE") && !file.contains("CN=Known"), "\(file)")
    #expect(file.contains("SCHEDULE-STATUS=1.1"), "\(file)")
  }

  /// Of the report, or of a token that is not known any more.
  @Test func `a report that is not found says nothing of the calendar`() async throws {
    let world = try FolderAndCalendar { request, steps in
      let isSync = String(decoding: request.body, as: UTF8.self).contains("sync-collection")
      return request.method == "REPORT" && isSync ? [.answer(404)] : steps
    }
    try world.write("a.ics", event("a", "A"))
    #expect(try await world.sync().run.output.contains("up: 1 new"))
    try await world.expectQuiet()
    world.model.removeCalendar(FolderAndCalendar.path)
    let run = try await world.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("[collection-gone]"), "\(run.errors)")
    #expect(try world.here() == ["a"])
  }
}
