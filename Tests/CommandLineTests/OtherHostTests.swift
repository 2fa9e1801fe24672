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

    /// - Parameter answer: of the first server, by the address of the second.
    init(_ answer: (String) -> ScriptedServer.Answer = Servers.namesHome) throws {
      var switches = ModelSwitches()
      switches.authentication = .basic
      let model = ModelServer(switches, surroundings: ModelClock().surroundings)
      model.makeCalendar("work", displayName: "Work")
      let second = try ScriptedServer { model.steps(for: $0) }
      self.second = second
      first = try ScriptedServer(answer(second.url))
      calgw = try CommandLine()
      try calgw.write("secret", "secret")
    }

    /// A principal whose calendars are on the second server.
    static func namesHome(_ second: String) -> ScriptedServer.Answer {
      let principal = principalText(homes: [second + "calendars/alice/"])
      return { _ in
        [.answer(207, headers: ["Content-Type": "application/xml"], body: principal)]
      }
    }

    /// A principal with calendars here, and on the second server.
    static func namesBoth(_ second: String) -> ScriptedServer.Answer {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      model.makeCalendar("home", displayName: "Home")
      let principal = principalText(homes: [ModelServer.homePath, second + "calendars/alice/"])
      return { request in
        request.target == "/"
          ? [.answer(207, headers: ["Content-Type": "application/xml"], body: principal)]
          : model.steps(for: request)
      }
    }

    /// A home set with a calendar here, and one on the second server.
    static func listsBoth(_ second: String) -> ScriptedServer.Answer {
      lists(second, beside: ["home"])
    }

    /// A home set with one on the second server alone.
    static func listsSecond(_ second: String) -> ScriptedServer.Answer { lists(second, beside: []) }

    private static func lists(_ second: String, beside own: [String]) -> ScriptedServer.Answer {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      let home = ModelServer.homePath
      for name in own { model.makeCalendar(name, displayName: name.capitalized) }
      func member(_ href: String, _ type: String, _ name: String) -> String {
        "<D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:resourcetype><D:collection/>"
          + "\(type)</D:resourcetype><D:displayname>\(name)</D:displayname></D:prop>"
          + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
      }
      let listing =
        "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'>"
        + member(home, "", "Alice")
        + own.map { member("\(home)\($0)/", "<C:calendar/>", $0.capitalized) }.joined()
        + member("\(second)calendars/alice/work/", "<C:calendar/>", "Work") + "</D:multistatus>"
      return { request in
        request.method == "PROPFIND" && request.target == home
          ? [.answer(207, headers: ["Content-Type": "application/xml"], body: listing)]
          : model.steps(for: request)
      }
    }

    /// A web site whose well-known leads to the second server.
    static func redirects(_ second: String) -> ScriptedServer.Answer {
      return { request in
        request.target == "/.well-known/caldav"
          ? [.answer(301, headers: ["Location": second])] : [.html]
      }
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

    /// Sets up an account of the first server.
    var initialization: [String] {
      [
        "init", "--url", first.url, "--username", "alice", "--password-file",
        calgw.home + "/secret", "--local", "~/calendars",
      ]
    }

    /// The second server was shown a password.
    var knowsPassword: Bool {
      second.requests.contains { $0.header("Authorization") != nil }
    }

    /// What `init` wrote; nil where it wrote nothing.
    var written: String? {
      try? String(contentsOfFile: calgw.home + "/config/calgw/config.toml", encoding: .utf8)
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

  /// Whether the server asks for a password, or only takes one.
  @Test(arguments: [true, false])
  func `doctor tells it of the search, and not of the sign-in`(asks: Bool)
    async throws
  {
    let servers = try Servers { second in
      let principal = Servers.namesHome(second)
      return { request in
        asks && request.header("Authorization") == nil
          ? [.answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""])]
          : principal(request)
      }
    }
    try servers.configure()
    let doctor = try await servers.calgw("doctor", "home")
    #expect(doctor.status == 77)
    let found = "failed  discovery: the calendars are on another server"
    #expect(doctor.output.contains(found), "\(doctor.output)")
    let signIn = "ok      sign in: the server lets us in as alice"
    #expect(doctor.output.contains(signIn), "\(doctor.output)")
    #expect(servers.second.requests.isEmpty)
  }

  @Test func `init takes the consent as an option and writes it down`() async throws {
    for servers in [try Servers(), try Servers(Servers.redirects)] {
      let host = "127.0.0.1:\(servers.second.port)"
      let refused = try await servers.calgw.run(servers.initialization)
      #expect(refused.status == 77)
      #expect(refused.errors.contains("on another server, http://\(host)"), "\(refused.errors)")
      #expect(refused.errors.contains("--trusted-host \(host)"))
      #expect(!servers.knowsPassword)
      #expect(!servers.calgw.exists("config"))
      let taken = try await servers.calgw.run(
        servers.initialization + ["--trusted-host", host])
      #expect(taken.status == 0, "\(taken.errors)")
      #expect(servers.written?.contains(servers.line) == true)
      #expect(try await servers.calgw("sync").status == 0)
    }
  }

  @Test(
    .enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0), .timeLimit(.minutes(20)),
    arguments: ["y", "n", ""])
  func `init asks where a redirect leads to another server, which gets nothing before`(
    answer: String
  ) async throws {
    let servers = try Servers(Servers.redirects)
    let run = try await servers.calgw.onTerminal(
      servers.initialization,
      answers: [
        (
          "leads to another server, 127.0.0.1:\(servers.second.port), for the calendars."
            + " May it have your password? [y/N] ",
          answer
        )
      ])
    #expect(run.status == (answer == "y" ? 0 : 77), "\(run.screen)")
    #expect(servers.knowsPassword == (answer == "y"))
    guard answer == "y" else {
      #expect(servers.written == nil)
      return
    }
    #expect(servers.written?.contains(servers.line) == true)
    #expect(try await servers.calgw("sync").status == 0)
  }

  @Test func `a redirect to another server is told with both mends, and takes nothing along`()
    async throws
  {
    let servers = try Servers(Servers.redirects)
    try servers.configure()
    for command in ["sync", "discover", "doctor"] {
      let run = try await servers.calgw(command)
      #expect(run.status == 77, "\(run.errors)")
      let said = run.errors + run.output
      #expect(said.contains("set url to \(servers.second.url), or add this line"), "\(said)")
      #expect(said.contains("to the account: \(servers.line)"))
    }
    #expect(!servers.second.requests.isEmpty && !servers.knowsPassword)
    try servers.configure(servers.line)
    #expect(try await servers.calgw("discover").status == 0)
    #expect(servers.knowsPassword)
  }

  @Test func `the server that has a calendar is named with it`() async throws {
    let servers = try Servers(Servers.listsBoth)
    try servers.configure(servers.line)
    let host = "http://127.0.0.1:\(servers.second.port)"
    let doctor = try await servers.calgw("doctor")
    #expect(
      doctor.output.contains("2 calendars at \(servers.first.url)calendars/alice/, on \(host)"),
      "\(doctor.output)")
    let found = try await servers.calgw("discover", "--json")
    #expect(found.output.contains("\"\(host)/calendars/alice/work/\""), "\(found.output)")
  }

  @Test func `a folder that is called as a calendar there gets no other one here`() async throws {
    let servers = try Servers(Servers.listsBoth)
    try servers.configure()
    try servers.calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    for _ in 0..<2 {
      let run = try await servers.calgw("sync")
      #expect(run.status == 1, "\(run.output)")
      #expect(run.errors.contains("work may be one of those"), "\(run.errors)")
      #expect(run.errors.contains(servers.line), "\(run.errors)")
      #expect(!servers.first.requests.contains { $0.method.hasPrefix("MK") })
    }
    // Another one is none of that server's.
    try servers.calgw.write("calendars/new/n.ics", event("n", "New"))
    _ = try await servers.calgw("sync")
    #expect(servers.first.requests.filter { $0.method == "MKCALENDAR" }.count == 1)
  }

  @Test func `a sync tells once of calendars on another server beside its own`() async throws {
    let servers = try Servers(Servers.namesBoth)
    try servers.configure()
    let words = "account home has more on 127.0.0.1:\(servers.second.port), which is not asked"
    let first = try await servers.calgw("sync")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.contains(words), "\(first.errors)")
    let second = try await servers.calgw("sync")
    #expect(second.status == 0 && !second.errors.contains("has more on"), "\(second.errors)")
    #expect(try await servers.calgw("discover").errors.contains("has more on 127.0.0.1"))
    #expect(servers.second.requests.isEmpty)
  }

  @Test func `a word for one counts from the next sync on, and so does the end of it`() async throws
  {
    let servers = try Servers(Servers.namesBoth)
    try servers.configure()
    #expect(try await servers.calgw("sync").status == 0)
    #expect(!servers.calgw.exists("calendars/work"))
    try servers.configure(servers.line)
    let vouched = try await servers.calgw("sync")
    #expect(vouched.status == 0 && servers.calgw.exists("calendars/work"), "\(vouched.errors)")
    try servers.calgw.write("calendars/work/a.ics", event("a", "Dentist"))
    #expect(try await servers.calgw("sync").status == 0)

    // It may be there as ever, and nobody asks.
    try servers.configure()
    let before = servers.second.requests.count
    for _ in 0..<2 {
      let run = try await servers.calgw("sync")
      #expect(run.status == 1 && run.errors.contains("[broken-remote]"), "\(run.errors)")
      #expect(run.errors.contains("work may be one of those"), "\(run.errors)")
      #expect(run.errors.contains(servers.line) && !run.errors.contains("forget"), "\(run.errors)")
    }
    #expect(servers.second.requests.count == before)
    #expect(!servers.first.requests.contains { $0.method.hasPrefix("MK") })
    try servers.configure(servers.line)
    let again = try await servers.calgw("sync")
    #expect(again.output == "p/home: nothing to do\np/work: nothing to do\n", "\(again.errors)")
  }

  /// As hosts below that of the URL, and those of iCloud: here a star vouches for both.
  @Test func `one that gets the password unasked is told, by a sync once`() async throws {
    let servers = try Servers()
    try servers.configure("trusted_hosts = [\"*.0.0.1\"]")
    let words =
      "account home also lives on http://127.0.0.1:\(servers.second.port), which gets the same user"
      + " name and password or token; if it is not your provider's, change them"
    for arguments in [["sync", "--dry-run"], ["sync"], ["discover", "--json"], ["discover"]] {
      let run = try await servers.calgw.run(arguments)
      #expect(run.status == 0 && run.errors.contains(words), "\(arguments) \(run.errors)")
      #expect(!run.output.contains("lives on"), "\(run.output)")
    }
    let again = try await servers.calgw("sync")
    #expect(again.status == 0 && !again.errors.contains("lives on"), "\(again.errors)")

    let examined = try await servers.calgw("doctor")
    let warning = "the account also lives on http://127.0.0.1:\(servers.second.port), which gets"
    #expect(examined.output.contains(warning), "\(examined.output)")

    try servers.configure(servers.line)
    for command in ["discover", "doctor"] {
      let known = try await servers.calgw(command)
      #expect(!(known.output + known.errors).contains("lives on"), "who wrote it out knows")
    }
  }

  @Test func `init tells of it, and of one that it did not ask`() async throws {
    let open = try Servers()
    let first = try await open.calgw.run(open.initialization + ["--trusted-host", "*.0.0.1"])
    let host = "127.0.0.1:\(open.second.port)"
    #expect(
      first.status == 0 && first.errors.contains("lives on http://\(host)"), "\(first.errors)")
    let both = try Servers(Servers.namesBoth)
    let second = try await both.calgw.run(both.initialization)
    let words = "has more on 127.0.0.1:\(both.second.port), which is not asked"
    #expect(second.status == 0 && second.errors.contains(words), "\(second.errors)")
  }

  @Test func `init tells of another server once, where all calendars are there`() async throws {
    let servers = try Servers(Servers.listsSecond)
    let run = try await servers.calgw.run(servers.initialization)
    #expect(run.status == 77 && servers.written == nil, "\(run.errors)")
    #expect(run.errors.contains("the calendars are on another server"), "\(run.errors)")
    #expect(!run.errors.contains("has more on"), "\(run.errors)")
  }

  @Test func `a run that may look nowhere for calendars has not synced`() async throws {
    let servers = try Servers(Servers.listsSecond)
    try servers.configure()
    for _ in 0..<2 {
      let run = try await servers.calgw("sync")
      #expect(run.status == 77, "\(run.output)")
      #expect(run.errors.contains("the calendars are on another server"), "\(run.errors)")
      #expect(run.errors.contains(servers.line), "\(run.errors)")
    }
    #expect(servers.second.requests.isEmpty)
  }

  @Test(arguments: [
    "https://x.example/", "*.com", "", "a b", "u@h", "*", "h:0", "!", "!*.com", "!!h",
  ])
  func `what is no host is status 78`(name: String) async throws {
    let servers = try Servers()
    try servers.configure("trusted_hosts = [\"\(name)\"]")
    let run = try await servers.calgw("sync")
    #expect(run.status == 78)
    #expect(run.errors.contains("account.home.trusted_hosts"))
  }
}
