import TestSupport
import Testing

/// A name that was changed beside a read-only side, which then changed it as well.
@Suite struct NamesBesideReadOnlyTests {
  /// - Parameter keys: those of the pair; empty: the server says that it is read-only.
  private func changed(_ keys: String) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work")
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    if keys.isEmpty { world.model.change { $0.advertisesReadOnly = true } }
    try world.configure(keys)
    try world.write("displayname", "Mine")
    _ = try await world.calgw("sync")
    #expect(world.text("displayname") == "Mine")
    try await world.set("displayname", "Theirs")
    return world
  }

  /// CONTRACT: on a read-only side local edits are never reverted.
  @Test(arguments: [
    "", "read_only = true", "read_only = true\nconflict = \"remote\"",
    "read_only = true\nconflict = \"newest\"", "read_only = true\nconflict = \"ask\"",
    "read_only = true\ndirection = \"pull\"",
  ])
  func `it stays and is named until a person sets it to the other one`(keys: String) async throws {
    let world = try await changed(keys)
    let words =
      "the remote side is read-only and has \"Theirs\", so the displayname \"Mine\" stays on the"
      + " local side [read-only]\n"
    let status = try await world.calgw("status", "--exit-code")
    #expect(status.status == 1)
    #expect(status.output.contains("local: displayname \"Work\" → \"Mine\"\n"), "\(status.output)")
    #expect(
      status.output.contains("remote: displayname \"Work\" → \"Theirs\"\n"), "\(status.output)")
    for options in [["--dry-run"], [], ["--conflict", "remote"]] {
      let sync = try await world.sync(options, status: 1)
      #expect(sync.run.output.hasPrefix("p/work: nothing to do; 1 problem"), "\(sync.run.output)")
      #expect(sync.run.errors.contains(words), "\(sync.run.errors)")
      #expect(world.text("displayname") == "Mine")
    }
    try world.write("displayname", "Theirs")
    #expect(try await world.sync().run.output == "p/work: nothing to do\n")
  }
}
