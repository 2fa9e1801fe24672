import Foundation
import TestSupport
import Testing

/// The real program before servers that mean harm: it ends by itself, in little memory, with a
/// status and a reason, shows its password to nobody else, and the other calendar is synced.
@Suite(.serialized, .timeLimit(.minutes(20))) struct HostileServerTests {
  /// What a server does when it is asked for what the calendar `bad` holds.
  struct Attack: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// What the run may end with.
    var statuses: Set<Int32> = [76]
    /// How long the server may be silent: short where that is the attack, else so long that a
    /// busy machine is not taken for one.
    var timeout: String
    /// It redirects to the spy, which may so be asked, and is shown nothing.
    var redirectsToSpy: Bool
    var answer: @Sendable (ReceivedRequest, _ spy: ScriptedServer) -> [ServerStep]

    init(
      _ name: String, _ statuses: Set<Int32> = [76], timeout: String = "2m",
      redirectsToSpy: Bool = false,
      _ answer: @escaping @Sendable (ReceivedRequest, ScriptedServer) -> [ServerStep]
    ) {
      testDescription = name
      self.statuses = statuses
      self.timeout = timeout
      self.redirectsToSpy = redirectsToSpy
      self.answer = answer
    }
  }

  static let home = "/calendars/alice/"

  private func item(_ uid: String) -> String { Event.make(uid, uid) }

  func model() -> ModelServer {
    var switches = ModelSwitches()
    switches.authentication = .basic
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    for name in ["bad", "good"] {
      model.makeCalendar(name)
      for uid in ["a", "b", "c"] {
        model.put("\(uid).ics", item("\(name)-\(uid)"), in: "\(Self.home)\(name)/")
      }
    }
    return model
  }

  func program(_ url: String, deadline: String = "5m", timeout: String = "2m") throws
    -> Program
  {
    let sandbox = Sandbox()
    // What the model server expects, so that an Authorization header is easily found.
    try sandbox.configureAccount(
      url, password: RealServer.password, timeout: timeout,
      """
      [pair.test]
      local = "~/calendars"
      remote = "home"
      deadline = "\(deadline)"
      """)
    return Program(sandbox: sandbox)
  }

  /// Runs a sync against the attack, and looks at all that must hold whatever it is.
  ///
  /// - Parameter asked: The requests for the calendar `bad` that are attacked.
  private func meet(
    _ attack: Attack, deadline: String = "5m",
    where asked: @escaping @Sendable (ReceivedRequest) -> Bool = { _ in true }
  ) async throws -> (Program, Program.Run) {
    let spy = try ScriptedServer { _ in [.answer(404), .close] }
    let model = model()
    let server = try ScriptedServer { request in
      request.target.hasPrefix("\(Self.home)bad/") && asked(request)
        ? attack.answer(request, spy) : model.steps(for: request)
    }
    let calgw = try program(server.url, deadline: deadline, timeout: attack.timeout)
    let neighbour = try Neighbour()
    try neighbour.join(calgw.sandbox)
    let run = try await calgw.withstand("sync", "--verbose", endingWith: attack.statuses)
    neighbour.expectSynced(in: calgw.sandbox)
    #expect(spy.logins.isEmpty)
    if !attack.redirectsToSpy { await spy.expectUnasked() }
    #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
    return (calgw, run)
  }

  @Test(arguments: Attack.listings)
  func `a listing that means harm is refused, and the rest is synced`(attack: Attack)
    async throws
  {
    let (calgw, run) = try await meet(attack)
    #expect(calgw.sandbox.items(in: "calendars/good").count == 3, "\(run.errors.prefix(1000))")
    #expect(calgw.sandbox.items(in: "calendars/bad").isEmpty)
  }

  @Test(arguments: Attack.texts)
  func `a text without end is left alone, and the rest is synced`(attack: Attack) async throws {
    let (calgw, run) = try await meet(attack) { request in
      request.method == "GET"
        || String(decoding: request.body, as: UTF8.self).contains("calendar-multiget")
    }
    #expect(run.errors.contains("is larger than 16777216 bytes"), "\(run.errors.prefix(1000))")
    #expect(calgw.sandbox.items(in: "calendars/good").count == 3)
    #expect(calgw.sandbox.items(in: "calendars/bad").isEmpty)
  }

  /// What is left of the pair waits for its next run; the neighbour's pair does not.
  @Test func `a byte now and then ends with the deadline`() async throws {
    let drip = Attack("drip", [75]) { _, _ in
      [
        .send("HTTP/1.1 207 Multi-Status\r\nContent-Type: application/xml\r\n\r\n"),
        .trickle([UInt8](repeating: 0x20, count: 100_000), every: .milliseconds(200)),
      ]
    }
    let began = ContinuousClock.now
    _ = try await meet(drip, deadline: "3s")
    // The deadline, the grace after it, and a machine with other things to do.
    #expect(began.duration(to: .now) < .seconds(60))
  }

  /// E1.6, and items of E3.25 and E4.
  @Test func `items that mean harm are left alone, and the others are synced`() async throws {
    let model = model()
    let path = "\(Self.home)bad/"
    // 17 MiB, where 16 are taken; 3,000,000 lines; a nested bomb; a control character; text that
    // looks like markup.
    let huge = String(repeating: "x", count: 17 << 20)
    model.put("huge.ics", Event.make("huge", "Huge", extra: "X-HUGE:\(huge)"), in: path)
    let lines = String(repeating: "X:1\r\n", count: 3_000_000)
    model.put("lines.ics", Event.make("lines", "Lines", extra: "\(lines)X:1"), in: path)
    let deep = String(repeating: "BEGIN:X\r\n", count: 10_000)
    model.put("deep.ics", "BEGIN:VCALENDAR\r\n\(deep)END:VCALENDAR\r\n", in: path)
    model.put("bell.ics", Event.make("bell", "Bell \u{7}"), in: path)
    model.put("markup.ics", Event.make("markup", "]]> </D:multistatus> &amp;"), in: path)
    model.put("../../../escape.ics", item("escape"), in: path)
    let server = try ScriptedServer { model.steps(for: $0) }
    let calgw = try program(server.url)
    _ = try await calgw.withstand("sync", "--json", endingWith: [1])
    let kept = try calgw.sandbox.items(in: "calendars/bad").map {
      Event.line("SUMMARY", of: try calgw.sandbox.read("calendars/bad/\($0)"))
    }
    for title in ["bad-a", "bad-b", "bad-c", "]]> </D:multistatus> &amp;"] {
      #expect(kept.contains(title), "\(kept)")
    }
    #expect(!kept.contains { $0.contains("Bell") || $0.contains("Lines") })
    #expect(calgw.sandbox.items(in: "calendars/good").count == 3)
    #expect(calgw.sandbox.names(in: "").filter { $0.contains("escape") }.isEmpty)
    // What is harmful stays reported, and nothing else is.
    _ = try await calgw.withstand("sync", "--json", endingWith: [1])
  }

  @Test func `many large items are never held together`() async throws {
    let model = model()
    let names = (1...16).map { "large\($0).ics" }
    let notes = String(repeating: "x", count: 14 << 20)
    // Folded once, and named for each.
    let parts = Event.make("@@", "@@", extra: "X-NOTES:\(notes)").split(separator: "@@")
    let server = try ScriptedServer { request in
      let path = "\(Self.home)bad/"
      guard request.target.hasPrefix(path) else { return model.steps(for: request) }
      let name = String(request.target.dropFirst(path.count))
      if names.contains(name) {
        let uid = String(name.dropLast(4))
        let item = parts.joined(separator: uid)
        return [.answer(200, headers: ["ETag": "\"\(uid)\""], body: item)]
      }
      let body = String(decoding: request.body, as: UTF8.self)
      guard request.method == "REPORT" || request.header("Depth") == "1" else {
        return model.steps(for: request)
      }
      if body.contains("calendar-multiget") { return [.answer(501)] }
      let entries = names.map {
        "<D:response><D:href>\(path)\($0)</D:href><D:propstat><D:prop><D:getetag>"
          + "\"\($0.dropLast(4))\"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status>"
          + "</D:propstat></D:response>"
      }
      return [
        .answer(
          207, headers: ["Content-Type": "application/xml"],
          body: "<D:multistatus xmlns:D='DAV:'>\(entries.joined())"
            + "<D:sync-token>x</D:sync-token></D:multistatus>")
      ]
    }
    let calgw = try program(server.url)
    for _ in 1...2 {
      _ = try await calgw.withstand("sync", endingWith: [0])
      #expect(calgw.sandbox.items(in: "calendars/bad").count == names.count)
      #expect(calgw.sandbox.items(in: "calendars/good").count == 3)
    }
  }

  /// E3.26: what a server says once is no rule for later requests, or other accounts. What it says
  /// of https (HSTS) counts over TLS alone: `TLSTests` has that, on one transport.
  @Test func `nothing is answered from a cache, and no cookie goes back`() async throws {
    let model = model()
    let lines =
      "Cache-Control: max-age=31536000, immutable\r\nSet-Cookie: session=canary; Path=/\r\n"
    let server = try ScriptedServer { request in
      model.steps(for: request).map { step in
        guard case .send(var bytes) = step, let end = bytes.firstRange(of: Array("\r\n".utf8))
        else { return step }
        bytes.insert(contentsOf: lines.utf8, at: end.upperBound)
        return .send(bytes)
      }
    }
    let calgw = try program(server.url)
    _ = try await calgw.withstand("sync", endingWith: [0])
    model.put("new.ics", item("good-new"), in: "\(Self.home)good/")
    _ = try await calgw.withstand("sync", endingWith: [0])
    #expect(calgw.sandbox.items(in: "calendars/good").count == 4)
    #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
  }

  /// E2.7
  @Test func `an href that points elsewhere leads to no file and no request elsewhere`()
    async throws
  {
    let model = model()
    let path = "\(Self.home)bad/"
    let names = [
      "../../../home/u/.ssh/escape.ics", "..%2fescape.ics", "%2e%2e/escape.ics",
      "%252e%252e%252fescape.ics", "..\\escape.ics", "escape%00.ics", "CON.ics", "a:b.ics", ".ics",
      "-rf.ics", "/etc/escape.ics", String(repeating: "x", count: 5000) + ".ics",
    ]
    let server = try ScriptedServer { request in
      let isListing =
        request.target == path
        && !String(decoding: request.body, as: UTF8.self).contains("calendar-multiget")
      if isListing, ["REPORT", "PROPFIND"].contains(request.method) {
        let entries = names.map {
          "<D:response><D:href>\($0.hasPrefix("/") ? $0 : path + $0)</D:href><D:propstat><D:prop>"
            + "<D:getetag>\"1\"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status>"
            + "</D:propstat></D:response>"
        }
        return [
          .answer(
            207, headers: ["Content-Type": "application/xml"],
            body: "<D:multistatus xmlns:D='DAV:'>\(entries.joined())"
              + "<D:sync-token>x</D:sync-token></D:multistatus>")
        ]
      }
      if request.method == "REPORT", request.target == path { return [.answer(501)] }
      guard request.method == "GET", !request.target.hasPrefix("\(Self.home)good/") else {
        return model.steps(for: request)
      }
      let item = Event.make("given-\(request.number)", "Given")
      return [.answer(200, headers: ["ETag": "\"1\""], body: item)]
    }
    let calgw = try program(server.url)
    _ = try await calgw.withstand("sync", endingWith: [0, 1, 76])
    #expect(calgw.sandbox.items(in: "calendars/good").count == 3)
    #expect(calgw.sandbox.items(in: "calendars/bad").allSatisfy { $0.hasPrefix("given-") })
    let reads = server.requests.filter { $0.method == "GET" }
    #expect(reads.allSatisfy { $0.target.hasPrefix(Self.home) })
    #expect(server.requests.contains { $0.target == path })
  }

  /// E3.18
  @Test(arguments: ["tag", "href", "token"])
  func `a line break in what a server names gets into no request`(of kind: String) async throws {
    let evil = "&#13;&#10;X-Evil: 1"
    let path = "\(Self.home)bad/"
    let names = kind == "href" ? ["a.ics", "b.ics\(evil)", "c.ics%0D%0AX-Evil:1"] : ["a.ics"]
    let entries = names.map {
      "<D:response><D:href>\(path)\($0)</D:href><D:propstat><D:prop><D:getetag>"
        + "\"1\(kind == "tag" ? evil : "")\"</D:getetag></D:prop>"
        + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
    }
    let token = "x" + (kind == "token" ? evil : "")
    let model = model()
    let server = try ScriptedServer { request in
      let isListing =
        request.target == path && ["REPORT", "PROPFIND"].contains(request.method)
        && !String(decoding: request.body, as: UTF8.self).contains("calendar-multiget")
      guard isListing else { return model.steps(for: request) }
      return [
        .answer(
          207, headers: ["Content-Type": "application/xml"],
          body: "<D:multistatus xmlns:D='DAV:'>\(entries.joined())<D:sync-token>\(token)"
            + "</D:sync-token></D:multistatus>")
      ]
    }
    let calgw = try program(server.url)
    var said = ""
    for title in ["one", "two", "three"] {
      said += try await calgw.withstand("sync", "--verbose", endingWith: [0, 1, 76]).errors
      for name in calgw.sandbox.items(in: "calendars/bad") {
        let uid = Event.uid(of: try calgw.sandbox.read("calendars/bad/\(name)"))
        try calgw.sandbox.write("calendars/bad/\(name)", Event.make(uid, title))
      }
    }
    #expect(calgw.sandbox.items(in: "calendars/good").count == 3)
    // It was edited, and so sent with whatever the listing says of it; what could not be guarded by
    // such a tag is named instead.
    let isTaken = kind != "tag"
    #expect(calgw.sandbox.items(in: "calendars/bad") == (isTaken ? ["bad-a.ics"] : []), "\(said)")
    #expect(
      server.requests.contains { $0.method == "PUT" && $0.target.contains("bad") } == isTaken)
    #expect(said.contains("holds a control character") == !isTaken, "\(said)")
    #expect(server.requests.allSatisfy { $0.header("X-Evil") == nil })
  }

  /// E3.24
  @Test func `a login for other programs is not shown`() async throws {
    let server = try ScriptedServer { _ in
      [.answer(401, headers: ["WWW-Authenticate": "Basic realm=x"])]
    }
    let sandbox = Sandbox()
    try sandbox.write(".netrc", "default login alice password canary-netrc\n")
    try sandbox.write(
      "config/calgw/config.toml",
      "[account.home]\nurl = \"\(server.url)\"\n[pair.p]\nlocal = \"~/p\"\nremote = \"home\"\n")
    let neighbour = try Neighbour()
    try neighbour.join(sandbox)
    _ = try await Program(sandbox: sandbox).withstand("sync", endingWith: [77])
    neighbour.expectSynced(in: sandbox)
    #expect(!server.requests.isEmpty)
    #expect(server.logins.isEmpty)
  }

  /// E3.27
  @Test func `two accounts on one server each show their own password alone`() async throws {
    let server = try ScriptedServer { _ in
      [.answer(401, headers: ["WWW-Authenticate": "Basic realm=x", "Set-Cookie": "a=b"])]
    }
    let sandbox = Sandbox()
    for name in ["one", "two"] { try sandbox.write("secret-\(name)", "canary-\(name)") }
    let account = { (name: String) in
      """
      [account.\(name)]
      url = "\(server.url)\(name)/"
      username = "\(name)"
      password = { file = "~/secret-\(name)" }

      [pair.\(name)]
      local = "~/\(name)"
      remote = "\(name)"

      """
    }
    try sandbox.write("config/calgw/config.toml", account("one") + account("two"))
    let neighbour = try Neighbour()
    try neighbour.join(sandbox)
    let run = try await Program(sandbox: sandbox).withstand("sync", endingWith: [77])
    neighbour.expectSynced(in: sandbox)
    #expect(!(run.errors + run.output).contains("canary"))
    for request in server.requests {
      guard let header = request.header("Authorization") else { continue }
      let name = request.target.hasPrefix("/one") ? "one" : "two"
      let login = Data("\(name):canary-\(name)".utf8).base64EncodedString()
      #expect(header == "Basic \(login)")
    }
    #expect(server.requests.contains { $0.header("Authorization") != nil })
    #expect(server.requests.allSatisfy { $0.header("Cookie") == nil })
  }
}
