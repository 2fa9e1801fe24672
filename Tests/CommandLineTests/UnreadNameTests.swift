import Foundation
import TestSupport
import Testing

/// Somebody gives a calendar a name with a control character, and the server's answers with it are
/// no XML.
@Suite struct UnreadNameTests {
  private static let broken = "Wo\u{B}rk"
  private static let id = "0b5c4f5a-11f0-4a3e-9f0a-52d0b8a5c001"

  @Test func `it keeps here the values that it had, and all calendars go on`() async throws {
    let world = try FolderAndCalendar(displayName: "Office", color: "#ff8800")
    _ = try await world.sync()
    #expect(world.text("displayname") == "Office")
    world.model.name(FolderAndCalendar.path, Self.broken)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    let other = world.model.makeCalendar("other", displayName: "Other")
    world.model.put("b.ics", event("b", "Plumber"), in: other)
    let run = try await world.sync().run
    #expect(run.errors.contains("of the calendar \(FolderAndCalendar.path) cannot be read"))
    #expect(try world.here() == ["a"])
    #expect(try world.folders() == ["other", "work"])
    #expect(world.text("displayname") == "Office" && world.text("color") == "#ff8800")
    let again = try await world.sync()
    #expect(again.run.errors.isEmpty && again.writes.isEmpty, "\(again.run.errors)")
    #expect(!again.methods.contains("PROPPATCH"))
    world.model.name(FolderAndCalendar.path, "Work")
    _ = try await world.sync()
    #expect(world.text("displayname") == "Work")
  }

  @Test func `a pair goes on with the calendars that it chose by their names`() async throws {
    let world = try FolderAndCalendar(displayName: "Office")
    try world.configure("collections = [\"Office\"]")
    _ = try await world.sync()
    world.model.name(FolderAndCalendar.path, Self.broken)
    for uid in ["a", "b"] {
      world.model.put("\(uid).ics", event(uid, "Dentist"), in: FolderAndCalendar.path)
      _ = try await world.sync()
    }
    #expect(try world.here() == ["a", "b"])
  }

  /// A folder may be called as the calendar was before.
  @Test func `a new one is not made a second time, nor gets a folder`() async throws {
    let world = try FolderAndCalendar()
    world.model.removeCalendar(FolderAndCalendar.path)
    let path = world.model.makeCalendar(Self.id, displayName: Self.broken)
    try world.write("a.ics", event("a", "Dentist"))
    let run = try await world.sync(status: 1).run
    #expect(run.errors.contains("does not show all of its calendars"), "\(run.errors)")
    #expect(world.model.calendarPaths == [path])
    #expect(try world.folders() == ["work"])
    world.model.name(path, "Work")
    _ = try await world.sync()
    #expect(world.there(path) == ["a"] && world.model.calendarPaths == [path])
  }

  @Test func `discover shows it and says what is wrong`() async throws {
    let world = try FolderAndCalendar(displayName: Self.broken)
    let run = try await world.calgw("discover")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("work"))
    #expect(run.errors.contains("cannot be read"), "\(run.errors)")
  }
}
