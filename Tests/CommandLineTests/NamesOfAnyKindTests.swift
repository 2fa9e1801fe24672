import TestSupport
import Testing

/// Names of calendars that are long, joined of emoji, or written from right to left: the file has
/// what the server has, and a terminal gets nothing that steers it.
@Suite struct NamesOfAnyKindTests {
  private static let names = [
    "\u{1F469}\u{200D}\u{1F4BB} pair \u{2764}\u{FE0F}", "\u{5E9}\u{5DC}\u{5D5}\u{5DD}\u{200F}!",
    "Two  blanks", String(repeating: "long ", count: 200) + "name",
  ]

  private func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

  private func onServer(_ world: FolderAndCalendar) -> [UInt8]? {
    bytes(world.model.metadata(of: FolderAndCalendar.path)["displayname"])
  }

  @Test(arguments: names)
  func `a name comes down and goes up as it is`(name: String) async throws {
    let world = try FolderAndCalendar(displayName: name)
    let first = try await world.sync()
    #expect(bytes(world.text("displayname")) == bytes(name))
    #expect(!first.methods.contains("PROPPATCH"))
    try await world.expectQuiet()
    try world.write("displayname", "New \(name)\n")
    #expect(try await world.sync().run.output.hasPrefix("p/work: displayname went up: "))
    #expect(onServer(world) == bytes("New \(name)"))
    try await world.expectQuiet()
    try await world.set("displayname", name)
    #expect(try await world.sync().run.output.hasPrefix("p/work: displayname came down: "))
    #expect(bytes(world.text("displayname")) == bytes(name))
    try await world.expectQuiet()
  }

  @Test func `a name on several lines is one line here, and stays what it is there`() async throws {
    let world = try FolderAndCalendar(displayName: "Our\n   work")
    _ = try await world.sync()
    #expect(world.text("displayname") == "Our work")
    try await world.expectQuiet()
    #expect(onServer(world) == bytes("Our\n   work"))
  }

  @Test func `a name that no file holds is told once, and never sent back`() async throws {
    let name = String(repeating: "x", count: 5000)
    let world = try FolderAndCalendar(displayName: name)
    let first = try await world.sync()
    #expect(first.run.errors.contains("its file has 4096 bytes at most"), "\(first.run.errors)")
    #expect(world.text("displayname") == nil)
    try await world.expectQuiet()
    #expect(onServer(world) == bytes(name))
    try await world.set("displayname", "Work again")
    let down = "p/work: displayname came down: \"Work again\"\n"
    #expect(try await world.sync().run.output == down)
    #expect(world.text("displayname") == "Work again")
  }

  @Test(arguments: [["discover"], ["sync", "-v"], ["status"], ["sync", "--dry-run"], ["doctor"]])
  func `what is printed of a name steers no terminal`(arguments: [String]) async throws {
    let name = "\u{202E}evil\u{9B}2J\u{1F469}\u{200D}\u{1F4BB}"
    let world = try FolderAndCalendar(displayName: "Work")
    _ = try await world.sync()
    try await world.set("displayname", name)
    let run = try await world.calgw.run(arguments)
    let printed = (run.output + run.errors).unicodeScalars
    #expect(!printed.contains { "\u{202E}\u{9B}".unicodeScalars.contains($0) }, "\(printed)")
    if arguments == ["discover"] {
      let shown = "\"\\u{202E}evil\\u{9B}2J\u{1F469}\u{200D}\u{1F4BB}\""
      #expect(run.output.contains(shown), "\(run.output)")
    }
  }
}
