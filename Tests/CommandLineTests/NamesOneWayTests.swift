import TestSupport
import Testing

/// A name that both sides changed, in runs and pairs that write to one side alone.
@Suite struct NamesOneWayTests {
  private func changed(_ keys: String) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work")
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    try world.configure(keys)
    try world.write("displayname", "Mine")
    try await world.set("displayname", "Theirs")
    return world
  }

  private func names(_ world: FolderAndCalendar) -> [String?] {
    [world.text("displayname"), world.model.metadata(of: FolderAndCalendar.path)["displayname"]]
  }

  /// As an item that both changed.
  @Test(arguments: ["push", "pull"], ["merge", "newest", "local", "remote"])
  func `push and pull leave it to a sync`(command: String, policy: String) async throws {
    let world = try await changed("conflict = \"\(policy)\"")
    let mend = "`calgw sync --conflict local p/work` or `calgw sync --conflict remote p/work`"
    for options in [["--dry-run"], []] {
      let run = try await world.calgw.run([command] + options)
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.output.hasPrefix("p/work: nothing to do; 1 conflict"), "\(run.output)")
      #expect(run.errors.contains(mend), "\(run.errors)")
    }
    let json = try await world.calgw(command, "--json").output
    let value = #""metadataConflicts":[{"key":"displayname","local":"Mine","remote":"Theirs"}]"#
    #expect(json.contains(value), "\(json)")
    #expect(names(world) == ["Mine", "Theirs"])
    _ = try await world.sync("--conflict", "local", "p/work")
    #expect(names(world) == ["Mine", "Mine"])
    #expect(try await world.calgw(command).status == 0)
  }

  @Test(arguments: [
    ("pull", "local", "remote"), ("push", "merge", "local"), ("push", "remote", "local"),
  ])
  func `a pair leaves it where it may not write to the side that gives way`(
    direction: String, policy: String, mend: String
  ) async throws {
    let world = try await changed("direction = \"\(direction)\"\nconflict = \"\(policy)\"")
    let run = try await world.sync([], status: 1).run
    #expect(run.errors.contains("run `calgw sync --conflict \(mend) p/work`, "), "\(run.errors)")
    #expect(names(world) == ["Mine", "Theirs"])
    _ = try await world.sync("--conflict", mend, "p/work")
    let winner = mend == "local" ? "Mine" : "Theirs"
    #expect(names(world) == [winner, winner])
  }

  @Test(arguments: [("pull", "merge", "Theirs"), ("push", "local", "Mine")])
  func `where it may, the policy settles it`(
    direction: String, policy: String, winner: String
  ) async throws {
    let world = try await changed("direction = \"\(direction)\"\nconflict = \"\(policy)\"")
    _ = try await world.sync()
    #expect(names(world) == [winner, winner])
  }
}
