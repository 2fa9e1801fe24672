import Foundation
import TestSupport
import Testing

/// An account with a calendar home on its own server, and one on another server for which nobody
/// has vouched.
@Suite struct UnaskedHomeTests {
  private let first: ScriptedServer
  private let second: ScriptedServer
  private let calgw: CommandLine
  /// The principal of somebody who has a home on a third server, too.
  private static let another = "/another/"
  private static let third = "127.0.0.1:9"

  init() throws {
    func model(_ calendar: String) -> ModelServer {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      model.makeCalendar(calendar)
      return model
    }
    let (own, shared) = (model("home"), model("team"))
    shared.put("a.ics", event("a", "Choir"), in: ModelServer.homePath + "team/")
    let second = try ScriptedServer { shared.steps(for: $0) }
    let homes = [ModelServer.homePath, second.url + "calendars/alice/"]
    let principals = [
      "/": principalText(homes: homes),
      Self.another: principalText(at: Self.another, homes: homes + ["http://\(Self.third)/"]),
    ]
    first = try ScriptedServer { request in
      guard let principal = principals[request.target] else { return own.steps(for: request) }
      return [.answer(207, headers: ["Content-Type": "application/xml"], body: principal)]
    }
    self.second = second
    calgw = try CommandLine()
  }

  private var host: String { "127.0.0.1:\(second.port)" }

  private func configure(at path: String = "/", hosts: String = "", pair: String = "") throws {
    try calgw.configure(
      server: first.url + path.dropFirst(), account: "trusted_hosts = [\(hosts)]", pair: pair)
  }

  private var makings: Int { first.requests.count { $0.method.hasPrefix("MK") } }

  /// The second run remembers where the calendars are, and searches for nothing.
  @Test func `a folder with items gets no calendar that may be there, and is joined with it later`()
    async throws
  {
    try configure()
    try calgw.write("calendars/team/a.ics", event("a", "Choir"))
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 1 && run.errors.contains("[broken-remote]"), "\(run.errors)")
      #expect(run.errors.contains("team may be one of those"), "\(run.errors)")
      for way in ["[\"\(host)\"]", "[\"!\(host)\"]", "\"!team\"", "on the server's own pages"] {
        #expect(run.errors.contains(way), "\(way) \(run.errors)")
      }
      #expect(run.output.contains("p/home: "), "the rest is synced: \(run.output)")
    }
    #expect(makings == 0 && second.requests.isEmpty)

    try configure(hosts: "\"\(host)\"")
    let vouched = try await calgw("sync")
    #expect(vouched.status == 0, "\(vouched.errors)")
    #expect(makings == 0 && !calgw.exists("calendars/team-2"))
    let again = try await calgw("sync")
    #expect(again.output == "p/home: nothing to do\np/team: nothing to do\n", "\(again.errors)")
  }

  /// There can be only one line of that name.
  @Test func `for homes on two such servers there is one line to add`() async throws {
    try configure(at: Self.another)
    try calgw.write("calendars/team/a.ics", event("a", "Choir"))
    for command in ["sync", "doctor"] {
      let run = try await calgw(command)
      let said = run.output + run.errors
      for line in ["[\"\(host)\", \"\(Self.third)\"]", "[\"!\(host)\", \"!\(Self.third)\"]"] {
        #expect(said.contains("trusted_hosts = \(line)"), "\(command) \(said)")
      }
      #expect(!said.contains("[\"\(host)\"]"), "\(command) \(said)")
    }
    #expect(second.requests.isEmpty)
  }

  /// A server behind a proxy, which knows itself by another host.
  @Test func `a home that is the own one under another host is none elsewhere`() async throws {
    let own = ModelServer(surroundings: ModelClock().surroundings)
    own.makeCalendar("home")
    let principal = principalText(
      at: ModelServer.principalPath,
      homes: ["https://cal.internal.example" + ModelServer.homePath])
    let server = try ScriptedServer { request in
      request.target == ModelServer.principalPath
        ? [.answer(207, headers: ["Content-Type": "application/xml"], body: principal)]
        : own.steps(for: request)
    }
    try calgw.configure(
      server: server.url + ModelServer.homePath.dropFirst(), account: "", pair: "")
    try calgw.write("calendars/team/a.ics", event("a", "Choir"))
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(own.calendarPaths.count == 2)
  }

  @Test func `a folder without items is no news`() async throws {
    try configure()
    try FileManager.default.createDirectory(
      atPath: calgw.home + "/calendars/team", withIntermediateDirectories: true)
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 0 && !run.errors.contains("team"), "\(run.errors)")
    }
    #expect(makings == 0)
  }

  @Test func `one that is left out is none either`() async throws {
    try configure(pair: "collections = [\"*\", \"!team\"]")
    try calgw.write("calendars/team/a.ics", event("a", "Choir"))
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(makings == 0)
  }

  @Test func `who wants nothing of that server says so, and gets calendars on the own one`()
    async throws
  {
    try configure(hosts: "\"!\(host)\"")
    try calgw.write("calendars/team/a.ics", event("a", "Choir"))
    let run = try await calgw("sync")
    #expect(run.status == 0 && !run.errors.contains("has more on"), "\(run.errors)")
    #expect(makings == 1)
    for command in ["sync", "discover", "doctor"] {
      let later = try await calgw(command)
      #expect(later.status == 0, "\(later.output) \(later.errors)")
      #expect(!(later.output + later.errors).contains(host), "\(later.output) \(later.errors)")
    }
    #expect(second.requests.isEmpty)
  }

  /// It is there as ever, and nobody has to bring it back.
  @Test func `a calendar on a server that is refused later is not told as gone`() async throws {
    try configure(hosts: "\"\(host)\"")
    #expect(try await calgw("sync").status == 0)
    #expect(calgw.exists("calendars/team"))
    let before = second.requests.count
    try configure(hosts: "\"!\(host)\"")
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 1, "\(run.errors)")
      #expect(run.output.contains("p/home: "), "the rest is synced: \(run.output)")
      for words in ["take \"!\(host)\" out of", "\"!team\"", "`calgw forget p/team`"] {
        #expect(run.errors.contains(words), "\(words) \(run.errors)")
      }
      for words in ["is gone", "bring it back"] { #expect(!run.errors.contains(words)) }
    }
    try configure(hosts: "\"!\(host)\"", pair: "collections = [\"*\", \"!team\"]")
    #expect(try await calgw("sync").status == 0)
    #expect(second.requests.count == before && makings == 0)

    try configure(hosts: "\"\(host)\"")
    let again = try await calgw("sync")
    #expect(again.output == "p/home: nothing to do\np/team: nothing to do\n", "\(again.errors)")
  }

  /// Whatever the first run remembers of the other home.
  @Test func `so it is for who says so after a run`() async throws {
    try configure()
    try calgw.write("calendars/team/a.ics", event("a", "Choir"))
    #expect(try await calgw("sync").status == 1)
    try configure(hosts: "\"!\(host)\"")
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(makings == 1 && second.requests.isEmpty)
  }
}
