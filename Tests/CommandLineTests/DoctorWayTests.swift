import Foundation
import Glibc
import TestSupport
import Testing

/// `doctor` on the way to a server: files that the way needs, proxies, and ports of another kind.
@Suite(.serialized) struct DoctorWayTests {
  private let doctor: DoctorRuns

  init() throws { doctor = try DoctorRuns() }

  private func model() -> ModelServer {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    return model
  }

  // MARK: The configuration

  @Test func `a key that is wrong is told with its file, its line and its name`() async throws {
    try doctor.configure("https://dav.example.org/")
    let path = doctor.calgw.home + "/config/calgw/config.toml"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try doctor.calgw.configure(text + "\nconflict = \"maybe\"\n")
    let found = try await doctor.findings()
    doctor.expectFailure(found, "configuration", 78, says: "maybe", mend: "merge", skips: [])
    let place = try #require(found.lines.first).place
    #expect(place.contains("config.toml:"), "\(place)")
    #expect(place.hasSuffix("key pair.p.conflict"), "\(place)")
    let run = try await doctor.calgw("doctor")
    #expect(run.output.contains("          where: \(place)\n"), "\(run.output)")
  }

  @Test func `a file of the account that cannot be used is told once`() async throws {
    let model = model()
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url, "ca_file = \"~/nowhere.pem\"")
    let found = try await doctor.findings()
    doctor.expectFailure(
      found, "configuration", 78, says: "nowhere.pem: No such file", mend: "ca_file",
      skips: ["secret", "sign-in", "discovery"])
    #expect(found.lines.contains { $0.step == "connection" && $0.result == "ok" })
    #expect(server.requests.isEmpty)
  }

  @Test func `a proxy whose URL cannot be had is told once`() async throws {
    try doctor.configure("https://dav.example.org/", "proxy = { env = \"NOWHERE\" }")
    let found = try await doctor.findings()
    doctor.expectFailure(
      found, "secret", 78, says: "NOWHERE", mend: "NOWHERE",
      skips: ["name", "connection", "certificate", "sign-in", "discovery"])
  }

  // MARK: Proxies

  @Test(arguments: [
    ["https_proxy": "http://127.0.0.1:1", "no_proxy": "invalid"],
    ["https_proxy": "http://127.0.0.1:1", "NO_PROXY": ".invalid"],
    ["HTTP_PROXY": "http://127.0.0.1:1", "http_proxy": "http://127.0.0.1:1"],
  ])
  func `where the environment's proxy is not for the host, its name is looked up`(
    variables: [String: String]
  ) async throws {
    try doctor.configure("https://no-such-host.invalid/")
    doctor.expectFailure(
      try await doctor.findings(environment: variables), "name", 69, says: "no-such-host.invalid",
      mend: "url", skips: ["connection", "certificate", "sign-in", "discovery"])
  }

  @Test func `HTTP_PROXY in capitals is no proxy`() async throws {
    try doctor.configure("http://no-such-host.invalid/", "allow_http = true")
    let found = try await doctor.findings(environment: ["HTTP_PROXY": "http://127.0.0.1:1"])
    doctor.expectFailure(
      found, "name", 69, says: "no-such-host.invalid", mend: "url",
      skips: ["connection", "sign-in", "discovery"])
  }

  @Test(arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy"])
  func `a proxy of the environment that is dead is no trouble with a certificate`(
    variable: String
  ) async throws {
    let port = try UnreachablePort(answering: true)
    try doctor.configure("https://dav.example.org/")
    let found = try await doctor.findings(
      environment: [variable: "http://u:canary@127.0.0.1:\(port.port)"])
    doctor.expectFailure(
      found, "connection", 69, says: "connection refused by 127.0.0.1 port \(port.port)",
      mend: "the proxy", skips: ["name", "certificate", "sign-in", "discovery"])
  }

  @Test(arguments: ["https", "http"])
  func `a proxy that wants a login is no trouble with a certificate`(scheme: String) async throws {
    let proxy = try ScriptedServer { _ in [.answer(407)] }
    try doctor.configure(
      "\(scheme)://dav.example.org/",
      "allow_http = true\nproxy = \"http://127.0.0.1:\(proxy.port)\"")
    let certificate = scheme == "https" ? ["certificate"] : []
    doctor.expectFailure(
      try await doctor.findings(), "connection", 77, says: "the proxy on the way",
      mend: "proxy = {", skips: ["name"] + certificate + ["sign-in", "discovery"])
  }

  // MARK: Ports

  @Test func `https where nobody speaks TLS is told as that`() async throws {
    let server = try ScriptedServer(
      greeting: { _ in [.read(5), .answer(400), .close] }, answer: ScriptedServer.ok)
    try doctor.configure("https://127.0.0.1:\(server.port)/")
    doctor.expectFailure(
      try await doctor.findings(), "certificate", 69, says: "no trusted connection",
      mend: "does not speak TLS", skips: ["sign-in", "discovery"])
    let run = try await doctor.calgw("sync")
    #expect(run.status == 69)
    #expect(run.errors.contains("does not speak TLS"), "\(run.errors)")
  }

  @Test(.enabled(if: TestCertificates.canBeMade))
  func `plain http where TLS is spoken is told as that`() async throws {
    let certificates = try TestCertificates()
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    try doctor.configure("http://127.0.0.1:\(server.port)/")
    doctor.expectFailure(
      try await doctor.findings(), "connection", 69, says: "speaks TLS",
      mend: "https://127.0.0.1:\(server.port)/", skips: ["sign-in", "discovery"])
  }

  // MARK: Signals

  private static let signals: [(Int32, Int32)] = [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)]

  /// What is told of a look that a signal cut short in the middle of a step.
  private func expectCutShort(_ run: CommandLine.Run, _ step: String, _ status: Int32) {
    #expect(run.status == status, "\(run.output)")
    #expect(run.errors.contains("the rest was not looked at"), "\(run.errors)")
    #expect(run.output.contains("skipped \(step): not looked at to the end"), "\(run.output)")
    #expect(!run.output.contains("failed"), "it is no fault of the server: \(run.output)")
  }

  @Test(arguments: signals)
  func `a signal ends a look at a server that never answers`(
    signal: Int32, status: Int32
  ) async throws {
    let isAsked = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { _ in [.run { isAsked.signal() }, .silence] }
    try doctor.configure(server.url)
    let program = try doctor.calgw.start(["doctor"])
    let run = await onOwnThread { () -> CommandLine.Run in
      _ = isAsked.wait(timeout: .now() + .seconds(240))
      program.send(signal)
      return program.finish()
    }
    expectCutShort(run, "sign in", status)
    #expect(run.output.contains("ok      connection"), "\(run.output)")
    #expect(server.requests.count == 1)
    server.stop()
  }

  @Test(arguments: signals)
  func `a signal ends a connection that comes to nothing`(
    signal: Int32, status: Int32
  ) async throws {
    let port = try UnreachablePort(answering: false)
    try doctor.configure("http://127.0.0.1:\(port.port)/")
    let program = try doctor.calgw.start(["doctor"])
    let run = await onOwnThread { () -> CommandLine.Run in
      while let line = program.readLine(), !line.contains(" name: ") {}
      program.send(signal)
      return program.finish()
    }
    expectCutShort(run, "connection", status)
    withExtendedLifetime(port) {}
  }

  // MARK: The clock

  /// So many seconds from now, as a server says it.
  private static func date(in seconds: TimeInterval) -> String {
    let form = DateFormatter()
    form.locale = Locale(identifier: "en_US_POSIX")
    form.timeZone = TimeZone(identifier: "UTC")
    form.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return form.string(from: Date(timeIntervalSinceNow: seconds))
  }

  @Test(arguments: [(-86_400, "ahead of"), (86_400, "behind"), (0, nil)] as [(Double, String?)])
  func `a clock that is far from the server's is told`(
    seconds: Double, words: String?
  ) async throws {
    let model = model()
    let server = try ScriptedServer { request in
      guard request.method == "OPTIONS" else { return model.steps(for: request) }
      let date = Self.date(in: seconds)
      return [.answer(200, headers: ["DAV": "1, 3, calendar-access", "Date": date])]
    }
    try doctor.configure(server.url)
    let found = try await doctor.findings()
    #expect(found.status == 0)
    let lines = found.lines.filter { $0.step == "clock" }
    #expect(lines.map(\.result) == (words == nil ? [] : ["warning"]), "\(lines)")
    guard let words else { return }
    let message = lines.first?.message ?? ""
    #expect(message.hasPrefix("this machine's clock is 14"), "\(message)")
    #expect(message.hasSuffix(" minutes \(words) the server's"), "\(message)")
    #expect(lines.first?.hint.contains("timedatectl") == true)
  }

  // MARK: The folder of a pair

  /// Below a file, a link to itself, and one that leads nowhere: a disk may not be mounted there.
  @Test(
    arguments: [
      ("secret/calendars", "creating", 73), ("loop", "opening", 74), ("nowhere", "creating", 73),
    ] as [(String, String, Int32)])
  func `a folder that is not there, and that no sync can make, is a failure`(
    name: String, verb: String, status: Int32
  ) async throws {
    let model = model()
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url, folder: "~/\(name)")
    for (link, target) in [("loop", "loop"), ("nowhere", "disk/calendars")] {
      #expect(symlink(target, "\(doctor.calgw.home)/\(link)") == 0)
    }
    let words = "\(verb) the folder \(doctor.calgw.home)/\(name) failed"
    doctor.expectFailure(
      try await doctor.findings(), "local", status, says: words, mend: "the disk",
      skips: ["probe"])
    let sync = try await doctor.calgw("sync")
    #expect(sync.status == status)
    #expect(sync.errors.contains(words), "\(sync.errors)")
  }

  // MARK: The calendar of a pair

  /// What `doctor` and then `sync` say of a pair for one calendar.
  private func choose(
    _ text: String, of model: ModelServer? = nil
  ) async throws -> (found: DoctorRuns.Findings, sync: Int32) {
    let model = model ?? self.model()
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(server.url)
    let path = doctor.calgw.home + "/config/calgw/config.toml"
    let written = try String(contentsOfFile: path, encoding: .utf8)
    try doctor.calgw.configure(written + "\ncalendar = \"\(text)\"\n")
    chmod(path, 0o600)
    let found = try await doctor.findings()
    return (found, try await doctor.calgw("sync").status)
  }

  @Test(arguments: ["/alice/gone/", ".."])
  func `a chosen calendar without which no sync begins is a failure`(text: String) async throws {
    let (found, status) = try await choose(text)
    doctor.expectFailure(
      found, "collections", 78, says: "\"\(text)\"", mend: "calgw discover", skips: ["probe"])
    #expect(status == 78)
  }

  /// What the account's own server answers tells nothing of another one.
  @Test(arguments: [
    ("http://127.0.0.1:1/work/", "http://127.0.0.1:1"),
    ("http://no-such-host.invalid/work/", "http://no-such-host.invalid"),
  ])
  func `a chosen calendar on another server that cannot be asked is a failure`(
    url: String, words: String
  ) async throws {
    let model = model()
    let server = try ScriptedServer { model.steps(for: $0) }
    try doctor.configure(
      server.url, "trusted_hosts = [\"127.0.0.1:1\", \"no-such-host.invalid\"]",
      pairKeys: "calendar = \"\(url)\"")
    let found = try await doctor.findings()
    let failed = found.lines.filter { $0.result == "failed" }
    #expect(failed.map(\.step) == ["collections"])
    #expect(failed.first?.message.contains(words) == true, "\(failed)")
    #expect(try await doctor.calgw("sync").status == found.status)
  }

  /// The look at such a calendar opens the whole pair.
  @Test func `trouble with the folder or the journal of such a pair is told once`() async throws {
    let model = model()
    let own = try ScriptedServer { model.steps(for: $0) }
    let other = try ScriptedServer { model.steps(for: $0) }
    let host = "127.0.0.1:\(other.port)"
    try doctor.configure(
      own.url, "trusted_hosts = [\"\(host)\"]",
      pairKeys: "calendar = \"http://\(host)\(ModelServer.homePath)work/\"")
    func failed() async throws -> [String] {
      try await doctor.findings().lines.filter { $0.result == "failed" }.map(\.step)
    }
    #expect(try await doctor.calgw("sync").status == 0)
    #expect(try await failed().isEmpty)
    let files = FileManager.default
    let folder = doctor.calgw.home + "/calendars"
    try files.removeItem(atPath: folder)
    #expect(try await failed() == ["local"])
    try doctor.calgw.write("calendars", "a file in its place")
    #expect(try await failed() == ["local"])
    let journal = doctor.calgw.home + "/state/calgw/p.sqlite"
    for path in [folder, journal] {
      try files.removeItem(atPath: path)
      try files.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    #expect(try await failed() == ["journal"])
    #expect(!other.requests.isEmpty)
  }

  @Test func `a chosen calendar that the next sync makes is told as that`() async throws {
    let (found, status) = try await choose("wrok")
    #expect(found.status == 0)
    let line = try #require(found.lines.first { $0.step == "collections" })
    #expect(line.result == "warning")
    #expect(
      line.hint
        == "did you mean \"work\"? (where the folder has an item, the next sync makes one there)")
    // The folder is empty, so it is said that nothing is made for it.
    #expect(status == 1)
  }

  @Test func `an account without a calendar is told as that`() async throws {
    let empty = ModelServer(surroundings: ModelClock().surroundings)
    let found = try await choose("work", of: empty).found
    let line = try #require(found.lines.first { $0.step == "collections" })
    #expect(
      line.hint
        == "the account shows no calendar; where the folder has an item, the next sync makes one"
        + " there")
  }

  @Test(arguments: ["work", "Work"])
  func `a chosen calendar that is there is no finding`(text: String) async throws {
    let (found, status) = try await choose(text)
    #expect(found.status == 0)
    #expect(!found.lines.contains { $0.step == "collections" })
    #expect(status == 0)
  }
}
