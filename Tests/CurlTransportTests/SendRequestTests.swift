import CurlTransport
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20))) struct SendRequestTests {
  @Test(arguments: ["PUT", "PROPFIND", "REPORT", "MKCALENDAR", "DELETE", "PROPPATCH", "POST"])
  func `a body goes out with its length and the method as it is`(method: String) async throws {
    let server = try ScriptedServer()
    let answer = try await CurlTransport.loopback().answer(
      method, server.url + "a/b.ics", body: Array("BEGIN:VCALENDAR".utf8))
    #expect(answer.head.status == 200)
    let request = try #require(server.requests.first)
    #expect(request.method == method)
    #expect(request.target == "/a/b.ics")
    #expect(request.header("Content-Length") == "15")
    #expect(request.body == Array("BEGIN:VCALENDAR".utf8))
    #expect(request.values(of: "Expect").isEmpty)
    #expect(request.values(of: "Transfer-Encoding").isEmpty)
    #expect(request.values(of: "Content-Type").isEmpty)
  }

  @Test func `a large body is neither chunked nor announced by Expect`() async throws {
    let server = try ScriptedServer()
    _ = try await CurlTransport.loopback().answer("PUT", server.url, body: largeBody)
    let request = try #require(server.requests.first)
    #expect(request.header("Content-Length") == "16777216")
    #expect(request.values(of: "Expect").isEmpty)
    #expect(request.body == largeBody)
  }

  @Test(arguments: ["PUT", "POST", "PROPFIND", "MKCALENDAR"])
  func `an empty body has the length zero`(method: String) async throws {
    let server = try ScriptedServer()
    _ = try await CurlTransport.loopback().answer(method, server.url)
    #expect(server.requests.first?.header("Content-Length") == "0")
  }

  @Test(arguments: ["GET", "HEAD", "DELETE", "OPTIONS"])
  func `a method without a body sends no length`(method: String) async throws {
    let server = try ScriptedServer { _ in [.answer(204)] }
    _ = try await CurlTransport.loopback().answer(method, server.url)
    #expect(server.requests.first?.method == method)
    #expect(server.requests.first?.values(of: "Content-Length").isEmpty == true)
  }

  @Test func `the answer to HEAD has no body whatever its length says`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\nETag: \"1\"\r\n\r\n"
    let server = try ScriptedServer { [$0.method == "HEAD" ? .send(head) : .answer(201)] }
    let transport = try CurlTransport.loopback()
    let answer = try await transport.answer("HEAD", server.url)
    #expect(answer.head.values(of: "etag") == [Array("\"1\"".utf8)])
    #expect(answer.body.isEmpty)
    // The handle is used again; what made it a HEAD must be gone.
    _ = try await transport.answer("PUT", server.url, body: [1])
    #expect(server.requests.map(\.method) == ["HEAD", "PUT"])
  }

  @Test func `header values go out as bytes, also outside ASCII, empty and with spaces`()
    async throws
  {
    let server = try ScriptedServer()
    let tag: [UInt8] = [0x22, 0xE4, 0xFF, 0xC3, 0xA4, 0x22]
    _ = try await CurlTransport.loopback().answer(
      "PUT", server.url,
      headers: [
        HTTPHeader("If-Match", tag), HTTPHeader("X-Empty", ""), HTTPHeader("X-Tab", "a\tb"),
        HTTPHeader("Content-Type", "text/calendar; charset=utf-8"),
      ], body: [0x61])
    let request = try #require(server.requests.first)
    #expect(request.values(of: "If-Match") == [tag])
    #expect(request.values(of: "X-Empty") == [[]])
    #expect(request.header("X-Tab") == "a\tb")
    #expect(request.header("Content-Type") == "text/calendar; charset=utf-8")
  }

  @Test func `no compression is asked for, and the program names itself`() async throws {
    let server = try ScriptedServer()
    let transport = try CurlTransport.loopback { $0.userAgent = "calgw/1.2" }
    _ = try await transport.answer("GET", server.url)
    #expect(server.requests.first?.header("Accept-Encoding") == "identity")
    #expect(server.requests.first?.header("User-Agent") == "calgw/1.2")
  }

  @Test(arguments: [
    "/a/../b/./c.ics", "/%2e%2e/x", "/a%40b", "/a@b", "//double//slash", "/?q=/../",
  ])
  func `a path goes out as it is spelled`(path: String) async throws {
    let server = try ScriptedServer()
    _ = try await CurlTransport.loopback().answer("GET", String(server.url.dropLast()) + path)
    #expect(server.requests.first?.target == path)
  }

  @Test func `a token goes out as it is`() async throws {
    let server = try ScriptedServer()
    // RFC 6750 section 2.1.
    _ = try await CurlTransport.loopback().answer(
      "GET", server.url, credentials: .login("", "mF_9.B5f-4.1JqM", .bearer))
    #expect(server.requests.first?.header("Authorization") == "Bearer mF_9.B5f-4.1JqM")
  }

  @Test func `Basic goes out with the first request, made from bytes`() async throws {
    let server = try ScriptedServer()
    // RFC 7617 section 2.1: "test" and "123£" in UTF-8.
    _ = try await CurlTransport.loopback().answer(
      "GET", server.url, credentials: .login("test", "123\u{A3}", .basic))
    #expect(server.requests.first?.header("Authorization") == "Basic dGVzdDoxMjPCow==")
  }

  @Test func `a redirect is an answer and gets no credentials`() async throws {
    let other = try ScriptedServer()
    let target = other.url
    let server = try ScriptedServer { _ in [.answer(307, headers: ["Location": target])] }
    let answer = try await CurlTransport.loopback().answer(
      "PUT", server.url, body: [0x61], credentials: .login("ann", "secret", .basic))
    #expect(answer.head.status == 307)
    #expect(answer.head.values(of: "location") == [Array(target.utf8)])
    #expect(other.connectionCount == 0)
  }

  @Test func `no cookie of an answer comes back`() async throws {
    let server = try ScriptedServer { _ in [.answer(200, headers: ["Set-Cookie": "a=b; Path=/"])] }
    let transport = try CurlTransport.loopback()
    for _ in 0..<2 { _ = try await transport.answer("GET", server.url) }
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.values(of: "Cookie").isEmpty })
  }

  @Test func `requests and bytes of both directions are counted`() async throws {
    let server = try ScriptedServer { _ in [.answer(200, body: "0123456789")] }
    let transport = try CurlTransport.loopback()
    for _ in 0..<3 { _ = try await transport.answer("PUT", server.url, body: largeBody) }
    let sent = server.requests.reduce(0) { $0 + $1.head.count + $1.body.count }
    // "HTTP/1.1 200 Scripted\r\n", "Content-Length: 10\r\n" and "\r\n" are 45 bytes.
    #expect(transport.traffic.requests == 3)
    #expect(transport.traffic.bytesOut == Int64(sent))
    #expect(transport.traffic.bytesIn == 3 * (45 + 10))
  }
}
