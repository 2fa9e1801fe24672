import Foundation
import TestSupport
import Testing

/// `metadata` before a server: names, colours and the like of a calendar in whole runs.
@Suite struct NamesAndColoursTests {
  private static let all =
    "metadata = [\"displayname\", \"color\", \"description\", \"order\"]"

  private func synced(
    _ switches: ModelSwitches = ModelSwitches(),
    answer: @escaping @Sendable (ReceivedRequest, [ServerStep]) -> [ServerStep] = { $1 }
  ) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(
      displayName: "Work", color: "#FF8800FF", switches: switches, answer: answer)
    try world.configure(Self.all)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    #expect(world.text("displayname") == "Work")
    #expect(world.text("color") == "#ff8800")
    try await world.expectQuiet()
    return world
  }

  private func onServer(_ world: FolderAndCalendar) -> [String: String] {
    world.model.metadata(of: FolderAndCalendar.path)
  }

  @Test func `each side's change goes to the other, in one run`() async throws {
    let world = try await synced()
    try world.write("displayname", "Office\n")
    try await world.set("a:calendar-color", "#00FF00FF")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: color came down; displayname went up\n")
    #expect(sync.run.errors.isEmpty, "\(sync.run.errors)")
    #expect(sync.methods.filter { $0 == "PROPPATCH" }.count == 1)
    #expect(world.text("displayname") == "Office\n")
    #expect(world.text("color") == "#00ff00")
    #expect(onServer(world) == ["displayname": "Office", "color": "#00FF00FF"])
    try await world.expectQuiet()
  }

  @Test(arguments: [("merge", "Theirs", "Mine", "remote"), ("local", "Mine", "Theirs", "local")])
  func `where both sides changed one the policy says which holds, and the other is named`(
    policy: String, winner: String, loser: String, side: String
  ) async throws {
    let world = try await synced()
    try world.configure("conflict = \"\(policy)\"")
    try world.write("displayname", "Mine")
    try await world.set("displayname", "Theirs")
    let sync = try await world.sync()
    let note = "both sides changed the displayname; the \(side) one holds, and '\(loser)' gives way"
    #expect(sync.run.errors.contains(note), "\(sync.run.errors)")
    #expect(world.text("displayname") == winner)
    #expect(onServer(world)["displayname"] == winner)
    try await world.expectQuiet()
  }

  /// Such a server takes no slash in a name, and chooses the place of a calendar by itself.
  @Test func `what a server makes of a value is its own from then on, and is not sent again`()
    async throws
  {
    var switches = ModelSwitches()
    switches.ownOrder = "17"
    let world = try await synced(switches) { _, steps in
      steps.map { step -> ServerStep in
        guard case .send(let bytes) = step else { return step }
        let text = String(decoding: bytes, as: UTF8.self)
        return .send(Array(text.replacing("Desk/Home", with: "Desk-Home").utf8))
      }
    }
    try world.write("displayname", "Desk/Home")
    try world.write("order", "3")
    let sync = try await world.sync()
    #expect(sync.methods.filter { $0 == "PROPPATCH" }.count == 2)
    #expect(sync.run.output == "p/work: nothing to do\n")
    for words in ["displayname 'Desk/Home' and keeps 'Desk-Home'", "order '3' and keeps '17'"] {
      #expect(sync.run.errors.contains("was to have the \(words); "), "\(sync.run.errors)")
    }
    // Said once: what a server shows is what counts from then on.
    for _ in 0..<2 { try await world.expectQuiet() }
    #expect(world.text("displayname") == "Desk/Home")
    #expect(world.text("order") == "3")
    #expect(onServer(world)["order"] == "17")

    // A change is one against what the server made of it, on either side.
    try await world.set("displayname", "Home")
    let down = try await world.sync()
    #expect(down.run.output == "p/work: displayname came down\n")
    #expect(world.text("displayname") == "Home")
    world.model.change { $0.ownOrder = nil }
    try world.write("order", "4")
    let up = try await world.sync()
    #expect(up.run.output == "p/work: order went up\n")
    #expect(onServer(world)["order"] == "4")
    #expect(world.text("order") == "4")
    try await world.expectQuiet()
  }

  @Test func `a value that a server refuses stays here, and is sent again once it changes`()
    async throws
  {
    var switches = ModelSwitches()
    switches.refusedProperties = ["calendar-color"]
    let world = try await synced(switches)
    try world.write("color", "#112233")
    let refused = try await world.sync()
    #expect(refused.methods.filter { $0 == "PROPPATCH" }.count == 1)
    #expect(
      refused.run.errors
        == "note: p/work: the remote side was to have the color '#112233' and keeps '#ff8800';"
        + " it is asked again once the other side changes it\n")
    #expect(world.text("color") == "#112233")
    #expect(onServer(world)["color"] == "#FF8800FF")
    world.model.change { $0.refusedProperties = [] }
    try await world.expectQuiet()
    try world.write("color", "#445566")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: color went up\n")
    #expect(onServer(world)["color"] == "#445566FF")
    try await world.expectQuiet()
  }

  @Test func `what metadata does not name is asked of neither side`() async throws {
    let world = try await synced()
    try world.configure("metadata = [\"color\"]")
    try world.write("displayname", "Office")
    try await world.expectQuiet()
    #expect(onServer(world)["displayname"] == "Work")
    try await world.set("displayname", "Desk")
    _ = try await world.sync()
    #expect(world.text("displayname") == "Office")
    #expect(onServer(world)["displayname"] == "Desk")
  }
}
