import Foundation
import TestSupport
import Testing

/// Files with METHOD, as mail programs save them: no server may keep it (PITFALLS 61).
@Suite struct LostMethodTests {
  @Test func `what goes to a server without METHOD is told of in that run`() async throws {
    let world = try FolderAndCalendar()
    for name in ["b", "a"] {
      let text = event(name, "First").replacing("BEGIN:VEVENT", with: "METHOD:X\r\nBEGIN:VEVENT")
      try world.write("\(name).ics", text)
    }
    try world.write("gym.ics", event("gym", "Gym"))
    let first = try await world.sync()
    let told = first.run.errors
    #expect(told.contains("p/work: METHOD was left out of 2 items on the way to"), "\(told)")
    #expect(told.contains("a.ics") && !told.contains("b.ics"))
    #expect(told.contains("`calgw check`"))
    for data in world.model.items(in: FolderAndCalendar.path).values {
      #expect(!String(decoding: data, as: UTF8.self).contains("METHOD"))
    }
    try await world.expectQuiet()
    #expect(world.text("a.ics")?.contains("METHOD:X") == true)
  }
}
