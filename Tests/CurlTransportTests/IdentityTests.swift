import CurlTransport
import Glibc
import TestSupport
import Testing
import WebDAV

/// Certificates of one's own, and pinned keys of others.
@Suite(.timeLimit(.minutes(20)), .enabled(if: TestCertificates.canBeMade), .certificates)
struct IdentityTests {
  private let certificates: TestCertificates

  init() throws { certificates = try #require(SharedCertificates.current) }

  private func transport(
    _ change: (inout CurlTransport.Options) -> Void
  ) throws -> CurlTransport {
    try CurlTransport.loopback {
      $0.extraCAFile = certificates.authority
      change(&$0)
    }
  }

  /// A server that takes nobody without a certificate of the authority.
  private func strictServer(_ version: String) throws -> TLSServer {
    try TLSServer(
      certificates.valid,
      arguments: [
        "-www", "-Verify", "1", "-verify_return_error", "-CAfile", certificates.authority, version,
      ])
  }

  private func ask(
    _ transport: CurlTransport, _ server: TLSServer, mayIdentify: Bool
  ) async throws(TransportError) -> Int {
    let request = HTTPRequest(
      method: "GET", url: "https://localhost:\(server.port)/", mayIdentify: mayIdentify)
    return try await transport.send(request, into: CollectingSink()).status
  }

  /// TLS 1.2 has no alert of its own for this.
  private func wantsCertificate(_ error: TransportError) -> Bool {
    if error.kind == .certificateWanted { return true }
    return !error.mayHaveActed && error.kind == .tls
      && error.message.hasSuffix("(it may want a client certificate)")
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a client certificate opens the door, to those who may know it alone`(
    version: String
  ) async throws {
    let server = try strictServer(version)
    let transport = try transport {
      $0.clientCertificate = .init(
        certificateFile: certificates.valid.certificate, keyFile: certificates.valid.key)
    }
    #expect(try await ask(transport, server, mayIdentify: true) == 200)
    let failure = await #expect(throws: TransportError.self) {
      _ = try await ask(transport, server, mayIdentify: false)
    }
    #expect(failure.map(wantsCertificate) == true)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a server that wants a certificate is told from one that cannot be trusted`(
    version: String
  ) async throws {
    let server = try strictServer(version)
    let failure = try await #require(throws: TransportError.self) {
      _ = try await ask(try transport { _ in }, server, mayIdentify: true)
    }
    #expect(wantsCertificate(failure))
  }

  /// What becomes of an alert of TLS 1.3 where the connection ends before it is read.
  @Test(.enabled(if: AbruptTLSServer.canRun), arguments: [true, false])
  func `a connection that ends without an alert is about the certificate if one was asked for`(
    asks: Bool
  ) async throws {
    let server = try AbruptTLSServer(
      certificates.valid, asking: asks ? certificates.authority : nil)
    defer { server.stop() }
    let failure = try await #require(throws: TransportError.self) {
      let request = HTTPRequest(
        method: "GET", url: "https://localhost:\(server.port)/", mayIdentify: true)
      _ = try await (try transport { _ in }).send(request, into: CollectingSink())
    }
    #expect(failure.kind == (asks ? .certificateWanted : .turnedAway), "\(failure)")
    #expect(failure.message.contains("asked for a client certificate") == asks)
    // What libcurl says of a connection that is gone tells nobody anything.
    #expect(!failure.message.contains("getpeername"), "\(failure.message)")
  }

  @Test func `a pinned key is taken, whatever stands beside it`() async throws {
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    let pin = try certificates.valid.publicKeyDigest()
    let transport = try transport { $0.pinnedKeys = [[UInt8](repeating: 0, count: 32), pin] }
    #expect(try await ask(transport, server, mayIdentify: false) == 200)
  }

  @Test func `a valid certificate with another key is refused before anything is sent`()
    async throws
  {
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    let pin = try certificates.expired.publicKeyDigest()
    let failure = await (try transport { $0.pinnedKeys = [pin] }).failure(
      "PUT", "https://localhost:\(server.port)/", body: [0x61])
    #expect(failure?.kind == .unexpectedKey)
    #expect(failure?.mayHaveActed == false)
  }

  @Test func `a pinned key is no substitute for a valid certificate`() async throws {
    let server = try TLSServer(certificates.expired, arguments: ["-www"])
    let pin = try certificates.expired.publicKeyDigest()
    let failure = await (try transport { $0.pinnedKeys = [pin] }).failure(
      "GET", "https://localhost:\(server.port)/")
    #expect(failure?.kind == .tls)
    let unknown = try CurlTransport.loopback { $0.pinnedKeys = [pin] }
    #expect(
      await unknown.failure("GET", "https://localhost:\(server.port)/")?.kind == .tls)
  }

  @Test func `a pin that is no digest is refused at the start`() {
    #expect(throws: TransportError.self) { try transport { $0.pinnedKeys = [[1, 2, 3]] } }
  }

  @Test(arguments: [
    ("", "no PEM private key"),
    ("-----BEGIN ENCRYPTED PRIVATE KEY-----\n", "has a passphrase"),
    (
      "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n",
      "has a passphrase"
    ),
  ])
  func `a key that cannot be used is refused at the start`(text: String, why: String) throws {
    let path = "/tmp/calgw-key-\(UInt64.random(in: 0 ... .max))"
    let file = open(path, O_CREAT | O_WRONLY | O_EXCL, 0o600)
    defer { unlink(path) }
    #expect(Array(text.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) } >= 0)
    close(file)
    let failure = #expect(throws: TransportError.self) {
      try transport {
        $0.clientCertificate = .init(
          certificateFile: certificates.valid.certificate, keyFile: path)
      }
    }
    #expect(failure?.message.contains(why) == true)
    #expect(failure?.message.contains(path) == true)
  }
}
