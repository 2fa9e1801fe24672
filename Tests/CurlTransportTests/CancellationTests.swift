import CurlTransport
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20))) struct CancellationTests {
  @Test func `a cancelled task ends its own transfer and no other`() async throws {
    let gate = try Gate()
    let server = try ScriptedServer { request in
      [request.target == "/silent" ? .silence : .wait(gate), .answer(200)]
    }
    let transport = try CurlTransport.loopback()
    let url = server.url
    let cancelled = Task { await transport.failure("PUT", url + "silent", body: [0x61]) }
    let others = (0..<3).map { number in
      Task { try await transport.answer("GET", url + "\(number)").head.status }
    }
    await server.waitForRequests(4)
    cancelled.cancel()
    let failure = await cancelled.value
    #expect(failure?.kind == .cancelled)
    #expect(failure?.mayHaveActed == true)
    gate.open()
    for other in others { #expect(try await other.value == 200) }
  }

  @Test func `a task that is cancelled before sends nothing`() async throws {
    let server = try ScriptedServer()
    let transport = try CurlTransport.loopback()
    let url = server.url
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await transport.failure("PUT", url, body: [0x61])
    }
    let failure = await task.value
    #expect(failure?.kind == .cancelled)
    #expect(failure?.mayHaveActed == false)
    #expect(server.connectionCount == 0)
  }

  @Test func `a request that waits for a connection can be cancelled and has not acted`()
    async throws
  {
    let gate = try Gate()
    let server = try ScriptedServer { _ in [.wait(gate), .answer(200)] }
    let transport = try CurlTransport.loopback { $0.maxConnectionsPerHost = 1 }
    let url = server.url
    let first = Task { try await transport.answer("GET", url).head.status }
    await server.waitForRequests(1)
    let waiting = Task { await transport.failure("PUT", url, body: [0x61]) }
    waiting.cancel()
    #expect(await waiting.value?.kind == .cancelled)
    gate.open()
    #expect(try await first.value == 200)
    #expect(server.requests.map(\.method) == ["GET"])
  }

  @Test func `an attempt to connect can be cancelled`() async throws {
    let port = try UnreachablePort(answering: false)
    let transport = try CurlTransport.loopback()
    let task = Task { await transport.failure("GET", "http://127.0.0.1:\(port.port)/") }
    task.cancel()
    let failure = await task.value
    #expect(failure?.kind == .cancelled)
    #expect(failure?.mayHaveActed == false)
  }

  @Test func `tasks that are cancelled at any moment all end`() async throws {
    let server = try ScriptedServer { [.answer(200, body: $0.target)] }
    let transport = try CurlTransport.loopback()
    let url = server.url
    let tasks = (0..<200).map { number in
      Task { await transport.failure("GET", url + "\(number)") }
    }
    for (number, task) in tasks.enumerated() where number % 2 == 0 { task.cancel() }
    for (number, task) in tasks.enumerated() {
      let kind = await task.value?.kind
      #expect(kind == nil || (kind == .cancelled && number % 2 == 0))
    }
    #expect(try await transport.answer("GET", url + "last").body == "/last")
  }

  @Test func `the end of the transport ends what runs and what comes`() async throws {
    let server = try ScriptedServer { _ in [.silence] }
    let transport = try CurlTransport.loopback()
    let url = server.url
    let tasks = (0..<3).map { _ in Task { await transport.failure("GET", url) } }
    await server.waitForRequests(3)
    transport.shutdown()
    for task in tasks {
      let failure = await task.value
      #expect(failure?.kind == .cancelled)
      #expect(failure?.mayHaveActed == true)
    }
    transport.shutdown()
    let late = await transport.failure("GET", url)
    #expect(late?.kind == .cancelled)
    #expect(late?.mayHaveActed == false)
  }

  @Test func `letting go of a transport ends its thread and its connections`() async throws {
    weak var gone: CurlTransport?
    let server = try ScriptedServer { _ in [.answer(200)] }
    for _ in 0..<20 {
      let transport = try CurlTransport.loopback()
      gone = transport
      _ = try await transport.answer("GET", server.url)
    }
    #expect(gone == nil)
    #expect(server.connectionCount == 20)
  }

  @Test func `a sink may end the transport`() async throws {
    let server = try ScriptedServer { _ in
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .silence]
    }
    let transport = try CurlTransport.loopback()
    let failure = await #expect(throws: TransportError.self) {
      try await transport.send(
        HTTPRequest(method: "GET", url: server.url), into: EndingSink(transport))
    }
    #expect(failure?.kind == .cancelled)
  }

  private final class EndingSink: BodySink {
    private let transport: CurlTransport

    init(_ transport: CurlTransport) { self.transport = transport }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
      transport.shutdown()
      return true
    }
  }
}
