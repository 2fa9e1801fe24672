import TestSupport
import Testing

/// `doctor` before a host of several addresses, each of which it tries.
@Suite(.serialized, .enabled(if: TestCertificates.canBeMade && NameServer.canRun))
struct DoctorAddressTests {
  private let doctor: DoctorRuns
  private let certificates: TestCertificates
  private let names: NameServer

  init() throws {
    doctor = try DoctorRuns()
    certificates = try TestCertificates()
    names = try NameServer(["dav.example.test A 127.0.0.1", "dav.example.test A 127.0.0.2"])
  }

  /// Servers of tests listen at the first address alone; at the other one nobody does.
  private func findings(at port: UInt16) async throws -> DoctorRuns.Findings {
    try doctor.configure("http://dav.example.test:\(port)/", "allow_http = true")
    let run = try await names.run(
      doctor.calgw, ["doctor", "--json"], trusting: certificates.authority)
    return try doctor.findings(of: run)
  }

  @Test func `one that refuses beside one that answers is a warning`() async throws {
    var switches = ModelSwitches()
    // By plain http a login is shown only to who asks for it.
    switches.authentication = .basic
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let server = try ScriptedServer { model.steps(for: $0) }
    let found = try await findings(at: server.port)
    #expect(found.status == 0)
    let lines = found.lines.filter { $0.step == "connection" }
    #expect(lines.map(\.result) == ["ok", "warning"], "\(lines)")
    #expect(lines.first?.message.hasPrefix("127.0.0.1 port \(server.port) in ") == true)
    #expect(
      lines.last?.message
        == "an address of dav.example.test does not answer: 127.0.0.2: connection refused")
    #expect(lines.last?.hint.contains("tell the server's operator") == true)
  }

  @Test func `where all refuse, the failure names each`() async throws {
    let port = try UnreachablePort(answering: true)
    let found = try await findings(at: port.port)
    doctor.expectFailure(
      found, "connection", 69, says: "no connection to dav.example.test port \(port.port): ",
      mend: "check the port of the url", skips: ["sign-in", "discovery"])
    let message = found.lines.first { $0.step == "connection" }?.message ?? ""
    for address in ["127.0.0.1", "127.0.0.2"] {
      #expect(message.contains("\(address): connection refused"), "\(message)")
    }
  }
}
