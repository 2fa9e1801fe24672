import Foundation
import TestSupport
import Testing

/// A server that says when an item changed in the answer to a GET alone (Radicale).
@Suite struct TimesOfFewTests {
  @Test func `newest asks it about each of many items that both sides changed`() async throws {
    var switches = ModelSwitches()
    switches.hidesTimes = true
    let world = try FolderAndCalendar(switches: switches)
    try world.configure("conflict = \"newest\"")
    let names = (1...7).map { "e\($0)" }
    for name in names { try world.write("\(name).ics", event(name, "First")) }
    _ = try await world.sync()
    for (name, text) in world.model.items(in: FolderAndCalendar.path) {
      let edited = String(decoding: text, as: UTF8.self).replacing("First", with: "There")
      world.model.put(name, Array(edited.utf8), in: FolderAndCalendar.path)
    }
    // The model's clock is far behind the files' times.
    for name in names { try world.write("\(name).ics", event(name, "Here")) }
    let run = try await world.sync()
    #expect(run.run.output.contains("up: 7 changed"), "\(run.run.output)")
    for name in names { #expect(world.text("\(name).ics")?.contains("SUMMARY:Here") == true) }
    let there = world.model.items(in: FolderAndCalendar.path).values
    #expect(there.allSatisfy { String(decoding: $0, as: UTF8.self).contains("SUMMARY:Here") })
    try await world.expectQuiet()
  }
}
