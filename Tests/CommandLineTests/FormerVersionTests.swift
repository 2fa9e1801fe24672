import TestSupport
import Testing

/// A broken file of which both sides share nothing any more, as after a `forget`: the log has it
/// all the same, and the mend says so.
@Suite struct FormerVersionTests {
  /// The choir, and the gym whose file broke after an edit.
  private func broken() async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar()
    try world.write("choir.ics", event("choir", "Choir"))
    for title in ["Gym", "Gym at ten"] {
      try world.write("gym.ics", event("gym", title))
      _ = try await world.sync()
    }
    let text = event("gym", "Gym at ten")
    try world.write("gym.ics", text.replacing("END:VEVENT\r\nEND:VCALENDAR\r\n", with: ""))
    _ = try await world.sync(status: 1)
    return world
  }

  /// Runs the command that brings the version back, as it stands in the mend.
  private func paste(_ errors: String, in world: FolderAndCalendar) async throws {
    let commands = errors.split(separator: "`").filter { $0.hasPrefix("calgw ") }
    let (log, restore) = (
      commands.first { $0.hasPrefix("calgw log ") },
      commands.first { $0.hasPrefix("calgw restore p/") }
    )
    #expect(log?.hasSuffix("calendars/work/gym.ics") == true, "\(errors)")
    let words = try #require(restore, "\(errors)").split(separator: " ").dropFirst()
    let run = try await world.calgw.run(words.map { String($0) })
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try world.here() == ["choir", "gym"] && world.there() == ["choir", "gym"])
    #expect(world.text("gym.ics")?.contains("SUMMARY:Gym at ten") == true)
    #expect(try await world.sync().run.output == "p/work: nothing to do\n")
  }

  @Test(arguments: [true, false])
  func `the version that the log has goes into the file`(isThere: Bool) async throws {
    let world = try await broken()
    if !isThere {
      let name = try #require(
        world.model.items(in: FolderAndCalendar.path).first {
          String(decoding: $0.value, as: UTF8.self).contains("UID:gym")
        }?.key)
      world.model.remove(name, in: FolderAndCalendar.path)
    }
    #expect(try await world.calgw("forget", "p").status == 0)
    for command in ["sync", "status"] {
      let run = try await world.calgw(command)
      let text = run.output + run.errors
      #expect(text.contains("or restore it with `calgw log "), "\(text)")
      #expect(text.contains("calgw resolve --take remote gym") == isThere, "\(text)")
    }
    try await paste(try await world.sync(status: 1).run.errors, in: world)
  }

  /// It is not gone, and that version would go over what it is now.
  @Test func `of an item that has another file by now no version is offered`() async throws {
    let world = try await broken()
    try world.write("renamed.ics", event("gym", "Gym at eleven"))
    try world.remove("gym.ics")
    _ = try await world.sync()
    try world.write("gym.ics", "BEGIN:VCALENDAR\r\n")
    let errors = try await world.sync(status: 1).run.errors
    #expect(errors.contains("do:    correct it, or put a whole file in its place\n"), "\(errors)")
    #expect(!errors.contains("calgw restore"), "\(errors)")
  }
}
