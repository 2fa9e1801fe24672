import Foundation
import Glibc
import TestSupport
import Testing

/// `doctor` before servers that are well, and before those that are not.
@Suite(.serialized) struct DoctorTests {
  private let doctor: DoctorRuns
  private var calgw: CommandLine { doctor.calgw }

  init() throws { doctor = try DoctorRuns() }

  private func model(_ change: (inout ModelSwitches) -> Void = { _ in }) -> ModelServer {
    var switches = ModelSwitches()
    change(&switches)
    return ModelServer(switches, surroundings: ModelClock().surroundings)
  }

  // MARK: Servers that are well

  @Test func `a real server is well, and a probe leaves nothing behind`() async throws {
    let server = try await RealServer.start(.radicale)
    _ = try await server.otherClient.makeCalendar(server.path(of: "work"))
    try doctor.configure(server.url)
    let found = try await doctor.findings("--write")
    #expect(found.status == 0)
    #expect(found.lines.allSatisfy { $0.result == "ok" }, "\(found.lines)")
    let steps = found.lines.map(\.step)
    let expected = [
      "configuration", "time-zones", "state", "secret", "name", "connection", "sign-in",
      "discovery", "calendar", "probe", "journal", "local",
    ]
    #expect(expected.allSatisfy(steps.contains), "\(steps)")
    let calendar = try #require(found.lines.first { $0.step == "calendar" }).message
    #expect(calendar.contains("work") && calendar.contains("sync-collection"))
    let left = try await calgw("discover")
    #expect(left.output.split(separator: "\n").count == 1, "\(left.output)")
    #expect(!calgw.exists("state"), "nothing is written here")
    #expect(!calgw.exists("calendars"))
    await server.stop()
  }

  @Test func `text for people has a line a step, below whom it is about`() async throws {
    let model = model()
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    let run = try await calgw("doctor", "home")
    #expect(run.status == 0, "\(run.output)")
    for line in ["this machine", "account home", "  ok      sign in: ", "pair p"] {
      #expect(run.output.contains(line), "\(run.output)")
    }
    #expect(run.output.contains("  skipped probe: not tried: --write"))
    #expect(try await calgw("doctor", "--quiet").output.isEmpty)
    #expect(try await calgw("doctor", "work").status == 64)
  }

  @Test func `what syncs have learnt of the server is told with its evidence`() async throws {
    let model = model { $0.tagForm = .weak }
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    #expect(try await doctor.findings().lines.allSatisfy { $0.step != "server" })
    try calgw.write("calendars/work/a.ics", event("a", "Choir"))
    #expect(try await calgw("sync").status == 0)
    let lines = try await doctor.findings().lines.filter { $0.step == "server" }
    let weak = try #require(lines.first { $0.message.contains("entity tags are weak") })
    #expect(weak.result == "warning" && weak.message.contains("ETag W/"), "\(weak)")
    #expect(weak.hint.contains("calgw looks just before"))
    let sync = try #require(lines.first { $0.message.contains("lists what changed") })
    #expect(sync.result == "ok" && sync.message.contains("sync-collection: 207"), "\(sync)")
    #expect(lines.allSatisfy { $0.account == "home" })
  }

  @Test func `a server without any entity tags is a warning as long as it gives none`()
    async throws
  {
    let model = model {
      $0.listsTags = false
      $0.readsTags = false
      $0.putTag = .none
    }
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    func told() async throws -> DoctorRuns.Line? {
      try await doctor.findings().lines.first {
        $0.step == "server" && $0.message.contains("entity tags")
      }
    }
    for text in ["Choir", "Choir practice"] {
      #expect(try await told() == nil, "nothing was written over yet")
      try calgw.write("calendars/work/a.ics", event("a", text))
      _ = try await calgw("sync")
    }
    let none = try #require(try await told())
    #expect(none.result == "warning" && none.message.contains("items have no entity tags"))
    #expect(none.message.contains("200 without ETag"), "\(none)")
    #expect(none.hint.contains("calgw looks just before"), "\(none)")
    #expect(none.hint.contains("has to give each item an ETag"), "\(none)")
    #expect(none.hint.hasSuffix("tell the server's operator"), "\(none)")
    model.change {
      $0.listsTags = true
      $0.readsTags = true
    }
    model.put("b.ics", event("b", "Dentist"), in: ModelServer.homePath + "work/")
    #expect(try await calgw("sync").status == 0)
    #expect(try await told()?.result == "ok")
  }

