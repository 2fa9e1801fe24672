import Glibc
import TestSupport
import Testing

/// What waits of names and colours, and of collections that are to be made: `status` and a dry run
/// say it, and the run after them does it.
@Suite struct PendingNamesTests {
  private static let dryRun = " (dry run: nothing was changed)\n"
  private static let (color, name) = (
    ": \"#ff8800\" → \"#00ff00\"", ": \"Work\" → \"Office\""
  )

  private func synced() async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work", color: "#FF8800FF")
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    try await world.expectQuiet()
    return world
  }

  /// The name was changed here, the colour there.
  private func changed() async throws -> FolderAndCalendar {
    let world = try await synced()
    try world.write("displayname", "Office\n")
    try await world.set("a:calendar-color", "#00FF00FF")
    return world
  }

  private func onServer(_ world: FolderAndCalendar) -> [String: String] {
    world.model.metadata(of: FolderAndCalendar.path)
  }

  // MARK: Names and colours

  @Test func `a dry run says what the run does, and changes nothing`() async throws {
    let world = try await changed()
    for _ in 0..<2 {
      let dry = try await world.sync("--dry-run")
      let words =
        "p/work: color would come down\(Self.color); displayname would go up\(Self.name)"
      #expect(dry.run.output == words + Self.dryRun)
      #expect(dry.run.errors.isEmpty, "\(dry.run.errors)")
      #expect(!dry.methods.contains("PROPPATCH"))
      #expect(world.text("color") == "#ff8800")
      #expect(onServer(world) == ["displayname": "Work", "color": "#00FF00FF"])
    }
    let json = try await world.sync("--dry-run", "--json").run.output
    let values =
      ##""metadata":[{"key":"color","side":"local","value":"#00ff00","before":"#ff8800"},"##
      + ##"{"key":"displayname","side":"remote","value":"Office","before":"Work"}],"actions":[]"##
    #expect(json.contains(values), "\(json)")
    let run = try await world.sync("--verbose")
    #expect(
      run.run.output
        == "p/work: color came down\(Self.color); displayname went up\(Self.name)\n")
    #expect(world.text("color") == "#00ff00")
    #expect(onServer(world) == ["displayname": "Office", "color": "#00FF00FF"])
    try await world.expectQuiet()
  }

  @Test func `status says it until a run has done it, and asks no more than before`() async throws {
    let world = try await synced()
    func status(_ options: String...) async throws -> (run: CommandLine.Run, requests: Int) {
      let before = world.server.requests.count
      let run = try await world.calgw.run(["status", "--exit-code"] + options)
      return (run, world.server.requests.count - before)
    }
    let quiet = try await status()
    #expect(quiet.run.status == 0)
    #expect(quiet.run.output == "p: nothing is pending\n")
    try world.write("displayname", "Office\n")
    try await world.set("a:calendar-color", "#00FF00FF")

    let told = try await status()
    #expect(told.run.status == 1)
    #expect(told.requests == quiet.requests)
    #expect(
      told.run.output == """
        p/work
          the collection itself: updated on the local side, updated on the remote side
            local: displayname "Work" → "Office"
            remote: color "#ff8800" → "#00ff00"

        """)
    let line =
      ##"{"pair":"p","collection":"work","uid":null,"file":null,"href":null,"summary":"","##
      + ##""local":"updated","remote":"updated","conflict":null,"problem":null,"##
      + ##""localChanges":["displayname \"Work\" → \"Office\""],"##
      + ##""remoteChanges":["color \"#ff8800\" → \"#00ff00\""]}"##
    #expect(try await status("--json").run.output == line + "\n")
    let offline = try await status("--offline")
    #expect(offline.run.status == 1)
    #expect(offline.requests == 0)
    #expect(offline.run.output.contains("itself: updated on the local side\n"))
    #expect(!offline.run.output.contains("color"), "\(offline.run.output)")

    _ = try await world.sync()
    #expect(try await status().run.status == 0)
    #expect(try await status("--offline").run.status == 0)
  }

  @Test(arguments: [("merge", "Mine", "remote"), ("local", "Theirs", "local")])
  func `what would give way is named, and gives way in the run`(
    policy: String, loser: String, side: String
  ) async throws {
    let world = try await synced()
    try world.configure("conflict = \"\(policy)\"")
    try world.write("displayname", "Mine")
    try await world.set("displayname", "Theirs")
    let status = try await world.calgw("status").output
    #expect(status.contains("displayname \"Work\" → \"\(loser)\", which gives way\n"), "\(status)")
    #expect(status.ranges(of: "gives way").count == 1, "\(status)")
    let start = "note: p/work: both sides changed the displayname; the \(side) one"
    let dry = try await world.sync("--dry-run").run
    #expect(dry.errors == "\(start) would hold, and '\(loser)' would give way\n")
    #expect(dry.output.contains(side == "local" ? "would go up" : "would come down"))
    let run = try await world.sync().run
    #expect(run.errors == "\(start) holds, and '\(loser)' gives way\n")
    let (way, winner) = side == "local" ? ("went up", "Mine") : ("came down", "Theirs")
    #expect(run.output == "p/work: displayname \(way): \"\(loser)\" → \"\(winner)\"\n")
    try await world.expectQuiet()
  }

  /// As where the journal is lost: nobody can know who changed it.
  @Test func `of what the sides never agreed on nobody is said to have changed it`() async throws {
    let world = try FolderAndCalendar(displayName: "Theirs")
    try world.configure("conflict = \"ask\"")
    try world.write("displayname", "Mine")
    let asked = try await world.sync(status: 1).run
    let values = "displayname \"Mine\" here and \"Theirs\" there\n"
    let words = "the sides differ in it, and never agreed on it"
    #expect(asked.errors.contains("  why:   \(words): \(values)"), "\(asked.errors)")
    let status = try await world.calgw("status")
    #expect(status.output.contains("the collection itself: \(words)\n"), "\(status.output)")
    #expect(status.output.contains("since the sides never agreed on it\n"), "\(status.output)")
    let lines = try await world.calgw("status", "--json").output
    #expect(lines.contains(#""conflict":"never-agreed""#), "\(lines)")

    try world.configure()
    #expect(
      try await world.sync().run.errors
        == "note: p/work: the sides differ in the displayname, and never agreed on it;"
        + " the remote one holds, and 'Mine' gives way\n")
    try await world.expectQuiet()
  }

  @Test(arguments: [("local", "Mine"), ("remote", "Theirs")])
  func `where a person is to decide it waits, and the command that is printed settles it`(
    side: String, winner: String
  ) async throws {
    let world = try await synced()
    try world.configure("conflict = \"ask\"")
    try world.write("displayname", "Mine")
    try await world.set("displayname", "Theirs")
    let mend = "`calgw sync --conflict local p/work` or `calgw sync --conflict remote p/work`"
    let dry = try await world.calgw("sync", "--dry-run")
    #expect(dry.status == 1)
    #expect(dry.output == "p/work: nothing to do; 1 conflict" + Self.dryRun)
    #expect(dry.errors.contains(mend), "\(dry.errors)")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1)
      #expect(run.output == "p/work: nothing to do; 1 conflict\n")
      #expect(
        run.errors.contains("displayname \"Mine\" here and \"Theirs\" there"), "\(run.errors)")
      #expect(run.errors.contains(mend), "\(run.errors)")
    }
    let json = try await world.calgw("sync", "--json").output
    let value = #""metadataConflicts":[{"key":"displayname","local":"Mine","remote":"Theirs"}]"#
    #expect(json.contains(value), "\(json)")
    let status = try await world.calgw("status", "--exit-code")
    #expect(status.status == 1)
    let words = "which waits, since both sides changed it\n"
    #expect(status.output.contains(words), "\(status.output)")
    #expect(status.output.contains("do: run \(mend)"), "\(status.output)")
    let lines = try await world.calgw("status", "--json").output
    #expect(lines.contains(#""conflict":"both-changed""#), "\(lines)")

    let settled = try await world.sync("--conflict", side, "p/work")
    #expect(settled.run.output.hasPrefix("p/work: displayname "), "\(settled.run.output)")
    #expect(world.text("displayname") == winner)
    #expect(onServer(world)["displayname"] == winner)
    try await world.expectQuiet()
  }

  @Test func `only what the pair can do is printed`() async throws {
    let world = try await synced()
    try world.configure("conflict = \"ask\"\ndirection = \"pull\"")
    try world.write("displayname", "Mine")
    try await world.set("displayname", "Theirs")
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("run `calgw sync --conflict remote p/work`, "), "\(run.errors)")
    _ = try await world.sync("--conflict", "remote", "p/work")
    #expect(world.text("displayname") == "Theirs")
    try await world.expectQuiet()
  }

  @Test func `push and pull carry what goes their way`() async throws {
    let world = try await changed()
    let pull = try await world.calgw("pull", "--dry-run").output
    #expect(pull.hasPrefix("p/work: color would come down" + Self.color + Self.dryRun), "\(pull)")
    let push = try await world.calgw("push", "--dry-run").output
    #expect(push.hasPrefix("p/work: displayname would go up" + Self.name + Self.dryRun), "\(push)")
    #expect(try await world.calgw("pull").output == "p/work: color came down\(Self.color)\n")
    #expect(try await world.calgw("status", "--exit-code").output.contains("on the local side\n"))
    let up = "p/work: displayname went up\(Self.name)\n"
    #expect(try await world.calgw("push").output == up)
    #expect(try await world.calgw("status", "--exit-code").status == 0)
  }

  @Test func `what a read-only side does not take is told by each run until it is taken back`()
    async throws
  {
    let world = try await synced()
    try world.configure("read_only = true")
    try world.write("displayname", "Office")
    let words =
      "the remote side is read-only and has \"Work\", so the displayname \"Office\" stays on the"
      + " local side [read-only]\n"
    for option in [["--dry-run"], [], []] {
      let sync = try await world.sync(option, status: 1)
      let end = option.isEmpty ? "\n" : Self.dryRun
      #expect(sync.run.output == "p/work: nothing to do; 1 problem" + end)
      #expect(sync.run.errors.hasPrefix("problem: p/work\n  why:   \(words)"), "\(sync.run)")
      #expect(sync.run.errors.contains("set it to \"Work\" again"), "\(sync.run)")
    }
    let status = try await world.calgw("status", "--exit-code")
    #expect(status.status == 1)
    #expect(status.output.contains(words.dropLast()), "\(status.output)")
    #expect(status.output.contains("displayname \"Work\" → \"Office\"\n"), "\(status.output)")
    let json = try await world.sync(["--json"], status: 1).run.output
    #expect(json.contains(#""href":null,"code":"read-only""#), "\(json)")
    #expect(onServer(world)["displayname"] == "Work")

    try world.write("displayname", "Work")
    try await world.set("a:calendar-color", "#00FF00FF")
    #expect(try await world.sync().run.output == "p/work: color came down\(Self.color)\n")
    try await world.expectQuiet()
  }

  @Test func `a colour that a read-only side never had is no edit of it`() async throws {
    let world = try FolderAndCalendar(displayName: "Work")
    try world.configure("read_only = true")
    try world.write("color", "#112233")
    _ = try await world.sync()
    try await world.expectQuiet()
    #expect(try await world.calgw("status", "--exit-code").status == 0)
  }

  // MARK: Collections

  @Test func `a folder that is made is named although nothing is in it`() async throws {
    let world = try FolderAndCalendar()
    let status = try await world.calgw("status", "--exit-code")
    #expect(status.status == 1)
    #expect(status.output == "p/work\n  the collection itself: created on the remote side\n")
    let dry = try await world.sync("--dry-run").run
    #expect(dry.output == "p/work: would make the folder work on the local side" + Self.dryRun)
    let json = try await world.sync("--dry-run", "--json").run.output
    #expect(json.contains(#""made":{"side":"local","name":"work"}"#), "\(json)")
    #expect(!world.calgw.exists("calendars"))
    let run = try await world.sync().run
    #expect(run.output == "p/work: made the folder work on the local side\n")
    #expect(run.errors.isEmpty, "\(run.errors)")
    #expect(try await world.calgw("status", "--exit-code").status == 0)
    try await world.expectQuiet()
  }

  @Test func `a calendar that is made is named, with what it gets beside its items`() async throws {
    let world = try FolderAndCalendar()
    world.model.makeCalendar("other")
    world.model.removeCalendar(FolderAndCalendar.path)
    try world.configure(
      "collections = [\"work\"]\nmetadata = [\"displayname\", \"description\"]")
    try world.write("displayname", "Office")
    try world.write("description", "Rooms")
    let status = try await world.calgw("status").output
    #expect(status == "p/work\n  the collection itself: created on the local side\n")
    let dry = try await world.sync("--dry-run").run
    #expect(
      dry.output
        == "p/work: would make the calendar Office on the remote side;"
        + " description would go up: \"Rooms\"" + Self.dryRun)
    #expect(world.model.calendarPaths == [ModelServer.homePath + "other/"])
    let run = try await world.sync().run
    #expect(
      run.output
        == "p/work: made the calendar Office on the remote side; description went up: \"Rooms\"\n")
    #expect(onServer(world) == ["displayname": "Office", "description": "Rooms"])
    try await world.expectQuiet()
  }

  @Test func `a calendar that is made is named, whatever fails afterwards`() async throws {
    let world = try FolderAndCalendar()
    world.model.makeCalendar("other")
    world.model.removeCalendar(FolderAndCalendar.path)
    try world.configure("collections = [\"work\"]")
    try world.write("displayname", "Office")
    let folder = open(world.calgw.home + "/calendars/work", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(flock(folder, LOCK_EX | LOCK_NB) == 0)
    let run = try await world.calgw("sync")
    close(folder)
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.output == "p/work: made the calendar Office on the remote side; not finished\n")
    #expect(world.model.calendarPaths.contains(FolderAndCalendar.path))
    #expect(try await world.sync().run.output == "p/work: nothing to do\n")
  }

  @Test func `with items in it the items come behind, and status has them alone`() async throws {
    let world = try FolderAndCalendar()
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    let status = try await world.calgw("status").output
    #expect(!status.contains("itself") && status.contains("\"Dentist\""), "\(status)")
    let dry = try await world.sync("--dry-run").run.output
    let words = "p/work: would make the folder work on the local side; down: 1 new"
    #expect(dry.hasPrefix(words + Self.dryRun), "\(dry)")
    let run = try await world.sync().run
    #expect(run.output == "p/work: made the folder work on the local side; down: 1 new\n")
  }
}
