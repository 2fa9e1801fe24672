import Foundation
import TestSupport
import Testing

/// `window` before a server: what comes to the folder, and that nothing is deleted because of it.
@Suite struct RemoteWindowTests {
  private static let window = "window = { past = \"14d\", future = \"30d\" }"
  /// What is in that window, and an old item that was made here.
  private static let inside = ["choir", "list", "mine", "near"]
  private static let everything = ["choir", "course", "later", "list", "mine", "near", "old"]

  /// An item that begins so many days from now.
  private func item(_ uid: String, _ days: Int, _ more: String = "") -> String {
    let date = Date(timeIntervalSinceNow: Double(days) * 86_400)
    let day = date.formatted(.iso8601.year().month().day().dateSeparator(.omitted))
    return event(uid, uid).replacing(
      "DTSTART:20260105T100000Z\r\n", with: "DTSTART:\(day)T100000Z\r\n\(more)")
  }

  /// After a first sync with the window.
  private func synced() async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar()
    try world.configure(Self.window)
    try world.write("mine.ics", item("mine", -2000))
    let todo = event("list", "list").replacing("DTSTART:20260105T100000Z\r\n", with: "")
      .replacing("VEVENT", with: "VTODO")
    let items = [
      ("old", item("old", -200)), ("near", item("near", 3)), ("later", item("later", 100)),
      ("choir", item("choir", -700, "RRULE:FREQ=WEEKLY\r\n")),
      ("course", item("course", -700, "RRULE:FREQ=WEEKLY;COUNT=10\r\n")), ("list", todo),
    ]
    for (uid, text) in items { world.model.put("\(uid).ics", text, in: FolderAndCalendar.path) }
    let first = try await world.sync()
    #expect(first.run.output == "p/work: down: 3 new; up: 1 new\n")
    return world
  }

  @Test func `what takes place in it comes, and what is here goes there whatever its time`()
    async throws
  {
    let world = try await synced()
    #expect(try world.here() == Self.inside)
    #expect(world.there() == Self.everything)
    try await world.expectQuiet()
    let pending = try await world.calgw("status", "--exit-code", "--json")
    #expect(pending.status == 0)
    #expect(pending.output.isEmpty, "\(pending.output)")
  }

  @Test(
    arguments: [
      ("window = { past = \"1d\", future = \"1d\" }", []),
      ("window = { past = \"400d\", future = \"30d\" }", ["old"]),
      ("window = { past = \"14d\" }", ["later"]), ("", ["course", "later", "old"]),
    ] as [(String, [String])])
  func `another window deletes nothing, and brings what is in it`(
    keys: String, news: [String]
  ) async throws {
    let world = try await synced()
    try world.configure(keys)
    let changed = try await world.sync()
    #expect(
      changed.run.output
        == (news.isEmpty ? "p/work: nothing to do\n" : "p/work: down: \(news.count) new\n"))
    #expect(try world.here() == (Self.inside + news).sorted())
    // Nor does the way back.
    for keys in [keys, Self.window] {
      try world.configure(keys)
      try await world.expectQuiet()
    }
    #expect(try world.here() == (Self.inside + news).sorted())
    #expect(world.there() == Self.everything)
    #expect(world.server.requests.allSatisfy { $0.method != "DELETE" })
  }

  @Test func `what is here stays in step outside it, and what moves into it there comes`()
    async throws
  {
    let world = try await synced()
    let path = FolderAndCalendar.path
    try world.configure("window = { past = \"1d\", future = \"1d\" }")
    let edited = item("near", 3).replacing("SUMMARY:near", with: "SUMMARY:Nearer")
    try world.write("near.ics", edited)
    world.model.put("old.ics", item("old", 0), in: path)
    world.model.remove(Array("later.ics".utf8), in: path)
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: down: 1 new; up: 1 changed\n")
    #expect(world.model.data(Array("near.ics".utf8), in: path) == Array(edited.utf8))
    #expect(try world.here() == ["choir", "list", "mine", "near", "old"])

    try world.remove("near.ics")
    world.model.remove(Array("old.ics".utf8), in: path)
    let deletions = try await world.sync()
    #expect(deletions.run.output == "p/work: down: 1 deleted; up: 1 deleted\n")
    #expect(try world.here() == ["choir", "list", "mine"])
    #expect(world.there() == ["choir", "course", "list", "mine"])
  }

  /// Whichever of the two calendars comes first in a run.
  @Test(arguments: ["archive", "zoo"])
  func `what is here goes along into another calendar`(target: String) async throws {
    let world = try FolderAndCalendar()
    world.model.makeCalendar(target)
    let (work, other) = (FolderAndCalendar.path, ModelServer.homePath + "\(target)/")
    try world.configure(Self.window)
    let items = [("near", item("near", 3)), ("old", item("old", -200))]
    for (uid, text) in items { world.model.put("\(uid).ics", text, in: work) }
    _ = try await world.sync()
    try world.configure("window = { past = \"1d\", future = \"1d\" }")
    _ = try await world.sync()
    #expect(try world.here() == ["near"])

    for (uid, text) in items {
      world.model.remove(Array("\(uid).ics".utf8), in: work)
      world.model.put("\(uid).ics", text, in: other)
    }
    let moved = try await world.sync()
    #expect(moved.run.output.contains("p/\(target): down: 1 new\n"), "\(moved.run.output)")
    #expect(moved.run.output.contains("p/work: down: 1 deleted\n"), "\(moved.run.output)")
    #expect(try world.here().isEmpty)
    // What was never here does not come with it.
    #expect(world.calgw.exists("calendars/\(target)/near.ics"))
    #expect(!world.calgw.exists("calendars/\(target)/old.ics"))
    let quiet = try await world.sync()
    #expect(quiet.writes.isEmpty && quiet.run.output.contains("p/\(target): nothing to do\n"))
    #expect(world.calgw.exists("calendars/\(target)/near.ics"))
  }
}