  /// By an answer that asks to wait, or by refusals beside other requests: the evidence says which.
  @Test func `a server that was too busy is told with what showed it`() async throws {
    let model = model()
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    model.plan(.answer(429, headers: [["Retry-After", "0"]]), for: "PUT")
    try calgw.write("calendars/work/a.ics", event("a", "Choir"))
    #expect(try await calgw("sync").status == 0)
    let lines = try await doctor.findings().lines.filter { $0.step == "server" }
    let busy = try #require(lines.first { $0.message.contains("429 with Retry-After") })
    let words = "asks clients to wait, or does not take many requests at once: calgw begins with"
    #expect(busy.result == "ok" && busy.message.contains(words), "\(busy)")
  }

  // MARK: Servers that are not

  @Test func `no configuration is 78, and nothing else is looked at`() async throws {
    let found = try await doctor.findings()
    #expect(found.status == 78)
    #expect(found.lines.map(\.step) == ["configuration"])
    #expect(found.lines.first?.hint.contains("calgw init") == true)
  }

  @Test func `a password that cannot be had keeps the sign-in from being tried, not the rest`()
    async throws
  {
    let model = model()
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    try FileManager.default.removeItem(atPath: calgw.home + "/secret")
    let found = try await doctor.findings()
    doctor.expectFailure(
      found, "secret", 78, says: "/secret cannot be read", mend: "a file that you",
      skips: ["sign-in", "discovery"])
    #expect(found.lines.contains { $0.step == "connection" && $0.result == "ok" })
    #expect(server.requests.allSatisfy { $0.header("Authorization") == nil })
  }

  @Test func `a server that is down is 69`() async throws {
    let port = try UnreachablePort(answering: true)
    try doctor.configure("http://127.0.0.1:\(port.port)/")
    doctor.expectFailure(
      try await doctor.findings(), "connection", 69, says: "connection refused", mend: "try again",
      skips: ["sign-in", "discovery"])
  }

  @Test func `a host that is not known is 69`() async throws {
    try doctor.configure("https://no-such-host.invalid/")
    doctor.expectFailure(
      try await doctor.findings(), "name", 69, says: "no-such-host.invalid", mend: "url",
      skips: ["connection", "certificate", "sign-in", "discovery"])
  }

  @Test func `a wrong password is 77 and is tried once`() async throws {
    let model = model { $0.authentication = .basic }
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    try calgw.write("secret", "canary-5d20")
    doctor.expectFailure(
      try await doctor.findings(), "sign-in", 77, says: "refused the user name or the password",
      mend: "check username and password", skips: ["discovery"])
    #expect(server.requests.filter { $0.header("Authorization") != nil }.count == 1)
  }

  @Test func `a web page is 76`() async throws {
    let server = try ScriptedServer { _ in [.html] }
    try doctor.configure(server.url)
    doctor.expectFailure(
      try await doctor.findings(), "discovery", 76, says: "web page", mend: "check the URL",
      skips: ["sign-in"])
  }

  @Test func `a calendar that its home shows and that does not answer is told`() async throws {
    let model = model()
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { request in
      let isMeant = request.target.hasPrefix(ModelServer.homePath + "work")
      return isMeant ? [.answer(500)] : model.steps(for: request)
    }
    try doctor.configure(server.url)
    let found = try await doctor.findings()
    let calendar = found.lines.first { $0.step == "calendar" }
    #expect(found.status == 76)
    #expect(calendar?.result == "failed")
  }

  @Test func `a report that a calendar names and does not do is not told as one`() async throws {
    let model = model()
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { request in
      let isSync = String(decoding: request.body, as: UTF8.self).contains("sync-collection")
      return request.method == "REPORT" && isSync ? [.answer(400)] : model.steps(for: request)
    }
    try doctor.configure(server.url)
    let calendar = try await doctor.findings().lines.first { $0.step == "calendar" }
    let words = calendar?.message ?? ""
    #expect(calendar?.result == "ok")
    #expect(words.contains("(CTag)") && !words.contains("lists changes"), "\(words)")
  }

  @Test func `plain http to another machine is refused by its key`() async throws {
    try doctor.configure("http://dav.example.org/")
    let found = try await doctor.findings()
    doctor.expectFailure(
      found, "configuration", 78, says: "plain http", mend: "allow_http = true", skips: [])
  }

  @Test func `an account without calendars is told, and is no failure`() async throws {
    let model = model()
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    let found = try await doctor.findings()
    #expect(found.status == 0)
    let discovery = found.lines.first { $0.step == "discovery" }
    #expect(discovery?.result == "warning")
    #expect(discovery?.message.contains("there is no calendar") == true)
  }

