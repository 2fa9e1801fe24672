import Foundation
import TestSupport
import Testing

/// Folders and calendars that no journal knows, that are called otherwise, and that hold the same:
/// they are one collection, and no second calendar is sent all of it.
@Suite struct SameItemsTests {
  /// A pair `p` of a folder and a server whose calendars have addresses that name nothing.
  private struct World {
    let calgw: CommandLine
    let model: ModelServer
    let server: ScriptedServer

    static func id(_ number: Int) -> String { "\(number)f1f6c1e-6d0a-4c58-9b0e-0a1b2c3d4e5f" }
    static func path(_ number: Int) -> String { ModelServer.homePath + id(number) + "/" }

    /// - Parameter calendars: what each is called, and how its items are: `a` has `a0` to `a4`.
    init(_ calendars: [(name: String, items: String)], keys: String = "") throws {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      for (number, calendar) in calendars.enumerated() {
        let path = model.makeCalendar(World.id(number), displayName: calendar.name)
        for uid in World.uids(calendar.items) {
          model.put("\(uid).ics", event(uid, "Title"), in: path)
        }
      }
      self.model = model
      server = try ScriptedServer { model.steps(for: $0) }
      calgw = try CommandLine()
      try configure(keys)
    }

    static func uids(_ items: String) -> [String] {
      items.flatMap { letter in (0..<5).map { "\(letter)\($0)" } }
    }

    func configure(_ keys: String) throws { try calgw.configure(server: server.url, pair: keys) }

    /// Fills a folder as another program did before.
    func fill(_ folder: String, _ items: String) throws {
      for uid in World.uids(items) {
        try calgw.write("calendars/\(folder)/\(uid).ics", event(uid, "Title"))
      }
    }

    /// Folders, each with whose items it holds, and the calendars that there are.
    func folders() throws -> [String] {
      let place = calgw.home + "/calendars"
      return try FileManager.default.contentsOfDirectory(atPath: place).sorted().map { folder in
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(place)/\(folder)")
        let letters = Set(files.filter { $0.hasSuffix(".ics") }.map { $0.prefix(1) })
        return "\(folder) \(letters.sorted().joined())"
      }
    }

    func loseJournal() throws {
      try FileManager.default.removeItem(atPath: calgw.home + "/state")
    }

    /// Nothing was written to the server, and it has as many calendars as before.
    func expectNothingSent(_ calendars: Int, at place: SourceLocation = #_sourceLocation) {
      let writes = server.requests.filter { ["PUT", "DELETE", "MOVE"].contains($0.method) }
      #expect(writes.isEmpty, "\(writes.map(\.target))", sourceLocation: place)
      #expect(model.calendarPaths.count == calendars, sourceLocation: place)
    }
  }

  private static func note(_ folder: String, _ calendar: String, _ number: Int) -> String {
    "p/\(folder) is synced with the calendar \"\(calendar)\" at \(World.path(number)), which holds"
      + " the same items"
  }

  @Test func `folders of another program keep their names, and every look says whose they are`()
    async throws
  {
    let world = try World([("work", "a"), ("Private Life", "b")])
    try world.fill("Work", "a")
    try world.fill("Private_Life", "b")
    for command in [["sync", "--dry-run"], ["status"], ["sync"]] {
      let run = try await world.calgw.run(command)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(run.errors.contains(Self.note("Work", "work", 0)), "\(run.errors)")
      #expect(run.errors.contains(Self.note("Private_Life", "Private Life", 1)), "\(run.errors)")
    }
    world.expectNothingSent(2)
    #expect(try world.folders() == ["Private_Life b", "Work a"])
    let asked = world.server.requests.count
    let again = try await world.calgw("sync")
    #expect(again.status == 0 && again.errors.isEmpty, "\(again.errors)")
    #expect(world.server.requests.dropFirst(asked).map(\.method) == ["PROPFIND"])
  }

