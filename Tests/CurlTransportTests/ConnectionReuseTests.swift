import CurlTransport
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20))) struct ConnectionReuseTests {
  @Test func `requests one after the other share a connection`() async throws {
    let server = try ScriptedServer()
    let transport = try CurlTransport.loopback()
    for method in ["GET", "PUT", "PROPFIND", "HEAD", "DELETE"] {
      _ = try await transport.answer(method, server.url)
    }
    #expect(server.requests.count == 5)
    #expect(server.connectionCount == 1)
  }

  @Test func `a request that wants a new connection gets one`() async throws {
    let server = try ScriptedServer()
    let transport = try CurlTransport.loopback()
    for (wantsNewConnection, connections) in [(false, 1), (true, 2), (false, 2), (true, 3)] {
      var request = HTTPRequest(method: "PUT", url: server.url, body: [0x61])
      request.wantsNewConnection = wantsNewConnection
      #expect(try await transport.send(request, into: CollectingSink()).status == 200)
      #expect(server.connectionCount == connections)
    }
  }

  @Test func `a write after the server closed an idle connection takes a new one`() async throws {
    let (closed, close) = AsyncStream.makeStream(of: Void.self)
    let server = try ScriptedServer { _ in
      [.answer(201), .endOutput, .run { close.yield() }, .silence]
    }
    let transport = try CurlTransport.loopback()
    var closings = closed.makeAsyncIterator()
    for _ in 0..<5 {
      #expect(try await transport.answer("PUT", server.url, body: [0x61]).head.status == 201)
      await closings.next()
    }
    #expect(server.requests.count == 5)
    #expect(server.connectionCount == 5)
  }

  @Test func `an answer that nobody asked for is not the next request's (C4 19)`() async throws {
    let (sent, send) = AsyncStream.makeStream(of: Void.self)
    let gate = try Gate()
    let server = try ScriptedServer { request in
      let answer = ServerStep.answer(200, body: request.target)
      guard request.number == 0 else { return [answer] }
      return [answer, .wait(gate), .answer(200, body: "stale"), .run { send.yield() }]
    }
    let transport = try CurlTransport.loopback()
    #expect(try await transport.answer("GET", server.url + "first").body == "/first")
    gate.open()
    var sendings = sent.makeAsyncIterator()
    await sendings.next()
    for path in ["second", "third"] {
      #expect(try await transport.answer("GET", server.url + path).body == "/\(path)")
    }
    #expect(server.connectionCount == 2)
  }

  @Test func `an answer that comes with the one before is not the next request's (C4 19)`()
    async throws
  {
    let server = try ScriptedServer { request in
      [
        .send(
          "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(request.number)HTTP/1.1 201 No\r\n\r\n")
      ]
    }
    let transport = try CurlTransport.loopback()
    for number in 0..<3 {
      #expect(try await transport.answer("GET", server.url).body == "\(number)")
    }
  }

  @Test(arguments: ["PUT", "DELETE", "POST", "MKCALENDAR"])
  func `a write on a connection that then ends is not sent twice (C4 24)`(
    method: String
  ) async throws {
    for ending in [ServerStep.close, .reset] {
      let server = try ScriptedServer { request in
        request.method == "GET" ? [.answer(200)] : [ending]
      }
      let transport = try CurlTransport.loopback()
      _ = try await transport.answer("GET", server.url)
      let failure = await transport.failure(method, server.url)
      #expect(failure?.kind == .unanswered)
      #expect(failure?.mayHaveActed == true)
      #expect(server.requests.map(\.method) == ["GET", method])
    }
  }

  @Test(arguments: ["GET", "PROPFIND", "REPORT"])
  func `a read on a connection that then ends is sent again`(method: String) async throws {
    let server = try ScriptedServer { request in
      request.number == 1 ? [.close] : [.answer(200, body: "\(request.number)")]
    }
    let transport = try CurlTransport.loopback()
    _ = try await transport.answer("GET", server.url)
    let answer = try await transport.answer(method, server.url)
    #expect(answer.body == "2")
    #expect(server.requests.map(\.method) == ["GET", method, method])
  }

  @Test func `no more connections than allowed are opened to one host`() async throws {
    let gate = try Gate()
    let server = try ScriptedServer { request in
      request.number < 4 ? [.wait(gate), .answer(200)] : [.answer(200)]
    }
    let transport = try CurlTransport.loopback()
    let url = server.url
    async let done = withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask { (try? await transport.answer("GET", url).head.status) ?? 0 }
      }
      return await group.reduce(into: [Int]()) { $0.append($1) }
    }
    await server.waitForRequests(4)
    gate.open()
    #expect(await done == [Int](repeating: 200, count: 20))
    #expect(server.connectionCount == 4)
  }

  @Test func `200 requests at once over four connections all get their own answer`() async throws {
    let server = try ScriptedServer { [.answer(200, body: $0.target)] }
    let transport = try CurlTransport.loopback()
    let url = server.url
    let wrong = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask {
          (try? await transport.answer("GET", url + "\(number)").body) == "/\(number)"
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
    }
    #expect(wrong == 0)
    #expect(server.requests.count == 200)
    #expect(server.connectionCount <= 4)
    #expect(transport.traffic.requests == 200)
  }
}
