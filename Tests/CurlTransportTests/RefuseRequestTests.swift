import CurlTransport
import TestSupport
import Testing
import WebDAV

/// Nothing of these is sent: the server that would take them sees no connection.
@Suite(.timeLimit(.minutes(20))) struct RefuseRequestTests {
  private static let canary = "canary-5e1f"

  @Test(arguments: [
    "", "/calendars/", "ftp://HOST/", "file:///etc/passwd", "http:/HOST/", "http:///x",
    "http://ann:canary-5e1f@HOST/", "http://ann@HOST/", "http://127.0.0.1%2F@HOST/",
    "http://127%2e0.0.1/", "http://HOST/a b", "http://HOST/a\r\nX: y", "http://HOST/a\u{0}",
    "http://HOST/\u{E4}", "http://HOST/#part", "http://HOST\\@127.0.0.1/", "http://127.0.0.1:0/",
    "http://127.0.0.1:65536/", "http://127.0.0.1:+80/", "http://[::1/", "http://[fe80::1%25lo]/",
    "http://m\u{FC}ller.example/", "dict://HOST/", "http://127.0.0.1;x/",
  ])
  func `a URL that is not plainly http or https is refused`(url: String) async throws {
    let server = try ScriptedServer()
    let text = url.replacing("HOST", with: "127.0.0.1:\(server.port)")
    let failure = await (try CurlTransport.loopback()).failure("GET", text)
    #expect(failure?.kind == .badRequest)
    #expect(failure?.mayHaveActed == false)
    #expect(failure?.message.contains(Self.canary) == false)
    #expect(server.connectionCount == 0)
  }

  @Test func `a URL of any length is refused, not cut`() async throws {
    let server = try ScriptedServer()
    let url = server.url + String(repeating: "a", count: 20_000)
    #expect(await (try CurlTransport.loopback()).failure("GET", url)?.kind == .badRequest)
  }

  @Test(arguments: [
    HTTPHeader("If-Match", "\"a\"\r\nX-Injected: 1"), HTTPHeader("If-Match", "a\nb"),
    HTTPHeader("If-Match", "a\u{0}b"), HTTPHeader("If-Match", "a\u{7F}b"),
    HTTPHeader("If-Match", "a\u{1B}[2J"), HTTPHeader("", "x"), HTTPHeader("A B", "x"),
    HTTPHeader("A:B", "x"), HTTPHeader("A\r\nB", "x"), HTTPHeader("\u{C4}", "x"),
    HTTPHeader("Content-Length", "5"), HTTPHeader("transfer-encoding", "chunked"),
    HTTPHeader("Host", "other.example"), HTTPHeader("Connection", "close"),
    HTTPHeader("Expect", "100-continue"),
  ])
  func `a header that could split or contradict the request is refused`(
    header: HTTPHeader
  ) async throws {
    let server = try ScriptedServer()
    let failure = await (try CurlTransport.loopback()).failure(
      "PUT", server.url, headers: [header], body: [0x61])
    #expect(failure?.kind == .badRequest)
    #expect(failure?.mayHaveActed == false)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["", "GET ", "GE\r\nT", "P\u{DC}T"])
  func `a method that is not a token is refused`(method: String) async throws {
    let server = try ScriptedServer()
    #expect(await (try CurlTransport.loopback()).failure(method, server.url)?.kind == .badRequest)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["GET", "HEAD"])
  func `a body with a method that has none is refused`(method: String) async throws {
    let server = try ScriptedServer()
    let failure = await (try CurlTransport.loopback()).failure(method, server.url, body: [1])
    #expect(failure?.kind == .badRequest)
  }

  @Test(
    arguments: [
      ("an:n", "canary-5e1f"), ("ann\r\n", "canary-5e1f"), ("ann\u{0}", "canary-5e1f"),
      ("ann", "canary-5e1f\n"), ("ann", "canary-5e1f\u{0}"), ("ann\u{7F}", "canary-5e1f"),
    ], [HTTPCredentials.Scheme.basic, .digest])
  func `a login that cannot be told apart or splits a header is refused without showing it`(
    login: (String, String), scheme: HTTPCredentials.Scheme
  ) async throws {
    let server = try ScriptedServer()
    let failure = await (try CurlTransport.loopback()).failure(
      "GET", server.url, credentials: .login(login.0, login.1, scheme))
    #expect(failure?.kind == .badRequest)
    #expect(failure?.message.contains(Self.canary) == false)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["canary-5e1f x", "canary-5e1f\r\nX: y", "canary-5e1f\u{0}"])
  func `a token that splits a header is refused without showing it`(token: String) async throws {
    let server = try ScriptedServer()
    let failure = await (try CurlTransport.loopback()).failure(
      "GET", server.url, credentials: .login("", token, .bearer))
    #expect(failure?.kind == .badRequest)
    #expect(failure?.message.contains(Self.canary) == false)
    #expect(server.connectionCount == 0)
  }

  @Test func `credentials and a header that replaces them are refused together`() async throws {
    let server = try ScriptedServer()
    let failure = await (try CurlTransport.loopback()).failure(
      "GET", server.url, headers: [HTTPHeader("authorization", "Bearer canary-5e1f")],
      credentials: .login("ann", "x", .basic))
    #expect(failure?.kind == .badRequest)
    #expect(failure?.message.contains(Self.canary) == false)
  }

  @Test func `options that would split a header or cannot be read are refused at the start`()
    throws
  {
    #expect(throws: TransportError.self) { try CurlTransport.loopback { $0.userAgent = "a\r\nb" } }
    let failure = #expect(throws: TransportError.self) {
      try CurlTransport.loopback { $0.extraCAFile = "/nonexistent/authority.pem" }
    }
    #expect(failure?.kind == .tls)
    #expect(failure?.message.contains("/nonexistent/authority.pem") == true)
    #expect(throws: TransportError.self) {
      try CurlTransport.loopback { $0.extraCAFile = "/dev/null" }
    }
  }
}
