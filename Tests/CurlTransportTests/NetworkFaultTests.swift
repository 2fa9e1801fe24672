import CurlTransport
import TestSupport
import Testing
import WebDAV

/// The faults of SIMULATION C4 that a transport can meet; time limits, TLS and repeated deliveries
/// have suites of their own.
@Suite(.timeLimit(.minutes(20))) struct NetworkFaultTests {
  @Test func `a name that does not resolve is said so (C4 1)`() async throws {
    // A label of more than 63 octets is no name (RFC 1035 section 2.3.4): no resolver is asked.
    let host = String(repeating: "a", count: 64) + ".example"
    let failure = await (try CurlTransport.loopback()).failure("GET", "http://\(host)/")
    #expect(
      failure == TransportError(.unknownHost, "no such host: \(host)", mayHaveActed: false))
  }

  @Test func `a refused connection names the address and the port (C4 3)`() async throws {
    let port = try UnreachablePort(answering: true)
    let failure = await (try CurlTransport.loopback()).failure(
      "PUT", "http://127.0.0.1:\(port.port)/", body: [0x61])
    #expect(
      failure
        == TransportError(
          .noConnection, "connection refused by 127.0.0.1 port \(port.port)", mayHaveActed: false))
  }

  @Test func `a connection reset before the request is an interruption (C4 7)`() async throws {
    let server = try ScriptedServer(greeting: { _ in [.reset] }, answer: ScriptedServer.ok)
    let failure = await (try CurlTransport.loopback()).failure("PUT", server.url, body: [0x61])
    // The reset may come so early that the connection never was one.
    #expect(failure?.kind == .turnedAway || failure?.kind == .noConnection)
    #expect(failure?.kind == .turnedAway || failure?.mayHaveActed == false)
    #expect(server.requests.isEmpty)
  }

  @Test func `a connection reset amid the body may have acted (C4 8)`() async throws {
    let server = try ScriptedServer(
      greeting: { _ in [.read(100_000), .reset] }, answer: ScriptedServer.ok)
    let failure = await (try CurlTransport.loopback()).failure(
      "PUT", server.url, body: largeBody)
    #expect(failure?.kind == .turnedAway)
    #expect(failure?.mayHaveActed == true)
  }

  @Test(arguments: ["PUT", "DELETE", "GET"])
  func `a connection that ends after the whole request may have acted (C4 9, 10)`(
    method: String
  ) async throws {
    for ending in [ServerStep.reset, .close] {
      let server = try ScriptedServer { _ in [ending] }
      let failure = await (try CurlTransport.loopback()).failure(method, server.url)
      #expect(failure?.kind == .turnedAway)
      #expect(failure?.mayHaveActed == true)
      #expect(server.requests.count == 1)
    }
  }

  @Test(arguments: [
    "HTTP/1.1 207 Multi-Status\r\n", "HTTP/1.1 207 Multi-Status\r\nETag: \"a",
    "HTTP/1.1 207 Multi-Status\r\nETag: \"a\"\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 207 Multi-Status\r\n",
  ])
  func `headers cut short are no answer`(bytes: String) async throws {
    let server = try ScriptedServer { _ in [.send(bytes), .close] }
    let failure = await (try CurlTransport.loopback()).failure("REPORT", server.url)
    #expect(failure?.kind == .interrupted)
  }

  @Test func `less than a line is none of an answer`() async throws {
    let server = try ScriptedServer { _ in [.send("HTTP/1.1 207"), .close] }
    let failure = await (try CurlTransport.loopback()).failure("REPORT", server.url)
    #expect(failure?.kind == .turnedAway)
  }

  @Test func `a server that closes what is too much turns away new connections, not kept ones`()
    async throws
  {
    let gate = try Gate()
    let server = try ScriptedServer(
      greeting: { $0 == 0 ? [] : [.close] },
      answer: { request in
        let answer = ServerStep.answer(201)
        return request.target == "/slow" ? [.wait(gate), answer] : [answer]
      })
    let transport = try CurlTransport.loopback()
    async let slow = transport.answer("PUT", server.url + "slow", body: [0x61])
    await server.waitForRequests(1)
    for method in ["PUT", "GET"] {
      let failure = await transport.failure(method, server.url)
      #expect(failure?.kind == .turnedAway || failure?.kind == .noConnection)
    }
    gate.open()
    #expect(try await slow.head.status == 201)
    #expect(try await transport.answer("PUT", server.url, body: [0x61]).head.status == 201)
  }

  @Test(arguments: [
    "Content-Length: 10\r\n\r\n", "Content-Length: 10\r\n\r\n123456789",
    "Transfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\n123",
    "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n",
    "Transfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n",
  ])
  func `a body cut short is an interruption, not an answer (C4 14, 15)`(
    rest: String
  ) async throws {
    for ending in [ServerStep.close, .reset] {
      let server = try ScriptedServer { _ in
        [.send("HTTP/1.1 207 Multi-Status\r\n\(rest)"), ending]
      }
      let failure = await (try CurlTransport.loopback()).failure("REPORT", server.url)
      #expect(failure?.kind == .interrupted)
      #expect(failure?.mayHaveActed == true)
    }
  }

  @Test func `a body that ends with its connection cannot be seen to be cut (C4 16)`()
    async throws
  {
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 207 Multi-Status\r\n\r\n<multistatus><resp"), .close]
    }
    let answer = try await CurlTransport.loopback().answer("REPORT", server.url)
    #expect(answer.body == "<multistatus><resp")
  }

  @Test func `parallel answers may come in any order (C4 25)`() async throws {
    let gate = try Gate()
    let server = try ScriptedServer { request in
      let answer = ServerStep.answer(200, body: request.target)
      return request.target == "/slow" ? [.wait(gate), answer] : [answer]
    }
    let transport = try CurlTransport.loopback()
    async let slow = transport.answer("GET", server.url + "slow")
    await server.waitForRequests(1)
    #expect(try await transport.answer("GET", server.url + "fast").body == "/fast")
    gate.open()
    #expect(try await slow.body == "/slow")
  }

  @Test func `a server that goes away ends what runs and what comes (C4 26)`() async throws {
    let server = try ScriptedServer { request in
      request.number == 0 ? [.answer(200)] : [.silence]
    }
    let transport = try CurlTransport.loopback()
    _ = try await transport.answer("GET", server.url)
    async let running = transport.failure("PUT", server.url, body: [0x61])
    await server.waitForRequests(2)
    server.stop()
    let interrupted = try #require(await running)
    // libcurl tries to connect anew, and the server may still listen then.
    #expect([.unanswered, .interrupted].contains(interrupted.kind), "\(interrupted)")
    #expect(interrupted.mayHaveActed)
    let next = await transport.failure("PUT", server.url, body: [0x61])
    #expect(next?.kind == .noConnection)
    #expect(next?.mayHaveActed == false)
  }

  @Test func `no error shows the login, whatever happens`() async throws {
    let endings: [[ServerStep]] = [
      [.reset], [.close], [.send("canary"), .close], [.send("HTTP/1.1 200 OK\r\nX"), .close],
      [.send("HTTP/1.1 200 OK\r\nContent-Length: canary\r\n\r\n"), .reset],
      [.send("HTTP/1.1 207 OK\r\nContent-Length: 9\r\n\r\n"), .close],
    ]
    for steps in endings {
      for scheme in [HTTPCredentials.Scheme.basic, .digest] {
        let server = try ScriptedServer { _ in steps }
        let login = HTTPCredentials.login("canary-name", "canary-71c0", scheme)
        let failure = await (try CurlTransport.loopback()).failure(
          "PUT", server.url, body: [0x61], credentials: login)
        let text = "\(try #require(failure))"
        #expect(!text.contains("canary-71c0") && !text.contains("canary-name"))
        // "canary-name:canary-71c0" in Base64 begins so.
        #expect(!text.contains("Y2FuYXJ5"))
      }
    }
  }
}
