import Foundation
import TestSupport
import Testing

/// An account that its provider moves to another of its hosts, as iCloud does: the calendars have
/// the same paths there.
@Suite struct MovedAccountTests {
  private static let work = ModelServer.homePath + "work/"

  /// The server of the configuration, which names the host that has the calendars by now.
  private struct Account {
    let model: ModelServer
    let front: ScriptedServer
    let former: ScriptedServer
    let later: ScriptedServer
    let calgw: CommandLine
    private let hasMoved: Switch

    /// - Parameter farewell: what the former host answers once the account has moved.
    init(farewell: [ServerStep] = [.answer(404)]) throws {
      var switches = ModelSwitches()
      switches.authentication = .basic
      let model = ModelServer(switches, surroundings: ModelClock().surroundings)
      model.makeCalendar("work", displayName: "Work")
      model.makeCalendar("empty", displayName: "Empty")
      model.put("a.ics", event("a", "Dentist"), in: MovedAccountTests.work)
      let hasMoved = Switch()
      let former = try ScriptedServer { hasMoved.isOn ? farewell : model.steps(for: $0) }
      let later = try ScriptedServer { model.steps(for: $0) }
      let urls = (former.url, later.url)
      front = try ScriptedServer { _ in
        let home = (hasMoved.isOn ? urls.1 : urls.0) + ModelServer.homePath.dropFirst()
        let body = principalText(homes: [home])
        return [.answer(207, headers: ["Content-Type": "application/xml"], body: body)]
      }
      (self.model, self.former, self.later, self.hasMoved) = (model, former, later, hasMoved)
      calgw = try CommandLine()
      try calgw.write("secret", "secret")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: calgw.home + "/secret")
      try configure()
    }

    /// - Parameter pair: keys of the pair.
    func configure(folder: String = "~/calendars", _ pair: String = "") throws {
      let hosts = [former, later].map { "\"127.0.0.1:\($0.port)\"" }.joined(separator: ", ")
      try calgw.configure(
        server: front.url,
        account: """
          username = "alice"
          password = { file = "~/secret" }
          trusted_hosts = [\(hosts)]
          """, folder: folder, pair: pair)
    }

    func move() { hasMoved.turn(true) }

    /// Runs a sync that is to leave nothing to attend to.
    func sync() async throws -> CommandLine.Run {
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      return run
    }
  }

  private static let nothing = "p/empty: nothing to do\np/work: nothing to do\n"

  @Test func `each calendar stays what it was, the empty ones too`() async throws {
    let account = try Account()
    _ = try await account.sync()
    account.move()
    for _ in 0..<2 {
      let run = try await account.sync()
      #expect(run.output == Self.nothing && run.errors.isEmpty, "\(run.output) \(run.errors)")
    }
    #expect(!account.calgw.exists("calendars/empty-2"))
    #expect(!account.calgw.exists("calendars/work-2"))
    try account.calgw.write("calendars/empty/b.ics", event("b", "Made here"))
    account.model.remove(Array("a.ics".utf8), in: Self.work)
    let asked = account.former.requests.count
    let run = try await account.sync()
    #expect(run.output == "p/empty: up: 1 new\np/work: down: 1 deleted\n", "\(run.errors)")
    #expect(account.former.requests.count == asked)
    #expect(account.model.items(in: ModelServer.homePath + "empty/").count == 1)
  }

  @Test(arguments: [[.close], [.answer(502)]] as [[ServerStep]])
  func `the former host need not answer any more`(farewell: [ServerStep]) async throws {
    let account = try Account(farewell: farewell)
    _ = try await account.sync()
    account.move()
    for _ in 0..<2 {
      let run = try await account.sync()
      #expect(run.output == Self.nothing && run.errors.isEmpty, "\(run.output) \(run.errors)")
    }
  }

  @Test func `one at its old path that holds nothing of the known one is another`() async throws {
    let account = try Account()
    _ = try await account.sync()
    account.move()
    account.model.remove(Array("a.ics".utf8), in: Self.work)
    account.model.put("z.ics", event("z", "Another"), in: Self.work)
    let run = try await account.calgw("sync")
    #expect(run.status == 1 && run.errors.contains("is gone"), "\(run.output) \(run.errors)")
    #expect(account.calgw.exists("calendars/work/a.ics"), "nothing is deleted for it")
  }

  @Test func `the one of a pair that chose it by its name goes on, deletions too`() async throws {
    let account = try Account()
    try account.configure(folder: "~/calendars/work", "calendar = \"Work\"")
    account.model.put("b.ics", event("b", "Choir"), in: Self.work)
    _ = try await account.sync()
    account.move()
    account.model.remove(Array("b.ics".utf8), in: Self.work)
    let run = try await account.sync()
    #expect(run.output == "p/work: down: 1 deleted\n" && run.errors.isEmpty, "\(run.errors)")
    #expect(!account.calgw.exists("calendars/work/b.ics"))
  }
}