  @Test func `a calendar that may only be read, and a name that nothing has, are told`()
    async throws
  {
    let model = model { $0.advertisesReadOnly = true }
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    let path = calgw.home + "/config/calgw/config.toml"
    try calgw.configure(
      try String(contentsOfFile: path, encoding: .utf8) + "\ncollections = [\"wrok\", \"*\"]\n")
    let found = try await doctor.findings()
    let calendar = found.lines.first { $0.step == "calendar" }
    #expect(calendar?.result == "warning")
    #expect(calendar?.message.contains("read-only") == true)
    #expect(calendar?.hint.contains("direction = \"pull\"") == true)
    let name = found.lines.first { $0.step == "collections" }
    #expect(name?.message.contains("\"wrok\"") == true)
    #expect(name?.hint.contains("did you mean \"work\"?") == true)
  }

  @Test func `a probe tells what a server ignores`() async throws {
    let model = model {
      $0.ignoresIfMatch = true
      $0.ignoresIfMatchOnDelete = true
      $0.putTag = .none
      $0.rewritesOrder = true
    }
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    let found = try await doctor.findings("--write")
    let probe = found.lines.filter { $0.step == "probe" }
    let warned = probe.filter { $0.result == "warning" }.map(\.message)
    #expect(warned.count == 1, "\(probe)")
    #expect(warned.first?.contains("a change of an older version (If-Match)") == true)
    #expect(warned.first?.contains("a deletion of an older version (If-Match)") == true)
    #expect(probe.contains { $0.message.contains("names no version") })
    #expect(probe.contains { $0.message.contains("stored otherwise") })
  }

  @Test func `runs look before each write where a probe showed that guards are worth nothing`()
    async throws
  {
    let model = model {
      $0.ignoresIfMatch = true
      $0.ignoresIfMatchOnDelete = true
    }
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    #expect(try await doctor.findings("--write").status == 0)
    try calgw.write("calendars/work/a.ics", event("a", "Choir"))
    #expect(try await calgw("sync").status == 0)
    try calgw.write("calendars/work/a.ics", event("a", "Choir practice"))
    let before = server.requests.count
    let run = try await calgw("sync")
    let requests = server.requests.dropFirst(before)
    let put = try #require(requests.firstIndex { $0.method == "PUT" })
    #expect(
      requests[..<put].contains { $0.method == "GET" && $0.target == requests[put].target },
      "\(requests.map(\.method))")
    #expect(run.status == 1)
    #expect(run.errors.contains("without a guard against a change in that very moment"))
  }

  @Test func `a probe that may not be made is told with its reason`() async throws {
    let model = model { switches in
      switches.hasMakeCalendar = false
      switches.hasMakeCollection = false
    }
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    let found = try await doctor.findings("--write")
    #expect(found.status == 0)
    let probe = try #require(found.lines.first { $0.step == "probe" })
    #expect(probe.result == "warning" && probe.status == 0)
    #expect(probe.message.contains("writes over newer versions, keeps the names"))
    #expect(probe.message.contains("405"))
    #expect(probe.hint.contains("works all the same"))
  }

  @Test func `a server that makes calendars by MKCOL alone makes calendars`() async throws {
    let model = model { $0.hasMakeCalendar = false }
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    try calgw.write("calendars/new/a.ics", event("a", "Choir"))
    #expect(try await calgw("sync").status == 0)
    let lines = try await doctor.findings().lines.filter { $0.message.contains("MKCALENDAR") }
    #expect(lines.map(\.result) == ["ok"])
    #expect(lines.first?.message.contains("calendars can be made (MKCOL") == true, "\(lines)")
  }

  @Test func `a folder that is gone is 74 after a first sync, and nothing before`() async throws {
    let model = model()
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    #expect(try await calgw("sync").status == 0)
    try FileManager.default.removeItem(atPath: calgw.home + "/calendars")
    let found = try await doctor.findings()
    #expect(found.status == 74)
    #expect(found.lines.first { $0.step == "local" }?.hint.contains("calgw forget") == true)
  }

  @Test func `whether the first sync can make the state directory is said before it`() async throws
  {
    let model = model()
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    try calgw.write("file", "")
    for (directory, status, words) in [
      ("new/deep", 0, "the first sync makes it"),
      ("file/deep/er", 73, "cannot be made in \(calgw.home)/file"),
    ] {
      let found = try await doctor.findings(
        environment: ["XDG_STATE_HOME": "\(calgw.home)/\(directory)"])
      #expect(found.status == status)
      let state = try #require(found.lines.first { $0.step == "state" })
      #expect(state.message.hasSuffix(words), "\(state)")
      #expect(state.status == status)
    }
    #expect(!calgw.exists("new"))
  }
}
