import Foundation
import TestSupport
import Testing

/// `calgw init` with nothing but an e-mail address or a domain (RFC 6764), as far as the wire.
@Suite(
  .serialized,
  .enabled(if: TestCertificates.canBeMade && ImpatientTLSServer.canRun && NameServer.canRun))
struct MailAddressTests {
  private let world: FolderAndCalendar
  private let certificates: TestCertificates
  private let server: GuardedTLSServer
  private let names: NameServer

  init() throws {
    var switches = ModelSwitches()
    switches.authentication = .basic
    world = try FolderAndCalendar(switches: switches)
    try FileManager.default.removeItem(atPath: world.calgw.home + "/config")
    try world.calgw.write("secret", "secret")
    certificates = try TestCertificates()
    server = try GuardedTLSServer(
      certificates, version: "TLSv1_3", asksForCertificate: false, before: world.server)
    let service = "SRV 0 1 \(server.port) dav.example.test"
    names = try NameServer([
      "_caldavs._tcp.example.test \(service)",
      "_caldavs._tcp.example.test TXT path=\(ModelServer.homePath)",
      "dav.example.test A 127.0.0.1",
      "_caldavs._tcp.hosted.test \(service)",
      "_caldavs._tcp.dead.test \(service)",
      "_caldavs._tcp.dead.test TXT path=/nowhere/",
      "_caldavs._tcp.none.test SRV 0 0 0 .", "_caldavs._tcp.fastmail.com SRV 0 0 0 .",
    ])
  }

  private func calgw(_ arguments: String...) async throws -> CommandLine.Run {
    try await names.run(world.calgw, arguments, trusting: certificates.authority)
  }

  private func initialize(_ address: String, _ more: String...) async throws -> CommandLine.Run {
    let options = ["--password-file", world.calgw.home + "/secret", "--local", "~/calendars"]
    return try await names.run(
      world.calgw, ["init", address] + options + more, trusting: certificates.authority)
  }

  /// What `init` wrote; nil where it wrote nothing.
  private var written: String? {
    try? String(contentsOfFile: world.calgw.home + "/config/calgw/config.toml", encoding: .utf8)
  }

  @Test func `the domain's records lead to the calendars, and the server says which name is his`()
    async throws
  {
    let run = try await initialize("alice@example.test")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("work"), "\(run.output)")
    let text = try #require(written)
    #expect(
      text.contains("url = \"https://dav.example.test:\(server.port)\(ModelServer.homePath)\"\n"))
    #expect(text.contains("username = \"alice\"\n"), "\(text)")
    try world.write("a.ics", event("a", "Dentist"))
    let sync = try await calgw("sync")
    #expect(sync.status == 0, "\(sync.errors)")
    #expect(world.there() == ["a"])
  }

  /// PITFALLS E3.23
  @Test func `a server of another domain gets no password before somebody says yes`() async throws {
    let refused = try await initialize("alice@hosted.test")
    #expect(refused.status == 77)
    #expect(
      refused.errors.contains("hosted.test says that its calendars are at dav.example.test"),
      "\(refused.errors)")
    #expect(refused.errors.contains("--trusted-host dav.example.test\n"), "\(refused.errors)")
    #expect(written == nil)
    #expect(world.server.requests.isEmpty)

    let taken = try await initialize("alice@hosted.test", "--trusted-host", "dav.example.test")
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(written?.contains("url = \"https://dav.example.test:\(server.port)/\"\n") == true)
    #expect(try await calgw("sync").status == 0)
  }

  @Test func `a path of the records that leads nowhere is not written down`() async throws {
    let run = try await initialize("alice@dead.test", "--trusted-host", "dav.example.test")
    #expect(run.status == 0, "\(run.errors)")
    let url = "url = \"https://dav.example.test:\(server.port)/\"\n"
    #expect(written?.contains(url) == true, "\(written ?? "")")
  }

  @Test func `so do they from a URL that names the domain alone`() async throws {
    let run = try await initialize("https://example.test/", "--username", "alice")
    #expect(run.status == 0, "\(run.errors)")
    let url = "https://dav.example.test:\(server.port)\(ModelServer.homePath)"
    #expect(run.errors.contains("the name servers of example.test say"), "\(run.errors)")
    #expect(written?.contains("url = \"\(url)\"\n") == true, "\(written ?? "")")
    #expect(try await calgw("sync").status == 0)

    // What is configured stays as it is; who looks for calendars is told where they are.
    try world.calgw.configure(
      server: "https://example.test/",
      account: "username = \"alice\"\npassword = { file = \"~/secret\" }")
    let asked = world.server.requests.count
    let found = try await calgw("discover")
    #expect(found.status == 69, "\(found.errors)")
    #expect(found.errors.contains("the host example.test is not known"), "\(found.errors)")
    #expect(found.errors.contains("its calendars are at \(url): set url to"), "\(found.errors)")
    #expect(world.server.requests.count == asked)
  }

  @Test func `from a URL, too, a server of another domain needs a yes`() async throws {
    let refused = try await initialize("https://hosted.test/", "--username", "alice")
    #expect(refused.status == 77)
    #expect(refused.errors.contains("--trusted-host dav.example.test\n"), "\(refused.errors)")
    #expect(refused.errors.contains("the host hosted.test is not known"), "\(refused.errors)")
    #expect(written == nil && world.server.requests.isEmpty)

    let unknown = try await initialize("https://nowhere.test/", "--username", "alice")
    #expect(unknown.status == 69 && written == nil)
    #expect(unknown.errors.contains("the host nowhere.test is not known"), "\(unknown.errors)")
    #expect(!unknown.errors.contains("name server"), "\(unknown.errors)")
  }

  @Test(arguments: [
    ("alice@none.test", "none.test says that it has no calendars"),
    ("alice@nowhere.test", "the host nowhere.test is not known"),
  ])
  func `a domain without calendars is named, with the way on`(address: String, words: String)
    async throws
  {
    let run = try await initialize(address)
    #expect(run.status == 69)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.errors.contains("give --url"), "\(run.errors)")
    #expect(written == nil)
  }

  @Test(arguments: ["icloud.com", "fastmail.com"])
  func `a known provider is named with the command for its server`(domain: String) async throws {
    let run = try await initialize("bob@\(domain)")
    #expect(run.status == 69)
    let command = "run `calgw init https://caldav.\(domain) --username bob@\(domain)`\n"
    #expect(run.errors.contains(command), "\(run.errors)")
    #expect(written == nil)
  }
}
