import Foundation
import Glibc
import TestSupport
import Testing

/// An account whose calendars are on another server than the configured one.
@Suite struct OtherHostTests {
  /// The server that the configuration names, and the one that it names.
  private struct Servers {
    let first: ScriptedServer
    let second: ScriptedServer
    let calgw: CommandLine

    init() throws {
      var switches = ModelSwitches()
      switches.authentication = .basic
      let model = ModelServer(switches, surroundings: ModelClock().surroundings)
      model.makeCalendar("work", displayName: "Work")
      let second = try ScriptedServer { model.steps(for: $0) }
      self.second = second
      let principal =
        "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'><D:response>"
        + "<D:href>/</D:href><D:propstat><D:prop><D:resourcetype><D:principal/></D:resourcetype>"
        + "<C:calendar-home-set><D:href>\(second.url)calendars/alice/</D:href>"
        + "</C:calendar-home-set></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
        + "</D:response></D:multistatus>"
      first = try ScriptedServer { _ in
        [.answer(207, headers: ["Content-Type": "application/xml"], body: principal)]
      }
      calgw = try CommandLine()
      try calgw.write("secret", "secret")
    }

    func configure(_ keys: String = "") throws {
      try calgw.configure(
        """
        [account.home]
        url = "\(first.url)"
        username = "alice"
        password = { file = "~/secret" }
        \(keys)

        [pair.p]
        local = "~/calendars"
        remote = "home"
        """)
    }

    var line: String { "trusted_hosts = [\"127.0.0.1:\(second.port)\"]" }
  }

  @Test func `it gets no password without consent, and the message has the line to add`()
    async throws
  {
    let servers = try Servers()
    try servers.configure()
    for command in ["sync", "discover", "doctor"] {
      let run = try await servers.calgw(command)
      #expect(run.status == 77, "\(run.errors)")
      #expect((run.errors + run.output).contains("on another server"))
      #expect((run.errors + run.output).contains("add this line to the account: \(servers.line)"))
    }
    #expect(servers.second.requests.isEmpty)

    try servers.configure(servers.line)
    try servers.calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    for _ in 0..<2 {
      let run = try await servers.calgw("sync")
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(servers.second.requests.contains { $0.header("Authorization") != nil })

    // Who takes the line out again takes the consent back, whatever was remembered meanwhile.
    let before = servers.second.requests.count
    try servers.configure()
    #expect(try await servers.calgw("sync").status == 77)
    let later = servers.second.requests.dropFirst(before)
    #expect(later.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `init takes the consent as an option and writes it down`() async throws {
    let servers = try Servers()
    let arguments = [
      "init", "--url", servers.first.url, "--username", "alice", "--password-file",
      servers.calgw.home + "/secret", "--local", "~/calendars",
    ]
    let refused = try await servers.calgw.run(arguments)
    #expect(refused.status == 77)
    #expect(refused.errors.contains("--trusted-host 127.0.0.1:\(servers.second.port)"))
    #expect(!servers.calgw.exists("config"))
    let taken = try await servers.calgw.run(
      arguments + ["--trusted-host", "127.0.0.1:\(servers.second.port)"])
    #expect(taken.status == 0, "\(taken.errors)")
    let path = servers.calgw.home + "/config/calgw/config.toml"
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains(servers.line))
    #expect(try await servers.calgw("sync").status == 0)
  }

  @Test(arguments: ["https://x.example/", "*.com", "", "a b", "u@h", "*", "h:0"])
  func `what is no host is status 78`(name: String) async throws {
    let servers = try Servers()
    try servers.configure("trusted_hosts = [\"\(name)\"]")
    let run = try await servers.calgw("sync")
    #expect(run.status == 78)
    #expect(run.errors.contains("account.home.trusted_hosts"))
  }
}
