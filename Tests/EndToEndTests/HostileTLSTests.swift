import TestSupport
import Testing

/// Servers whose TLS is not to be trusted, or that lead out of it (PITFALLS E3.16 and E3.21).
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestCertificates.canBeMade)) struct HostileTLSTests {
  /// What is wrong with a server, and what is said of it.
  enum Flaw: CaseIterable {
    case expired, otherHost, unknownAuthority, oldVersion, otherKey

    var words: String {
      switch self {
      case .expired: "certificate has expired"
      case .otherHost: "write the host into the url that the certificate is for"
      case .unknownAuthority: "the certificate of localhost is not trusted"
      case .oldVersion: "the server's TLS is too old"
      case .otherKey: "its public key not pinned"
      }
    }
  }

  private let certificates: TestCertificates

  init() throws { certificates = try TestCertificates() }

  private var trusted: String { "ca_file = \"\(certificates.authority)\"\n" }

  private func program(
    _ server: TLSServer, beside neighbour: Neighbour, timeout: String = "2m", _ keys: String
  ) throws -> Program {
    let sandbox = Sandbox()
    try sandbox.configureAccount(
      "https://localhost:\(server.port)/", password: "canary-7715", timeout: timeout,
      "\(keys)\n[pair.home]\nlocal = \"~/home\"\nremote = \"home\"")
    try neighbour.join(sandbox)
    return Program(sandbox: sandbox)
  }

  @Test(arguments: Flaw.allCases)
  func `E3.21: a server that shows no good certificate is refused, and the rest is synced`(
    flaw: Flaw
  ) async throws {
    var (identity, arguments, keys) = (certificates.valid, ["-www"], trusted)
    switch flaw {
    case .expired: identity = certificates.expired
    case .otherHost: identity = certificates.wrongHost
    case .unknownAuthority: keys = ""
    case .oldVersion: arguments += ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]
    case .otherKey: keys += "pin_sha256 = \"\(String(repeating: "07", count: 32))\"\n"
    }
    let server = try TLSServer(identity, arguments: arguments)
    let neighbour = try Neighbour()
    let calgw = try program(server, beside: neighbour, keys)
    let run = try await calgw.withstand("sync", endingWith: [69])
    #expect(run.errors.contains(flaw.words), "\(run.errors)")
    #expect(!(run.output + run.errors).contains("canary"))
    neighbour.expectSynced(in: calgw.sandbox)
    server.stop()
  }

  @Test func `E3.16: nothing goes where a redirect leads from https to http`() async throws {
    let spy = try ScriptedServer { _ in [.answer(404), .close] }
    let redirect = "HTTP/1.1 302 X\r\nLocation: \(localhost(spy))\r\nContent-Length: 0\r\n\r\n"
    let server = try TLSServer(certificates.valid, arguments: [], speaking: Array(redirect.utf8))
    let neighbour = try Neighbour()
    // Long enough to read the redirect on a busy machine: then nothing else is said.
    let calgw = try program(server, beside: neighbour, timeout: "5s", trusted)
    let run = try await calgw.withstand("sync", endingWith: [69])
    // The place that is asked once the redirect was not followed.
    #expect(run.errors.contains("/.well-known/caldav in time"), "\(run.errors)")
    neighbour.expectSynced(in: calgw.sandbox)
    await spy.expectUnasked()
    server.stop()
  }

  /// By the name that the first server has, too: only the scheme and the port are others.
  private func localhost(_ server: ScriptedServer) -> String { "http://localhost:\(server.port)/" }
}
