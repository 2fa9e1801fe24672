import Foundation
import TestSupport
import Testing

/// A server that shows its own certificate alone, and not the one between that and its authority:
/// browsers may know that one from elsewhere, so its operator may never have noticed.
@Suite(.serialized, .enabled(if: TestCertificates.canBeMade && ImpatientTLSServer.canRun))
struct CutChainTests {
  private let world: FolderAndCalendar
  private let certificates: TestCertificates

  init() throws {
    var switches = ModelSwitches()
    switches.authentication = .basic
    world = try FolderAndCalendar(switches: switches)
    world.model.put("a.ics", event("a", "Dentist"), in: FolderAndCalendar.path)
    certificates = try TestCertificates()
  }

  @Test(arguments: ["sync", "doctor"])
  func `it is said in words what is missing, and the server is asked for nothing`(
    command: String
  ) async throws {
    let server = try world.makeTLSServer(certificates, showing: certificates.underIntermediate)
    let run = try await world.calgw(command)
    #expect(run.status == 69)
    let words = run.output + run.errors
    #expect(words.contains("no trusted connection to https://localhost:\(server.port)"), "\(words)")
    #expect(words.contains("the certificate of localhost is not trusted"), "\(words)")
    #expect(
      words.contains("its operator has to let it send the certificates between"), "\(words)")
    #expect(world.server.requests.isEmpty, "whoever it is learns no password")
  }

  @Test func `with the one between it is trusted`() async throws {
    let own = certificates.underIntermediate
    let chain = try [own.certificate, certificates.intermediate].map {
      try String(contentsOfFile: $0, encoding: .utf8)
    }
    try world.calgw.write("chain.pem", chain.joined())
    let server = try world.makeTLSServer(
      certificates,
      showing: TestCertificates.Identity(
        certificate: world.calgw.home + "/chain.pem", key: own.key))
    let run = try await world.sync().run
    #expect(run.errors.isEmpty, "port \(server.port): \(run.errors)")
    #expect(try world.here() == ["a"])
    #expect(world.server.requests.contains { $0.header("Authorization") != nil })
  }
}
