import CurlTransport
import TestSupport
import Testing
import WebDAV

@Suite(.timeLimit(.minutes(20))) struct TimeLimitTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"

  @Test func `a connection that nobody answers ends by the connect limit (C4 4)`() async throws {
    let port = try UnreachablePort(answering: false)
    let transport = try CurlTransport.loopback { $0.connectTimeout = .milliseconds(200) }
    let failure = await transport.failure("PUT", "http://127.0.0.1:\(port.port)/", body: [0x61])
    #expect(failure?.kind == .noConnection)
    #expect(failure?.message.hasPrefix("no connection to") == true)
    #expect(failure?.mayHaveActed == false)
  }

  @Test func `a handshake that nobody answers ends by the connect limit (C4 5)`() async throws {
    let server = try ScriptedServer(greeting: { _ in [.silence] }, answer: ScriptedServer.ok)
    let transport = try CurlTransport.loopback { $0.connectTimeout = .milliseconds(200) }
    let failure = await transport.failure("PUT", "https://127.0.0.1:\(server.port)/", body: [0x61])
    #expect(failure?.kind == .noConnection)
    #expect(failure?.message.contains("did not finish the handshake") == true)
    #expect(failure?.mayHaveActed == false)
  }

  @Test(arguments: ["GET", "PUT"])
  func `no answer at all ends by the limit on silence (C4 11, 12)`(method: String) async throws {
    let server = try ScriptedServer { _ in [.silence] }
    let transport = try CurlTransport.loopback { $0.silenceTimeout = .milliseconds(200) }
    let failure = await transport.failure(method, server.url)
    #expect(failure?.kind == .timeout)
    #expect(failure?.mayHaveActed == true)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: ["HTTP/1.1 20", "HTTP/1.1 200 OK\r\nETag", head, head + "some of it"])
  func `an answer that stops ends by the limit on silence (C4 13)`(bytes: String) async throws {
    let server = try ScriptedServer { _ in [.send(bytes), .silence] }
    let transport = try CurlTransport.loopback { $0.silenceTimeout = .milliseconds(200) }
    #expect(await transport.failure("GET", server.url)?.kind == .timeout)
  }

  @Test func `a body that the server does not read ends by the limit on silence`() async throws {
    let gate = try Gate()
    let server = try ScriptedServer(
      greeting: { _ in [.read(1000), .wait(gate)] }, answer: ScriptedServer.ok)
    let transport = try CurlTransport.loopback { $0.silenceTimeout = .milliseconds(200) }
    let failure = await transport.failure("PUT", server.url, body: largeBody)
    #expect(failure?.kind == .timeout)
    #expect(failure?.mayHaveActed == true)
    gate.open()
  }

  @Test func `one byte now and then is too slow (C4 22)`() async throws {
    let server = try ScriptedServer { _ in
      [
        .trickle(
          Array((Self.head + String(repeating: "x", count: 10_000)).utf8), every: .milliseconds(10))
      ]
    }
    let transport = try CurlTransport.loopback {
      $0.minimumRate = 2000
      $0.minimumRateWindow = .milliseconds(300)
    }
    let failure = await transport.failure("GET", server.url)
    #expect(failure?.kind == .tooSlow)
    #expect(failure?.message.contains("too slow") == true)
  }

  @Test func `headers byte by byte are no way around the rate (C4 22)`() async throws {
    let server = try ScriptedServer { _ in
      [
        .trickle(
          Array("HTTP/1.1 200 OK\r\n".utf8) + [UInt8](repeating: 0x61, count: 10_000),
          every: .milliseconds(10))
      ]
    }
    let transport = try CurlTransport.loopback {
      $0.minimumRate = 2000
      $0.minimumRateWindow = .milliseconds(300)
    }
    #expect(await transport.failure("GET", server.url)?.kind == .tooSlow)
  }

  @Test func `a body without end ends by the limit on the whole`() async throws {
    let server = try ScriptedServer { _ in
      [
        .send("HTTP/1.1 200 OK\r\n\r\n"),
        .trickle([UInt8](repeating: 0x61, count: 10_000), every: .milliseconds(10)),
      ]
    }
    let transport = try CurlTransport.loopback {
      $0.totalTimeout = .milliseconds(400)
      $0.minimumRate = 0
    }
    let failure = await transport.failure("GET", server.url)
    #expect(failure?.kind == .timeout)
    #expect(failure?.message.contains("longer") == true)
  }

  @Test func `waiting for a free connection counts for no limit`() async throws {
    let server = try ScriptedServer { request in
      if request.number > 0 { return [.answer(200)] }
      // Two seconds, longer than any limit below.
      return [
        .send("HTTP/1.1 200 OK\r\nContent-Length: 40\r\n\r\n"),
        .trickle([UInt8](repeating: 0x61, count: 40), every: .milliseconds(50)),
      ]
    }
    let transport = try CurlTransport.loopback {
      $0.maxConnectionsPerHost = 1
      $0.connectTimeout = .milliseconds(500)
      $0.silenceTimeout = .milliseconds(1000)
    }
    let url = server.url
    async let first = transport.answer("GET", url)
    await server.waitForRequests(1)
    async let second = transport.answer("GET", url)
    async let third = transport.answer("GET", url)
    #expect(try await [first, second, third].map(\.head.status) == [200, 200, 200])
    #expect(server.connectionCount == 1)
  }

  @Test func `silence, rate and the whole are each judged by the clock and the bytes`() {
    let limits = ExchangeWatch.Limits(silence: 100, total: 1000, window: 200, leastPerWindow: 50)
    var watch = ExchangeWatch(limits: limits, now: 0, moved: 10)
    #expect(watch.look(now: 99, moved: 10) == .moving)
    #expect(watch.look(now: 100, moved: 10) == .silent)
    watch = ExchangeWatch(limits: limits, now: 0, moved: 0)
    #expect(watch.look(now: 90, moved: 1) == .moving)
    #expect(watch.look(now: 189, moved: 1) == .moving)
    #expect(watch.look(now: 200, moved: 49) == .tooSlow)
    watch = ExchangeWatch(limits: limits, now: 0, moved: 0)
    #expect(watch.look(now: 200, moved: 50) == .moving)
    #expect(watch.look(now: 400, moved: 99) == .tooSlow)
    watch = ExchangeWatch(limits: limits, now: 0, moved: 0)
    #expect(watch.look(now: 999, moved: 500) == .moving)
    #expect(watch.look(now: 1000, moved: 501) == .tooLong)
  }

  @Test(
    arguments: [
      (Duration.zero, 1), (.milliseconds(-5), 1), (.microseconds(900), 1),
      (.milliseconds(1500), 1500), (.seconds(Int64.max), 2_147_483_000),
      (.seconds(Int64.min), 1),
    ] as [(Duration, Int64)])
  func `a duration of any size becomes milliseconds that libcurl takes`(
    duration: Duration, milliseconds: Int64
  ) {
    #expect(duration.clampedMilliseconds == milliseconds)
  }
}
