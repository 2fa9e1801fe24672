import TestSupport
import Testing

/// A user's days with the real program and real servers.
@Suite(.serialized) struct EverydayTests {
  @Test(arguments: RealServer.Kind.allCases)
  func `both directions, again and again`(kind: RealServer.Kind) async throws {
    let pair = try await Pair.make(kind)
    try pair.write("dentist.ics", Event.make("dentist", "Dentist"))
    try pair.write("gym.ics", Event.make("gym", "Gym"))
    try await pair.server.otherClient.put(
      pair.path + "lunch.ics", Array(Event.make("lunch", "Lunch").utf8))

    var run = try await pair.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    try await expectSame(pair, ["dentist": "Dentist", "gym": "Gym", "lunch": "Lunch"])

    // An edit here, an edit there, a deletion here, a deletion there, at once.
    try pair.write("dentist.ics", Event.make("dentist", "Dentist again"))
    let lunch = try #require(try await pair.remotePath(of: "lunch"))
    try await pair.server.otherClient.put(lunch, Array(Event.make("lunch", "Long lunch").utf8))
    try pair.sandbox.remove("\(pair.folder)/gym.ics")
    run = try await pair.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    try await expectSame(pair, ["dentist": "Dentist again", "lunch": "Long lunch"])

    try await pair.server.otherClient.delete(lunch)
    run = try await pair.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    try await expectSame(pair, ["dentist": "Dentist again"])
    #expect(pair.sandbox.names(in: pair.folder).filter { $0.hasPrefix(".") } == [])
    await pair.server.stop()
  }

