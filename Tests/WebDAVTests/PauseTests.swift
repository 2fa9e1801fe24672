import SyncModel
import TestSupport
import Testing
import WebDAV

/// Which requests wait where a server asks for a pause, and for how long. The clock is virtual.
@Suite struct PauseTests {
  @Test func `requests to another server do not wait for it`() async throws {
    let clock = ModelClock()
    let transport = ScriptedTransport(
      try Exchange(
        """
        > DELETE https://a.example/x
        < 429
        < Retry-After: 3600
        > GET https://b.example/x
        < 200
        """))
    let client = DAVClient(
      transport: transport, access: Requests.access(clock.surroundings),
      trusting: "https://a.example")
    let start = clock.now
    _ = try? await Requests.send(client, "DELETE")
    let other = DAVRequest("GET", try WebURL(absolute: "https://b.example/x"))
    let status = try await client.send(other) { BytesSink(limit: 1000) }.0.status
    #expect(status == 200 && clock.now == start)
    let error = await #expect(throws: DAVError.self) { _ = try await Requests.send(client) }
    #expect(error?.kind == .tryLater(3_600_000))
    #expect(transport.complaints == [])
  }

  private func playing(_ exchange: String) throws -> (DAVClient, ScriptedTransport) {
    let transport = ScriptedTransport(try Exchange(exchange))
    let client = DAVClient(
      transport: transport, access: Requests.access(ModelClock().surroundings),
      trusting: "https://a.example")
    return (client, transport)
  }

  private func get(
    _ path: String, _ waiting: DAVRequest.Waiting, from client: DAVClient
  ) async throws -> Int {
    var request = DAVRequest("GET", try WebURL(absolute: "https://a.example/" + path))
    request.waiting = waiting
    return try await client.send(request) { BytesSink(limit: 1000) }.0.status
  }

  @Test func `what one address beside others is told holds for it alone`() async throws {
    let (client, transport) = try playing(
      """
      > GET https://a.example/x
      < 503
      < Retry-After: 3600
      > GET https://a.example/y
      < 200
      """)
    for _ in 0..<2 {
      let error = try await #require(throws: DAVError.self) {
        _ = try await get("x", .besideOthers, from: client)
      }
      #expect(error.kind == .tryLater(3_600_000))
    }
    #expect(try await get("y", .untilEnd, from: client) == 200)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [(429, DAVRequest.Waiting.besideOthers), (429, .notNow), (503, .notNow)])
  func `else it holds for the server`(status: Int, waiting: DAVRequest.Waiting) async throws {
    let (client, transport) = try playing(
      "> GET https://a.example/x\n< \(status)\n< Retry-After: 3600\n")
    for path in ["x", "y"] {
      let error = try await #require(throws: DAVError.self) {
        _ = try await get(path, waiting, from: client)
      }
      #expect(error.kind == .tryLater(3_600_000))
    }
    #expect(transport.complaints == [])
  }

  @Test func `one that is not to be asked now waits a moment at most`() async throws {
    let (client, transport) = try playing(
      "> GET https://a.example/x\n< 503\n> GET https://a.example/y\n< 200\n")
    await #expect(throws: DAVError.self) { _ = try await get("x", .notNow, from: client) }
    #expect(try await get("y", .notNow, from: client) == 200)
    #expect(transport.complaints == [])
  }

  /// The minute that a request may wait in a run without a deadline, in waits of 30 s each.
  @Test(arguments: [(true, 1), (false, 3)])
  func `what others wait for is given up after a minute`(isBrief: Bool, waits: Int) async throws {
    let clock = ModelClock()
    let turn = "> GET https://a.example/x\n< 503\n< Retry-After: 30\n"
    let transport = ScriptedTransport(
      try Exchange(String(repeating: turn, count: 3) + "> GET https://a.example/x\n< 200\n"))
    let client = DAVClient(
      transport: transport, access: Requests.access(clock.surroundings),
      trusting: "https://a.example")
    var request = DAVRequest("GET", try WebURL(absolute: "https://a.example/x"))
    request.waiting = isBrief ? .briefly : .untilEnd
    let start = clock.now.milliseconds
    let end = RunEnd { start + 3_600_000 }
    let status = await Patience.$deadline.withValue(end) { [request] in
      try? await client.send(request) { BytesSink(limit: 1000) }.0.status
    }
    #expect(status == (isBrief ? nil : 200))
    let time = clock.now.milliseconds - start
    #expect(Int64(waits) * 30_000 < time && time <= Int64(waits) * 35_000)
  }
}