  @Test func `a calendar that got another name before the journal was lost is the folder's still`()
    async throws
  {
    let world = try World([("work", "a"), ("private", "b")], keys: "metadata = []")
    #expect(try await world.calgw("sync").status == 0)
    try world.loseJournal()
    world.model.setDisplayName("Arbeit", of: World.path(0))
    let run = try await world.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.errors.contains(Self.note("work", "Arbeit", 0)), "\(run.errors)")
    world.expectNothingSent(2)
    #expect(try world.folders() == ["private b", "work a"])
  }

  @Test func `a name that is another calendar's by now does not join two that share nothing`()
    async throws
  {
    let world = try World([("Familie", "a"), ("Familie", "b")])
    #expect(try await world.calgw("sync").status == 0)
    let folders = try world.folders()
    #expect(folders == ["familie a", "familie-2 b"])
    try world.loseJournal()
    world.model.setDisplayName("Familie 2", of: World.path(0))
    let run = try await world.calgw("sync")
    #expect(run.errors.contains(Self.note("familie", "Familie 2", 0)), "\(run.errors)")
    #expect(run.errors.contains(Self.note("familie-2", "Familie", 1)), "\(run.errors)")
    world.expectNothingSent(2)
    #expect(try world.folders() == folders)
  }

  @Test func `of two that hold the same a person has to say which, and the rest is synced`()
    async throws
  {
    let world = try World([("Arbeit", "a"), ("Archiv", "a"), ("gym", "c")])
    try world.fill("Work", "a")
    for command in [["sync", "--dry-run"], ["sync"], ["sync"]] {
      let run = try await world.calgw.run(command)
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      for words in ["p/Work", "{ Work = \"\(World.id(0))\" }", "{ Work = \"\(World.id(1))\" }"] {
        #expect(run.errors.contains(words), "\(run.errors)")
      }
    }
    let status = try await world.calgw("status")
    #expect(status.output.contains("{ Work = \"\(World.id(0))\" }"), "\(status.output)")
    #expect(status.output.contains("no calendar is made for it"), "\(status.output)")
    world.expectNothingSent(3)
    #expect(try world.folders() == ["Work a", "gym c"])
    try world.configure("collections = [\"*\", \"!Archiv\", { Work = \"\(World.id(0))\" }]")
    let mended = try await world.calgw("sync")
    #expect(mended.status == 0, "\(mended.errors)")
    world.expectNothingSent(3)
    #expect(try world.folders() == ["Work a", "gym c"])
  }

  /// Somebody may have made it for the folder, or it does not say what it holds.
  @Test(arguments: ["", "b"])
  func `a name is given up for a calendar that is the folder's for sure, and for no other`(
    items: String
  ) async throws {
    let world = try World([("work", items), ("team", "a")])
    try world.fill("work", "ac")
    if !items.isEmpty {
      world.model.interfere { $0.path.hasPrefix(World.path(0)) ? .answer(403) : nil }
    }
    let run = try await world.calgw("sync")
    #expect(!run.errors.contains("holds the same items"), "\(run.errors)")
    #expect(try world.folders() == ["team a", "work ac"])
    #expect(world.model.items(in: World.path(1)).count == 5)
  }

  @Test func `kinds that are not synced do not count`() async throws {
    let world = try World([("Arbeit", "a")], keys: "components = [\"VEVENT\"]")
    try world.fill("Work", "a")
    for number in 0..<9 {
      let task = event("t\(number)", "Title").replacing("VEVENT", with: "VTODO")
      world.model.put("t\(number).ics", task, in: World.path(0))
    }
    let run = try await world.calgw("sync")
    #expect(run.errors.contains(Self.note("Work", "Arbeit", 0)), "\(run.errors)")
    world.expectNothingSent(1)
  }

  @Test func `a pair without a configuration names the URL`() async throws {
    let world = try World([("Arbeit", "a"), ("Archiv", "a")])
    try world.fill("Work", "a")
    let run = try await world.calgw(
      "sync", "--local", "~/calendars", "--remote", world.server.url, "--username", "alice",
      "--password-command", "echo \(RealServer.password)")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("as --remote, and the folder Work as --local"), "\(run.errors)")
    world.expectNothingSent(2)
  }

  @Test func `one that does not answer keeps the folder waiting, and nothing else`() async throws {
    let world = try World([("Arbeit", "a"), ("gym", "c")])
    try world.fill("Work", "a")
    world.model.interfere { $0.path.hasPrefix(World.path(0)) ? .answer(500) : nil }
    let run = try await world.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("whether \"Arbeit\" holds what is in Work"), "\(run.errors)")
    world.expectNothingSent(2)
    #expect(try world.folders() == ["Work a", "gym c"])
    world.model.interfere(nil)
    let later = try await world.calgw("sync")
    #expect(later.status == 0, "\(later.output) \(later.errors)")
    #expect(later.errors.contains(Self.note("Work", "Arbeit", 0)), "\(later.errors)")
    world.expectNothingSent(2)
  }

  @Test func `a folder of other items gets a calendar, and a mapping holds whatever is in it`()
    async throws
  {
    let world = try World([("Arbeit", "a")], keys: "collections = [\"*\", { Work = \"Neu\" }]")
    try world.fill("Work", "a")
    try world.fill("Choir", "d")
    let run = try await world.calgw("sync")
    #expect(!run.errors.contains("holds the same items"), "\(run.errors)")
    #expect(world.model.calendarPaths.count == 3)
    #expect(try world.folders() == ["Choir d", "Work a", "arbeit a"])
  }
}
