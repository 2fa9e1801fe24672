import CurlTransport
import TestSupport
import Testing
import WebDAV

/// Answers that come compressed to a request that accepts that.
@Suite(.timeLimit(.minutes(20))) struct CompressionTests {
  private static let text = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"

  /// `text`, by Python's gzip and zlib.
  private static let gzip: [UInt8] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x73, 0x72, 0x75, 0xF7, 0xF4, 0xB3, 0x0A, 0x73, 0x76,
    0xF4, 0x71, 0xF5, 0x73, 0x71, 0x0C, 0xE2, 0xE5, 2, 0x52, 0xC8, 0x5C, 0, 0xF2, 0xA1, 0x59,
    0x98, 0x20, 0, 0, 0,
  ]
  private static let deflate: [UInt8] = [
    0x78, 0x9C, 0x73, 0x72, 0x75, 0xF7, 0xF4, 0xB3, 0x0A, 0x73, 0x76, 0xF4, 0x71, 0xF5, 0x73,
    0x71, 0x0C, 0xE2, 0xE5, 2, 0x52, 0xC8, 0x5C, 0, 0x8A, 0x80, 7, 0xFF,
  ]

  private static func send(
    to server: ScriptedServer, into sink: CollectingSink = CollectingSink(), accepts: Bool = true
  ) async throws(TransportError) -> String {
    let transport = try CurlTransport.loopback()
    var request = HTTPRequest(method: "GET", url: server.url)
    request.acceptsCompression = accepts
    _ = try await transport.send(request, into: sink)
    return sink.text
  }

  /// A proxy may compress what it was asked not to.
  @Test(arguments: ["gzip", "GZIP", "deflate", "identity"], [true, false])
  func `what is compressed comes unpacked, and what is not as it is`(
    coding: String, accepts: Bool
  ) async throws {
    let body =
      switch coding {
      case "identity": Array(Self.text.utf8)
      case "deflate": Self.deflate
      default: Self.gzip
      }
    let server = try ScriptedServer { _ in
      [.answer(200, headers: ["Content-Encoding": coding], body: body)]
    }
    #expect(try await Self.send(to: server, accepts: accepts) == Self.text)
    let asked = server.requests.first?.header("Accept-Encoding")
    #expect(asked == (accepts ? "gzip, deflate" : "identity"))
  }

  @Test func `the next request on the same connection asks for none again`() async throws {
    let server = try ScriptedServer()
    let transport = try CurlTransport.loopback()
    for accepts in [true, false] {
      var request = HTTPRequest(method: "GET", url: server.url)
      request.acceptsCompression = accepts
      _ = try await transport.send(request, into: CollectingSink())
    }
    let asked = server.requests.map { $0.header("Accept-Encoding") }
    #expect(asked == ["gzip, deflate", "identity"])
  }

  @Test(arguments: [true, false])
  func `a bomb ends at the limit of the sink`(accepts: Bool) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    let server = try ScriptedServer { _ in
      [
        .send(Array(head.utf8) + CompressionBomb.head), .sendForever(CompressionBomb.zeros),
      ]
    }
    let sink = CollectingSink(limit: 1_000_000)
    let failure = await #expect(throws: TransportError.self) {
      try await Self.send(to: server, into: sink, accepts: accepts)
    }
    #expect(failure?.kind == .refusedBody)
    #expect(sink.bytes.count <= 1_000_000)
  }

  @Test(arguments: ["gzip, gzip", "deflate, gzip"], [200, 401])
  func `what is compressed several times over is refused`(
    codings: String, status: Int
  ) async throws {
    // Python's gzip, twice.
    let body: [UInt8] = [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x93, 0xEF, 0xE6, 0x60, 0, 1, 0x26, 0xE6, 0xE2, 0xA2,
      0xD2, 0xEF, 0x5F, 0x36, 0x73, 0x15, 0x97, 0x7D, 0x29, 0xFC, 0x5A, 0x5C, 0xC8, 0xF3, 0xE8,
      0x29, 0x53, 0xD0, 0x89, 0x18, 0x86, 0x4F, 0x0B, 0x23, 0x67, 0x28, 0, 0xE5, 1, 0x56, 0xEF,
      0x96, 0xE8, 0x28, 0, 0, 0,
    ]
    let server = try ScriptedServer { _ in
      [.answer(status, headers: ["Content-Encoding": codings], body: body)]
    }
    let sink = CollectingSink()
    let failure = await #expect(throws: TransportError.self) {
      try await Self.send(to: server, into: sink)
    }
    #expect(failure?.kind == .malformed)
    #expect(sink.bytes.isEmpty)
  }

  /// As of a server that means the letters of its text by it.
  @Test(arguments: [nil, .basic, .digest] as [HTTPCredentials.Scheme?])
  func `what is said to be in a coding that is none is taken as it comes`(
    scheme: HTTPCredentials.Scheme?
  ) async throws {
    let server = try ScriptedServer { request in
      if scheme == .digest, request.header("Authorization") == nil {
        let challenge = "Digest realm=\"x\", nonce=\"1\", qop=\"auth\""
        let headers: KeyValuePairs = ["Content-Encoding": "UTF-8", "WWW-Authenticate": challenge]
        return [.answer(401, headers: headers, body: Self.text)]
      }
      return [.answer(207, headers: ["Content-Encoding": "UTF-8"], body: Self.text)]
    }
    let transport = try CurlTransport.loopback()
    let credentials = scheme.map { HTTPCredentials.login("ann", "canary-71c0", $0) }
    for _ in 0..<2 {
      let answer = try await transport.answer(
        "PROPFIND", server.url, body: [0x61], credentials: credentials)
      #expect(answer.head.status == 207)
      #expect(answer.body == Self.text)
    }
    #expect(server.requests.allSatisfy { $0.method == "PROPFIND" })
  }

  @Test func `a write goes out once, whatever coding its answer is said to be in`() async throws {
    let server = try ScriptedServer { _ in
      [.answer(201, headers: ["Content-Encoding": "UTF-8"], body: Self.text)]
    }
    let transport = try CurlTransport.loopback()
    let failure = await transport.failure("PUT", server.url, body: [0x61])
    #expect(failure?.kind == .malformed)
    #expect(failure?.mayHaveActed == true)
    #expect(server.requests.count == 1)
  }

  /// And no password that was refused is shown twice.
  @Test(arguments: ["PUT", "PROPFIND"])
  func `a refusal is told by its headers, whatever coding its text is said to be in`(
    method: String
  ) async throws {
    let server = try ScriptedServer { _ in
      let headers: KeyValuePairs = [
        "Content-Encoding": "UTF-8", "WWW-Authenticate": "Basic realm=\"x\"",
      ]
      return [.answer(401, headers: headers, body: Self.text)]
    }
    let transport = try CurlTransport.loopback()
    let credentials = HTTPCredentials.login("ann", "canary-71c0", .basic)
    for tries in 1...2 {
      let answer = try await transport.answer(
        method, server.url, body: [0x61], credentials: credentials)
      #expect(answer.head.status == 401)
      #expect(answer.head.values(of: "WWW-Authenticate").count == 1)
      #expect(server.requests.count == tries)
    }
  }

  @Test func `what cannot be unpacked is no answer`() async throws {
    let server = try ScriptedServer { _ in
      [.answer(200, headers: ["Content-Encoding": "gzip"], body: Self.text)]
    }
    let failure = await #expect(throws: TransportError.self) {
      try await Self.send(to: server)
    }
    #expect(failure?.kind == .malformed)
    #expect(failure?.message.contains("cannot be unpacked") == true)
  }
}
