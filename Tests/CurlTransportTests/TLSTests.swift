import CurlTransport
import Foundation
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20)), .enabled(if: TestCertificates.canBeMade), .certificates)
struct TLSTests {
  private let certificates: TestCertificates

  init() throws { certificates = try #require(SharedCertificates.current) }

  private func transport(
    trusting: Bool, _ change: (inout CurlTransport.Options) -> Void = { _ in }
  ) throws -> CurlTransport {
    try CurlTransport.loopback {
      $0.extraCAFile = trusting ? certificates.authority : nil
      change(&$0)
    }
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func `a certificate of the extra authority is trusted`(host: String) async throws {
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    let answer = try await transport(trusting: true).answer(
      "GET", "https://\(host):\(server.port)/")
    #expect(answer.head.status == 200)
  }

  @Test func `what a server shows of itself is kept where that is asked for`() async throws {
    let server = try TLSServer(
      certificates.valid, arguments: ["-www"])
    let url = "https://localhost:\(server.port)/"
    let curious = try transport(trusting: true) { $0.keepsCertificates = true }
    _ = try await curious.answer("GET", url)
    let own = try #require(curious.certificates.first)
    let file = try String(contentsOfFile: certificates.valid.certificate, encoding: .utf8)
    #expect(file.hasSuffix(String(decoding: own, as: UTF8.self)), "openssl may put words before it")
    let other = try transport(trusting: true)
    _ = try await other.answer("GET", url)
    #expect(other.certificates.isEmpty)
  }

  @Test func `a certificate of an unknown authority is refused before anything is sent (C4 5)`()
    async throws
  {
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    let failure = await (try transport(trusting: false)).failure(
      "PUT", "https://localhost:\(server.port)/", body: [0x61],
      credentials: .login("ann", "canary-0d1e", .basic))
    #expect(failure?.kind == .tls)
    #expect(failure?.mayHaveActed == false)
    #expect(failure?.message.hasPrefix("the certificate of localhost is not trusted: ") == true)
    #expect(failure?.message.contains("canary") == false)
  }

  @Test(arguments: ["https", "http"])
  func `a proxy's own certificate is not blamed on the server`(scheme: String) async throws {
    let proxy = try TLSServer(certificates.valid, arguments: ["-www"])
    let transport = try transport(trusting: false) {
      $0.proxy = .url("https://localhost:\(proxy.port)")
    }
    let failure = await transport.failure("GET", "\(scheme)://dav.example.org/")
    #expect(failure?.kind == .tls)
    #expect(failure?.message.hasPrefix("the certificate of the proxy is not trusted: ") == true)
  }

  @Test func `an expired certificate is refused by name (C4 6)`() async throws {
    let server = try TLSServer(certificates.expired, arguments: ["-www"])
    let failure = await (try transport(trusting: true)).failure(
      "GET", "https://localhost:\(server.port)/")
    #expect(failure?.kind == .tls)
    #expect(failure?.message.contains("certificate has expired") == true)
    #expect(failure?.mayHaveActed == false)
  }

  @Test func `a certificate of another host is refused (C4 6)`() async throws {
    let server = try TLSServer(certificates.wrongHost, arguments: ["-www"])
    let failure = await (try transport(trusting: true)).failure(
      "GET", "https://localhost:\(server.port)/")
    #expect(failure?.kind == .tls)
    #expect(failure?.mayHaveActed == false)
  }

  @Test(arguments: ["-tls1", "-tls1_1"])
  func `a server of TLS 1.1 or older is refused`(version: String) async throws {
    let server = try TLSServer(
      certificates.valid, arguments: ["-www", version, "-cipher", "ALL:@SECLEVEL=0"])
    let failure = await (try transport(trusting: true)).failure(
      "GET", "https://localhost:\(server.port)/")
    #expect(failure?.kind == .tls)
    #expect(failure?.mayHaveActed == false)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a server of TLS 1.2 or newer is taken`(version: String) async throws {
    let server = try TLSServer(certificates.valid, arguments: ["-www", version])
    let answer = try await transport(trusting: true).answer(
      "GET", "https://localhost:\(server.port)/")
    #expect(answer.head.status == 200)
  }

  /// PITFALLS E3.26. libcurl would keep it with the handle that the next request takes, and of a
  /// host with a name alone, never of an address.
  @Test func `what a server says of https (HSTS) changes nothing for plain http to its host`()
    async throws
  {
    let rule = "max-age=31536000; includeSubDomains"
    let head = "HTTP/1.1 200 OK\r\nStrict-Transport-Security: \(rule)\r\nContent-Length: 0\r\n\r\n"
    let secure = try TLSServer(certificates.valid, arguments: [], speaking: Array(head.utf8))
    let plain = try ScriptedServer()
    let transport = try transport(trusting: true)
    let answer = try await transport.answer("GET", "https://localhost:\(secure.port)/")
    #expect(answer.head.values(of: "Strict-Transport-Security") == [Array(rule.utf8)])
    for method in ["PROPFIND", "PUT"] {
      let url = "http://localhost:\(plain.port)/"
      #expect(try await transport.answer(method, url).head.status == 200)
    }
    #expect(plain.requests.map(\.method) == ["PROPFIND", "PUT"])
    #expect(plain.connectionCount == 1)
  }

  @Test func `a server that speaks no TLS is no certificate problem (C4 5)`() async throws {
    let server = try ScriptedServer(
      greeting: { _ in [.read(1), .send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close] },
      answer: ScriptedServer.ok)
    let failure = await (try transport(trusting: true)).failure(
      "PUT", "https://localhost:\(server.port)/", body: [0x61])
    #expect(failure?.kind == .tls)
    #expect(failure?.mayHaveActed == false)
    #expect(failure?.message.hasPrefix("no TLS connection to localhost port") == true)
  }

  @Test func `a handshake that is cut has sent nothing (C4 5, 7)`() async throws {
    let server = try ScriptedServer(
      greeting: { _ in [.read(10), .reset] }, answer: ScriptedServer.ok)
    let failure = await (try transport(trusting: true)).failure(
      "PUT", "https://localhost:\(server.port)/", body: [0x61])
    #expect(failure?.kind == .tls)
    #expect(failure?.mayHaveActed == false)
  }

  @Test func `a server that ends HTTP 2 before it answers leaves it open what happened (C4 23)`()
    async throws
  {
    // RFC 9113: an empty SETTINGS frame, then GOAWAY with the last stream 0 and no error.
    let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
    let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let server = try TLSServer(
      certificates.valid, arguments: ["-alpn", "h2"], speaking: settings + goAway)
    let failure = await (try transport(trusting: true) { $0.silenceTimeout = .milliseconds(500) })
      .failure("PUT", "https://localhost:\(server.port)/", body: [0x61])
    #expect([.interrupted, .unanswered, .turnedAway, .timeout].contains(failure?.kind))
  }

  @Test(.enabled(if: ImpatientTLSServer.canRun))
  func `a write after the server ended an idle session takes a new connection`() async throws {
    let server = try ImpatientTLSServer(certificates.valid)
    let transport = try transport(trusting: true)
    for _ in 0..<3 {
      let url = "https://localhost:\(server.port)/"
      #expect(try await transport.answer("PUT", url).head.status == 204)
      server.endConnection()
    }
    #expect(transport.traffic.requests == 3)
  }

  @Test(.enabled(if: HTTP2Server.canRun))
  func `100 writes at once share one connection of HTTP 2`() async throws {
    let server = try HTTP2Server(certificates.valid)
    let transport = try transport(trusting: true)
    let url = "https://localhost:\(server.port)/"
    let statuses = await withTaskGroup(of: Int.self) { group in
      for number in 0..<100 {
        group.addTask {
          let body = [UInt8](repeating: 0x61, count: number)
          return (try? await transport.answer("PUT", url + "\(number)", body: body).head.status)
            ?? 0
        }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses == [Int](repeating: 204, count: 100))
    #expect(transport.traffic.requests == 100)
    #expect(server.stopAndCountConnections() == 1)
  }

  @Test(.enabled(if: HTTP2Server.canRun))
  func `what comes over HTTP 2 says so, and many at once share one connection`()
    async throws
  {
    let server = try HTTP2Server(certificates.valid)
    let client = try client(of: server.port)
    let answers = await get(200, client, "https://localhost:\(server.port)/")
    #expect(answers.count == 200 && answers.allSatisfy { $0.status == 204 })
    #expect(answers.allSatisfy { $0.head.isMultiplexed })
    // 4, and one more for each 4 + 5 + … + 15 good answers.
    #expect(client.mostAtOnce == 16)
    #expect(server.stopAndCountConnections() == 1)
  }

  @Test(
    .enabled(if: HTTP2Server.canRun),
    arguments: [
      (HTTP2Server.Trouble.resets, TransportError.Kind.multiplexingFailed),
      (.cuts, .multiplexingFailed), (.demotes, .multiplexingFailed),
      (.leaves, .multiplexingFailed), (.babbles, .multiplexingFailed), (.dismisses, .unanswered),
    ])
  func `after an error of HTTP 2 itself a server is asked over HTTP 1`(
    trouble: HTTP2Server.Trouble, kind: TransportError.Kind
  ) async throws {
    let server = try HTTP2Server(certificates.valid, trouble: trouble)
    let (notes, note) = AsyncStream.makeStream(of: String.self)
    let options = loopbackOptions { $0.extraCAFile = certificates.authority }
    let transport = try CurlTransport(options: options) { note.yield($0) }
    let url = "https://localhost:\(server.port)/"
    let failure = await transport.failure("PUT", url, body: [0x61])
    #expect(failure?.kind == kind, "\(String(describing: failure))")
    #expect(failure?.mayHaveActed == true)
    for _ in 0..<2 {
      let answer = try await transport.answer("PUT", url, body: [0x61])
      #expect(answer.head.status == 204 && !answer.head.isMultiplexed)
    }
    note.finish()
    let told = await notes.reduce(into: [String]()) { $0.append($1) }
    #expect(told.count == 1)
    #expect(told.first?.contains("localhost port \(server.port)") == true, "\(told)")
  }

  /// One stream that is refused may be the last of a connection: the next has another.
  @Test(.enabled(if: HTTP2Server.canRun))
  func `a write that is refused over HTTP 2 is taken where it avoids that`() async throws {
    let server = try HTTP2Server(certificates.valid, trouble: .refuses)
    let transport = try transport(trusting: true)
    let url = "https://localhost:\(server.port)/"
    for _ in 0..<2 {
      let failure = await transport.failure("PUT", url, body: [0x61])
      #expect(failure?.kind == .unanswered, "\(String(describing: failure))")
    }
    var request = HTTPRequest(method: "PUT", url: url, body: [0x61])
    request.avoidsHTTP2 = true
    let head = try await transport.send(request, into: CollectingSink())
    #expect(head.status == 204 && !head.isMultiplexed)
  }

  @Test(.enabled(if: HTTP2Server.canRun), arguments: HTTP2Server.Trouble.allCases)
  func `reads that trouble with HTTP 2 ended are sent again over HTTP 1`(
    trouble: HTTP2Server.Trouble
  ) async throws {
    let server = try HTTP2Server(certificates.valid, trouble: trouble)
    let client = try client(of: server.port)
    let answers = await get(40, client, "https://localhost:\(server.port)/")
    #expect(answers.count == 40 && answers.allSatisfy { $0.status == 204 })
    #expect(answers.allSatisfy { !$0.head.isMultiplexed })
    guard trouble != .dismisses else { return }
    // The end of a connection is no error of HTTP/2's, and not kept for later runs.
    #expect((client.multiplexing == .unknown) == (trouble == .ends), "\(client.multiplexing)")
  }

  @Test func `what comes over HTTP 1 says so, and no more go than there may be connections`()
    async throws
  {
    let server = try TLSServer(certificates.valid, arguments: ["-www"])
    let client = try client(of: server.port)
    let answers = await get(40, client, "https://localhost:\(server.port)/")
    #expect(answers.count == 40 && answers.allSatisfy { $0.status == 200 })
    #expect(answers.allSatisfy { !$0.head.isMultiplexed })
    #expect(client.mostAtOnce == 4)
  }

  /// A client with four connections at most.
  private func client(of port: UInt16) throws -> DAVClient {
    var access = DAVAccess { 0 }
    access.maxConnections = 4
    return DAVClient(
      transport: try transport(trusting: true), access: access,
      trusting: "https://localhost:\(port)")
  }

  /// Sends reads all together.
  private func get(_ count: Int, _ client: DAVClient, _ url: String) async -> [DAVAnswer] {
    await withTaskGroup(of: DAVAnswer?.self) { group in
      for number in 0..<count {
        group.addTask {
          guard let address = try? WebURL(absolute: url + "\(number)") else { return nil }
          return try? await client.send(DAVRequest("GET", address)) {
            BytesSink(limit: 1 << 20)
          }.0
        }
      }
      return await group.reduce(into: []) { if let answer = $1 { $0.append(answer) } }
    }
  }

  @Test func `a file without a usable certificate is refused at the start`() throws {
    let failure = #expect(throws: TransportError.self) {
      try CurlTransport.loopback { $0.extraCAFile = certificates.valid.key }
    }
    #expect(failure?.kind == .tls)
    #expect(failure?.message.contains("holds no PEM certificate") == true)
  }
}

/// Makes one set of certificates for all tests of a suite and removes it after the last.
struct SharedCertificates: SuiteTrait, TestScoping {
  @TaskLocal static var current: TestCertificates?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(try TestCertificates()) { try await function() }
  }
}

extension Trait where Self == SharedCertificates {
  static var certificates: Self { Self() }
}
