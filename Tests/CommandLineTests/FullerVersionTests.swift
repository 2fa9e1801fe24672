import TestSupport
import Testing

/// A server that drops properties has less of an item than the folder. Of a change made here the
/// log has both texts, and the server's stands on top.
@Suite struct FullerVersionTests {
  private static let text = event("gym", "Gym").replacing("SUMMARY", with: "X-MINE:1\r\nSUMMARY")

  /// The choir, and the gym with a property that the server has dropped.
  private func synced() async throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.dropsExtensions = true
    let world = try FolderAndCalendar(switches: switches)
    try world.write("choir.ics", event("choir", "Choir"))
    try world.write("gym.ics", Self.text)
    _ = try await world.sync()
    #expect(try !onServer(world).contains("X-MINE"))
    return world
  }

  private func onServer(_ world: FolderAndCalendar) throws -> String {
    let texts = world.model.items(in: FolderAndCalendar.path).values
    return try #require(
      texts.map { String(decoding: $0, as: UTF8.self) }.first { $0.contains("UID:gym\r\n") })
  }

  /// Who takes back what he did wants the file as it was.
  @Test(arguments: [true, false])
  func `the server's version brings back all that the folder had`(isDeleted: Bool) async throws {
    let world = try await synced()
    if isDeleted {
      try world.remove("gym.ics")
    } else {
      try world.write("gym.ics", Self.text.replacing("SUMMARY:Gym", with: "SUMMARY:Swimming"))
    }
    _ = try await world.sync()
    for arguments in [["--dry-run"], ["--dry-run", "--json"], []] {
      let run = try await world.calgw.run(["restore", "p/2"] + arguments)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(
        run.errors.contains(
          "note: p/2 is what the remote side kept of it: what comes back is p/1, which the local"
            + " side had\n"), "\(run.errors)")
    }
    #expect(world.text("gym.ics") == Self.text)
    #expect(try onServer(world).contains("SUMMARY:Gym\r\n"))
    #expect(try await world.sync().run.output == "p/work: nothing to do\n")
  }

  /// The edit there gave way to the deletion here, and is in no other version.
  @Test func `a version that was edited on the server comes back as it was`() async throws {
    let world = try await synced()
    try world.configure("conflict = \"local\"")
    let name = try #require(
      world.model.items(in: FolderAndCalendar.path).first {
        String(decoding: $0.value, as: UTF8.self).contains("UID:gym\r\n")
      }?.key)
    world.model.put(name, Array(event("gym", "Swimming").utf8), in: FolderAndCalendar.path)
    try world.remove("gym.ics")
    _ = try await world.sync()
    let run = try await world.calgw("restore", "p/2")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("has more than this version\n"), "\(run.errors)")
    #expect(
      run.errors.contains("to bring that back instead: `calgw restore p/1`\n"), "\(run.errors)")
    #expect(world.text("gym.ics") == event("gym", "Swimming"))
    let other = try await world.calgw("restore", "p/1")
    #expect(other.status == 0 && !other.errors.contains("instead"), "\(other.errors)")
    #expect(world.text("gym.ics") == Self.text)
  }

  @Test func `where the server kept all of it, nothing is said of another version`() async throws {
    let world = try await synced()
    for title in ["Choir at ten", "Choir at noon"] {
      try world.write("choir.ics", event("choir", title))
      _ = try await world.sync()
    }
    let run = try await world.calgw("restore", "p/2")
    #expect(run.status == 0 && !run.errors.contains("remote side kept"), "\(run.errors)")
    #expect(world.text("choir.ics")?.contains("SUMMARY:Choir at ten\r\n") == true)
  }
}
