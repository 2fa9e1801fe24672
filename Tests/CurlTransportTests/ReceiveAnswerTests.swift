import CurlTransport
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20))) struct ReceiveAnswerTests {
  @Test(arguments: [200, 201, 204, 207, 301, 304, 401, 403, 404, 412, 429, 500, 507])
  func `any status is an answer`(status: Int) async throws {
    let server = try ScriptedServer { _ in [.answer(status)] }
    #expect(try await CurlTransport.loopback().answer("GET", server.url).head.status == status)
  }

  @Test func `header values are the bytes that came, in order, without the space around them`()
    async throws
  {
    let server = try ScriptedServer { _ in
      [
        .send(Array("HTTP/1.1 200 OK\r\nETag:  \"".utf8) + [0xE4, 0xFF] + Array("\" \r\n".utf8)),
        .send("X-Two: a\r\nx-two:\tb\r\nX-None:\r\nContent-Length: 0\r\n\r\n"),
      ]
    }
    let head = try await CurlTransport.loopback().answer("GET", server.url).head
    #expect(head.values(of: "etag") == [[0x22, 0xE4, 0xFF, 0x22]])
    #expect(head.values(of: "X-TWO") == [[0x61], [0x62]])
    #expect(head.values(of: "x-none") == [[]])
  }

  @Test func `interim answers are forgotten`() async throws {
    let server = try ScriptedServer { _ in
      [
        .send("HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n"),
        .send("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
        .answer(201, headers: ["X-Late": "1"]),
      ]
    }
    let head = try await CurlTransport.loopback().answer("PUT", server.url, body: [0x61]).head
    #expect(head.status == 201)
    #expect(head.headers.map(\.name) == ["X-Late", "Content-Length"])
  }

  @Test func `chunks are joined and trailers are no headers`() async throws {
    let server = try ScriptedServer { _ in
      [
        .send("HTTP/1.1 207 Multi-Status\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .send("4\r\nabcd\r\n3;note=x\r\nefg\r\n0\r\nX-Trailer: 1\r\n\r\n"),
      ]
    }
    let answer = try await CurlTransport.loopback().answer("PROPFIND", server.url)
    #expect(answer.body == "abcdefg")
    #expect(answer.head.headers.map(\.name) == ["Transfer-Encoding"])
  }

  @Test func `an answer of HTTP 1.0 ends with its connection`() async throws {
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.0 200 OK\r\nServer: old\r\n\r\nall of it"), .close]
    }
    let transport = try CurlTransport.loopback()
    for _ in 0..<2 {
      #expect(try await transport.answer("GET", server.url).body == "all of it")
    }
    #expect(server.connectionCount == 2)
  }

  @Test func `a server of HTTP 1.0 gets a connection for each request, also many at once`()
    async throws
  {
    let server = try ScriptedServer { request in
      [
        .send("HTTP/1.0 207 Multi-Status\r\nContent-Length: \(request.method.utf8.count)\r\n\r\n"),
        .send(request.method), .close,
      ]
    }
    let transport = try CurlTransport.loopback()
    let url = server.url
    let bodies = try await withThrowingTaskGroup(of: String.self) { group in
      for method in ["GET", "REPORT", "PROPFIND", "GET", "REPORT", "PROPFIND"] {
        group.addTask { try await transport.answer(method, url).body }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(bodies.sorted() == ["GET", "GET", "PROPFIND", "PROPFIND", "REPORT", "REPORT"])
    for number in 0..<3 {
      let body: [UInt8] = [0x61, UInt8(number)]
      #expect(try await transport.answer("PUT", url, body: body).head.status == 207)
    }
    #expect(server.connectionCount == 9)
    let puts = server.requests.filter { $0.method == "PUT" }
    #expect(puts.map(\.body) == [[0x61, 0], [0x61, 1], [0x61, 2]])
  }

  @Test func `HTML of a captive portal is an answer that the layer above judges (C4 20)`()
    async throws
  {
    let server = try ScriptedServer { _ in [.html] }
    let answer = try await CurlTransport.loopback().answer("PROPFIND", server.url)
    #expect(answer.head.status == 200)
    #expect(answer.head.values(of: "content-type") == [Array("text/html; charset=utf-8".utf8)])
  }

  @Test func `an answer that comes before the whole body was sent is taken`() async throws {
    let server = try ScriptedServer(
      greeting: { _ in [.read(1000), .answer(413, headers: ["Connection": "close"]), .close] },
      answer: ScriptedServer.ok)
    let answer = try await CurlTransport.loopback().answer("PUT", server.url, body: largeBody)
    #expect(answer.head.status == 413)
  }

  @Test func `many headers within the limits are taken`() async throws {
    let lines = (0..<900).map { "X-\($0): y\r\n" }.joined()
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 200 OK\r\n\(lines)Content-Length: 0\r\n\r\n")]
    }
    let head = try await CurlTransport.loopback().answer("GET", server.url).head
    #expect(head.headers.count == 901)
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\r\n", "X-Some: y\r\n", 100_000),
    ("HTTP/1.1 200 OK\r\n", "X-Some: y\r\n", 1001),
    ("HTTP/1.1 200 OK\r\nX-Long: ", "y", 70_000),
    ("HTTP/1.1 200 OK\r\nX-Long: ", "y", 1_000_000),
    ("HTTP/1.1 100 Continue\r\n", "\r\nHTTP/1.1 100 Continue\r\n", 50_000),
  ])
  func `headers beyond the limits are refused`(
    begin: String, repeated: String, count: Int
  ) async throws {
    let many = String(repeating: repeated, count: count)
    let server = try ScriptedServer { _ in
      [.send(begin), .send(many), .send("\r\nContent-Length: 0\r\n\r\n"), .close]
    }
    let failure = await (try CurlTransport.loopback()).failure("GET", server.url)
    #expect(failure?.kind == .malformed)
    #expect(failure?.mayHaveActed == true)
  }

  @Test(arguments: [70_000, 150_000, 1_000_000])
  func `a long header is told as one`(count: Int) async throws {
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "y", count: count))\r\n\r\n"), .close]
    }
    let failure = await (try CurlTransport.loopback()).failure("GET", server.url)
    #expect(failure?.message == "the headers from 127.0.0.1 port \(server.port) exceed 65536 bytes")
  }

  @Test(arguments: [
    "220 smtp.example ESMTP\r\n", "<html>no head</html>", "HTTP/1.1 abc OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc", "\u{0}\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
  ])
  func `what is not HTTP is refused`(bytes: String) async throws {
    let server = try ScriptedServer { _ in [.send(bytes), .close] }
    let failure = await (try CurlTransport.loopback()).failure("GET", server.url)
    #expect(failure?.kind == .malformed)
  }

  @Test func `what only says that it is compressed is not handed on (C4 17)`() async throws {
    let server = try ScriptedServer { _ in
      [.answer(207, headers: ["Content-Encoding": "gzip"], body: "<D:multistatus/>")]
    }
    let sink = CollectingSink()
    let transport = try CurlTransport.loopback()
    let failure = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method: "REPORT", url: server.url), into: sink)
    }
    #expect(failure?.kind == .malformed)
    #expect(sink.bytes.isEmpty)
  }

  @Test func `a sink ends a body without end (C4 18)`() async throws {
    let server = try ScriptedServer { _ in
      [
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .sendForever(Array("400\r\n".utf8) + [UInt8](repeating: 0, count: 1024) + [13, 10]),
      ]
    }
    let sink = CollectingSink(limit: 1_000_000)
    let transport = try CurlTransport.loopback()
    let failure = await #expect(throws: TransportError.self) {
      try await transport.send(HTTPRequest(method: "GET", url: server.url), into: sink)
    }
    #expect(failure?.kind == .refusedBody)
    #expect(sink.bytes.count <= 1_000_000)
  }
}
