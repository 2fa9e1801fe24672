import TestSupport
import Testing

/// What is told of an account whose URL names a server and nothing on it, and leads to no
/// calendars, where the name servers of its domain know of a place that may have them.
@Suite(
  .serialized,
  .enabled(if: TestCertificates.canBeMade && ImpatientTLSServer.canRun && NameServer.canRun))
struct NamedPlaceTests {
  /// Why the URL leads to no calendars.
  enum Trouble: CaseIterable {
    case noCalendars, noServer, noHost

    var status: Int32 { self == .noCalendars ? 76 : 69 }

    /// Of `doctor`, which sees it there.
    var step: String {
      switch self {
      case .noCalendars: "discovery"
      case .noServer: "connection"
      case .noHost: "name"
      }
    }
  }

  private let doctor: DoctorRuns
  private let certificates: TestCertificates
  /// A web server that has nothing for calendars, and what speaks TLS for it.
  private let pages: ScriptedServer
  private let web: GuardedTLSServer
  private let refusing: UnreachablePort
  /// Where the name servers say that the calendars are.
  private let named: ScriptedServer
  private let names: NameServer

  init() throws {
    doctor = try DoctorRuns()
    certificates = try TestCertificates()
    pages = try ScriptedServer { _ in [.answer(404)] }
    web = try GuardedTLSServer(
      certificates, version: "TLSv1_3", asksForCertificate: false, before: pages)
    refusing = try UnreachablePort(answering: true)
    named = try ScriptedServer()
    let service = "SRV 0 1 \(named.port) caldav.example.test"
    names = try NameServer([
      "dav.example.test A 127.0.0.1",
      "caldav.example.test A 127.0.0.1",
      "_caldavs._tcp.dav.example.test \(service)",
      "_caldavs._tcp.dav.example.test TXT path=/dav/",
      "_caldavs._tcp.example.test \(service)",
      "_caldavs._tcp.example.test TXT path=/dav/",
    ])
  }

  private func url(_ trouble: Trouble) -> String {
    switch trouble {
    case .noCalendars: "https://dav.example.test:\(web.port)/"
    case .noServer: "https://dav.example.test:\(refusing.port)/"
    case .noHost: "https://example.test/"
    }
  }

  private var place: String { "https://caldav.example.test:\(named.port)/dav/" }

  private func calgw(_ arguments: String...) async throws -> CommandLine.Run {
    try await names.run(doctor.calgw, arguments, trusting: certificates.authority)
  }

  @Test(arguments: Trouble.allCases)
  func `whoever looks for the calendars is told of it, and nothing is asked there`(
    trouble: Trouble
  ) async throws {
    try doctor.configure(url(trouble))
    let words = "say that its calendars are at \(place): set url to that if it is your provider's"
    for command in ["discover", "sync", "status"] {
      let run = try await calgw(command)
      #expect(run.status == trouble.status, "\(command): \(run.errors)")
      #expect(run.errors.contains(words), "\(command): \(run.errors)")
    }
    let found = try doctor.findings(of: try await calgw("doctor", "--json"))
    #expect(found.status == trouble.status)
    let failed = found.lines.filter { $0.result == "failed" }
    #expect(failed.map(\.step) == [trouble.step])
    #expect(failed.first?.hint.contains(words) == true, "\(failed)")
    #expect(named.connectionCount == 0)
  }

  @Test(arguments: Trouble.allCases)
  func `a path of the URL says where to look, and no name server is believed`(
    trouble: Trouble
  ) async throws {
    try doctor.configure(url(trouble) + "dav/")
    for command in ["discover", "sync", "status", "doctor"] {
      let run = try await calgw(command)
      #expect(run.status == trouble.status, "\(command): \(run.errors)")
      #expect(!(run.output + run.errors).contains("name servers"), "\(command): \(run.errors)")
    }
  }

  @Test func `what stands on the command line is mended there`() async throws {
    let run = try await calgw("sync", "--local", "calendars", "--remote", url(.noHost))
    #expect(run.status == 69)
    #expect(
      run.errors.contains("its calendars are at \(place): give that as --remote if"),
      "\(run.errors)")
  }

  private func https(before server: ScriptedServer) throws -> GuardedTLSServer {
    try GuardedTLSServer(
      certificates, version: "TLSv1_3", asksForCertificate: false, before: server)
  }

  @Test(arguments: [(500, 76), (502, 69), (507, 76)] as [(Int, Int32)])
  func `a server that fails may be the right one, and no other place is told`(
    answer: Int, status: Int32
  ) async throws {
    let web = try https(before: try ScriptedServer { _ in [.answer(answer)] })
    try doctor.configure("https://dav.example.test:\(web.port)/")
    for command in ["discover", "sync", "status", "doctor"] {
      let run = try await calgw(command)
      #expect(run.status == status, "\(command): \(run.errors)")
      #expect(!(run.output + run.errors).contains("name servers"), "\(command): \(run.errors)")
    }
  }

  /// Who came between may as well answer for the name servers.
  @Test func `whoever cannot prove to be the server brings up no other place`() async throws {
    let web = try GuardedTLSServer(
      certificates, version: "TLSv1_3", asksForCertificate: false, showing: certificates.expired,
      before: pages)
    try doctor.configure("https://dav.example.test:\(web.port)/")
    for command in ["discover", "sync", "status", "doctor"] {
      let run = try await calgw(command)
      #expect(run.status == 69, "\(command): \(run.errors)")
      #expect(!(run.output + run.errors).contains("name servers"), "\(command): \(run.errors)")
    }
  }

  @Test func `a choice that is not among the calendars shown is no reason to look elsewhere`()
    async throws
  {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    model.makeCalendar("work")
    let homes = principalText(homes: ["/broken/", ModelServer.homePath])
    let web = try https(
      before: try ScriptedServer { request in
        switch request.target {
        case "/": [.answer(207, headers: ["Content-Type": "application/xml"], body: homes)]
        // No failure of the server's own, of which nobody would be asked anyway.
        case "/broken/": [.answer(400)]
        default: model.steps(for: request)
        }
      })
    try doctor.configure(
      "https://dav.example.test:\(web.port)/", pairKeys: "calendar = \"team/none\"")
    for command in ["sync", "status"] {
      let run = try await calgw(command)
      #expect(run.status == 76, "\(command): \(run.errors)")
      #expect(run.errors.contains("none of those that it shows"), "\(command): \(run.errors)")
      #expect(!run.errors.contains("name servers"), "\(command): \(run.errors)")
    }
  }
}