  @Test(arguments: RealServer.Kind.allCases)
  func `what goes to another folder goes to the other calendar, with its edit`(
    kind: RealServer.Kind
  ) async throws {
    let pair = try await Pair.make(kind)
    let home = try Pair(server: pair.server, calendar: "home")
    let made = try await pair.server.otherClient.makeCalendar(home.path)
    #expect(made.status == 201)
    let configuration = "config/calgw/config.toml"
    let text = try pair.sandbox.read(configuration)
    try pair.sandbox.write(
      configuration, text.replacing("[\"work\"]", with: "[\"work\", \"home\"]"))
    try pair.write("dentist.ics", Event.make("dentist", "Dentist"))
    try pair.write("gym.ics", Event.make("gym", "Gym"))
    try pair.sandbox.write("calendars/home/choir.ics", Event.make("choir", "Choir"), mode: 0o644)
    var run = try await pair.calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    run = try await pair.calgw("move", "dentist", "test/home")
    #expect(run.status == 0, "\(run.errors)")
    run = try await pair.calgw("edit", "dentist", "--summary", "Surgeon")
    #expect(run.status == 0, "\(run.errors)")
    run = try await pair.calgw("sync", "--verbose")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("moved from test/work"), "\(run.output)")
    let left = try await pair.remoteTexts()
    #expect(Array(left.keys) == ["gym"])
    let there = try await home.remoteTexts()
    #expect(there.keys.sorted() == ["choir", "dentist"])
    #expect(there["dentist"]?.contains("SUMMARY:Surgeon") == true)
    run = try await pair.calgw("sync", "--json")
    #expect(run.status == 0 && !run.output.contains("\"created\":1"), "\(run.output)")
    await pair.server.stop()
  }

  @Test(arguments: RealServer.Kind.allCases)
  func `a run with nothing to do asks once and writes nothing`(kind: RealServer.Kind)
    async throws
  {
    let pair = try await Pair.make(kind)
    for number in 0..<5 {
      try pair.write("e\(number).ics", Event.make("e\(number)", "Event \(number)"))
    }
    #expect(try await pair.calgw("sync").status == 0)
    let second = try await pair.calgw("sync", "--json")
    #expect(second.status == 0)
    let object = try #require(try second.objects().first)
    #expect(object["requests"] as? Int == 1)
    let collection = try #require((object["collections"] as? [[String: Any]])?.first)
    #expect(collection["unchanged"] as? Int == 5)
    for direction in ["pulled", "pushed"] {
      let counts = try #require(collection[direction] as? [String: Int])
      #expect(counts == ["created": 0, "updated": 0, "deleted": 0])
    }
    await pair.server.stop()
  }

  @Test func `push and pull are one-way, and what waits does not affect the status`() async throws {
    let pair = try await Pair.make(.radicale)
    try pair.write("here.ics", Event.make("here", "Here"))
    try await pair.server.otherClient.put(
      pair.path + "there.ics", Array(Event.make("there", "There").utf8))
    #expect(try await pair.calgw("push").status == 0)
    #expect(Pair.summaries(try pair.localTexts()) == ["here": "Here"])
    #expect(try await pair.remoteTexts().count == 2)
    #expect(try await pair.calgw("pull").status == 0)
    try await expectSame(pair, ["here": "Here", "there": "There"])
    await pair.server.stop()
  }

  @Test func `a conflict waits, is reported, and a policy settles it`() async throws {
    let pair = try await Pair.make(.radicale)
    try pair.write("dentist.ics", Event.make("dentist", "Dentist"))
    #expect(try await pair.calgw("sync").status == 0)
    let path = try #require(try await pair.remotePath(of: "dentist"))
    try pair.write(
      "dentist.ics", Event.make("dentist", "Mine").replacing("T100000Z", with: "T090000Z"))
    try await pair.server.otherClient.put(
      path, Array(Event.make("dentist", "Theirs").replacing("T100000Z", with: "T080000Z").utf8))
    let waiting = try await pair.calgw("sync", "--json")
    #expect(waiting.status == 1)
    let collection = try #require(
      (try waiting.objects().first?["collections"] as? [[String: Any]])?.first)
    let conflict = try #require((collection["conflicts"] as? [[String: Any]])?.first)
    #expect(conflict["uid"] as? String == "dentist")
    #expect(conflict["reason"] as? String == "schedule")
    #expect(Event.line("SUMMARY", of: try pair.read("dentist.ics")) == "Mine")

    #expect(try await pair.calgw("sync", "--conflict", "remote").status == 0)
    try await expectSame(pair, ["dentist": "Theirs"])
    let log = try await pair.calgw("log", "--json", "--content")
    #expect(log.status == 0)
    let befores = try log.objects().compactMap { $0["before"] as? String }
    #expect(befores.contains { $0.contains("SUMMARY:Mine") }, "the loser is in the log")
    await pair.server.stop()
  }

  @Test func `a deleted event is in the log and comes back on both sides`() async throws {
    let pair = try await Pair.make(.radicale)
    for uid in ["dentist", "gym", "lunch"] {
      try pair.write("\(uid).ics", Event.make(uid, uid, extra: "X-NOTE:kept"))
    }
    #expect(try await pair.calgw("sync").status == 0)
    let path = try #require(try await pair.remotePath(of: "dentist"))
    try await pair.server.otherClient.delete(path)
    #expect(try await pair.calgw("sync").status == 0)
    #expect(try pair.localTexts()["dentist"] == nil)

    let log = try await pair.calgw("log", "dentist", "--json")
    let entry = try #require(try log.objects().first)
    #expect(entry["uid"] as? String == "dentist")
    #expect(entry["side"] as? String == "local")
    let id = try #require(entry["id"])
    let restored = try await pair.calgw("restore", "\(id)")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try pair.localTexts()["dentist"]?.contains("X-NOTE:kept") == true)
    #expect(try await pair.remoteTexts()["dentist"] != nil)
    await pair.server.stop()
  }

  @Test func `a dry run changes nothing and says what a run would do`() async throws {
    let pair = try await Pair.make(.radicale)
    try pair.write("dentist.ics", Event.make("dentist", "Dentist"))
    let dry = try await pair.calgw("sync", "--dry-run", "--json")
    #expect(dry.status == 0, "\(dry.errors)")
    let collection = try #require(
      (try dry.objects().first?["collections"] as? [[String: Any]])?.first)
    let action = try #require((collection["actions"] as? [[String: Any]])?.first)
    #expect(action["action"] as? String == "create")
    #expect(action["side"] as? String == "remote")
    #expect(action["file"] as? String == "dentist.ics")
    #expect(try await pair.remoteTexts().isEmpty)
    let status = try await pair.calgw("status", "--json", "--exit-code")
    #expect(status.status == 1)
    #expect(try status.objects().first?["local"] as? String == "created")
    #expect(try await pair.calgw("sync").status == 0)
    #expect(try await pair.calgw("status", "--exit-code").status == 0)
    await pair.server.stop()
  }

  @Test func `without a configuration, a folder and the URL of a calendar`() async throws {
    let pair = try await Pair.make(.radicale)
    try pair.write("dentist.ics", Event.make("dentist", "Dentist"))
    let run = try await pair.calgw(
      "sync", "--local", "\(pair.sandbox.path)/\(pair.folder)", "--remote",
      pair.server.url(of: "work"), "--username", RealServer.username, "--password-env", "PW",
      "--json", environment: ["PW": RealServer.password, "XDG_CONFIG_HOME": "/nonexistent"])
    #expect(run.status == 0, "\(run.errors)")
    let name = try #require(try run.objects().first?["pair"] as? String)
    #expect(name.wholeMatch(of: /adhoc-[0-9a-f]{8}/) != nil)
    #expect(try await pair.remoteTexts()["dentist"] != nil)
    await pair.server.stop()
  }

  @Test func `two folders are a pair too`() async throws {
    let sandbox = Sandbox()
    let calgw = Program(sandbox: sandbox)
    try sandbox.write(
      "config/calgw/config.toml",
      """
      [pair.copy]
      local = "~/one"
      remote = { local = "~/two" }
      calendar = "."
      """)
    try sandbox.write("one/a.ics", Event.make("a", "A"))
    try sandbox.write("two/b.ics", Event.make("b", "B"))
    #expect(try await calgw("sync").status == 0)
    #expect(sandbox.items(in: "one").count == 2)
    #expect(sandbox.items(in: "two").count == 2)
  }

  private func expectSame(_ pair: Pair, _ expected: [String: String]) async throws {
    #expect(Pair.summaries(try pair.localTexts()) == expected)
    #expect(Pair.summaries(try await pair.remoteTexts()) == expected)
  }
}
