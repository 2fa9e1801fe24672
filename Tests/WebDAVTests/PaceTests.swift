import SyncModel
import Synchronization
import TestSupport
import Testing
import WebDAV

/// How requests wait for a server that has too much to do. The clock is virtual.
@Suite struct PaceTests {
  // MARK: Requests at once

  @Test(arguments: [429, 503, 423, 0])
  func `a server that takes two at once gets no more than it answers, and all are answered`(
    status: Int
  ) throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(
      2, status == 0 ? .noConnection : .status(status), executor.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings),
      trusting: "https://a.example")
    let statuses = try executor.run { await Requests.sendTogether(30, client) }
    #expect(statuses == Array(repeating: 204, count: 30))
    #expect(server.seen.withLock { $0.most } == 2)
    #expect(client.requestsAtOnce < 8)
  }

  @Test(arguments: [TransportError.Kind.unanswered, .turnedAway])
  func `a server that closes what is more than two gets fewer, and all reads are answered`(
    kind: TransportError.Kind
  ) throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(2, .ended(kind), executor.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings, most: 4),
      trusting: "https://a.example")
    let statuses = try executor.run { await Requests.sendTogether(40, client) }
    #expect(statuses == Array(repeating: 204, count: 40))
    let ends = server.seen.withLock { $0.times.count - $0.answers.count }
    #expect(ends < 8, "it tries more at once ever more rarely")
  }

  @Test(arguments: [(false, true), (true, false)])
  func `a server that turns connections away gets no write on a new one, but alone`(
    hasCompany: Bool, isNew: Bool
  ) async throws {
    let clock = ModelClock()
    let server = NarrowServer(0, .ended(.turnedAway), clock.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(clock.surroundings), trusting: "https://a.example")
    let company = await hasCompany ? client.pace.enter() : nil
    #expect((try? await Requests.send(client, "PUT", guarded: true)) == nil)
    if let company { _ = client.pace.leave(company) }
    var request = DAVRequest("PUT", try WebURL(absolute: "https://a.example/x"))
    request.wantsNewConnection = true
    #expect(client.wantsNewConnection(DAVClient.Attempt(request: request)) == isNew)
  }

  /// It serves one connection after the other, and waits for the end of one that is kept open.
  @Test func `silence to several at once is the end of several`() async {
    let pace = Pace(most: 4)
    let first = await pace.enter()
    let second = await pace.enter()
    pace.noteSilence(first)
    #expect(pace.width == 4, "one alone may be about its request")
    pace.noteSilence(second)
    #expect(pace.width == 1)
    _ = pace.leave(first)
    _ = pace.leave(second)
    let alone = await pace.enter()
    pace.wentWell(isMultiplexed: false)
    #expect(pace.width == 1)
    #expect(pace.leave(alone) == false)
  }

  @Test func `a read that ends again and again with others waits longer each time`() async throws {
    let clock = ModelClock()
    let server = NarrowServer(0, .ended(.interrupted), clock.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(clock.surroundings, most: 100),
      trusting: "https://a.example")
    let company = await client.pace.enter()
    let error = await #expect(throws: DAVError.self) { _ = try await Requests.send(client) }
    _ = client.pace.leave(company)
    #expect(error?.kind == .unreachable)
    let times = server.seen.withLock { $0.times }
    let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
    // The first end may have been of a connection that was kept open for too long.
    let expected: [ClosedRange<Int64>] = [
      0...0, 1001...1250, 2001...2500, 4001...5000, 8001...10_000,
    ]
    #expect(pauses.count == expected.count, "\(pauses)")
    #expect(zip(expected, pauses).allSatisfy { $0.contains($1) }, "\(pauses)")
  }

  @Test func `a read that ends again and again alone is tried twice`() async throws {
    let clock = ModelClock()
    let server = NarrowServer(0, .ended(.interrupted), clock.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(clock.surroundings), trusting: "https://a.example")
    await #expect(throws: DAVError.self) { _ = try await Requests.send(client) }
    let times = server.seen.withLock { $0.times }
    #expect(times.count == 2 && times.first == times.last)
  }

  @Test func `when the server has recovered, there are as many at once as before`() throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(1, .status(503), executor.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings, most: 4),
      trusting: "https://a.example")
    _ = try executor.run { await Requests.sendTogether(8, client) }
    #expect(client.requestsAtOnce < 4)
    server.capacity.withLock { $0 = 100 }
    _ = try executor.run { await Requests.sendTogether(200, client) }
    #expect(client.requestsAtOnce == 4)
    #expect(server.seen.withLock { $0.most } == 4)
  }

  @Test(arguments: [(false, 4), (true, 16)])
  func `over HTTP 2 a server gets more at once than there may be connections`(
    isMultiplexed: Bool, expected: Int
  ) throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(
      100, .status(503), executor.surroundings, isMultiplexed: isMultiplexed)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings, most: 4),
      trusting: "https://a.example")
    let statuses = try executor.run { await Requests.sendTogether(300, client) }
    #expect(statuses == Array(repeating: 204, count: 300))
    #expect(server.seen.withLock { $0.most } == expected)
    #expect(client.mostAtOnce == expected && client.throttling == .none)
  }

  @Test func `a server of HTTP 2 that takes six at once is soon asked for no more`() throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(6, .status(429), executor.surroundings, isMultiplexed: true)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings, most: 4),
      trusting: "https://a.example")
    let statuses = try executor.run { await Requests.sendTogether(300, client) }
    #expect(statuses == Array(repeating: 204, count: 300))
    #expect(server.seen.withLock { $0.answers.count { $0 == 429 } } == 1)
    #expect(client.requestsAtOnce == 4 && client.throttling == .asked("429 without Retry-After"))
  }

  @Test func `a server of HTTP 2 that ends the connection over six streams is asked for fewer`()
    throws
  {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(
      6, .ended(.interrupted), executor.surroundings, isMultiplexed: true)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings, most: 4),
      trusting: "https://a.example")
    let statuses = try executor.run { await Requests.sendTogether(300, client) }
    #expect(statuses == Array(repeating: 204, count: 300))
    #expect(client.requestsAtOnce == 4 && client.throttling == .none)
  }

  @Test func `a server that takes no connection at all is not asked twice`() throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(0, .noConnection, executor.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings),
      trusting: "https://a.example")
    #expect(try executor.run { (try? await Requests.send(client)) == nil })
    #expect(server.seen.withLock { $0.times.count } == 1)
  }

  // MARK: Pauses

  /// Sends one request over an exchange, with a clock that a pause moves at once. Gives the status
  /// or the error, and how long it took.
  private func play(
    _ exchange: String, _ method: String = "GET", guarded: Bool = false, deadline: Int64? = nil
  ) async throws -> (Result<Int, DAVError>, milliseconds: Int64, transport: ScriptedTransport) {
    let clock = ModelClock()
    let transport = ScriptedTransport(try Exchange(exchange))
    let client = DAVClient(
      transport: transport, access: Requests.access(clock.surroundings),
      trusting: "https://a.example")
    let start = clock.now.milliseconds
    let end = deadline.map { deadline in RunEnd { start + deadline } }
    let result: Result<Int, DAVError> = await Patience.$deadline.withValue(end) {
      do throws(DAVError) {
        return .success(try await Requests.send(client, method, guarded: guarded))
      } catch { return .failure(error) }
    }
    return (result, clock.now.milliseconds - start, transport)
  }

  @Test(
    arguments: [
      ("Retry-After: 7", 7001...8750),
      ("Retry-After: Mon, 05 Jan 2026 08:00:20 GMT", 20_001...25_000),
      // By the server's clock, which may be another.
      (
        "Retry-After: Mon, 05 Jan 2026 09:00:20 GMT\n< Date: Mon, 05 Jan 2026 09:00:00 GMT",
        20_001...25_000
      ),
      ("Retry-After: 60", 60_001...65_000), ("Retry-After: 0", 0...0), ("X-None: 1", 1001...1250),
      ("Retry-After: soon", 1001...1250),
    ] as [(String, ClosedRange<Int64>)])
  func `what the server asks for is waited for, and a little more`(
    header: String, expected: ClosedRange<Int64>
  ) async throws {
    for status in [429, 503] {
      let (result, time, transport) = try await play(
        """
        > GET https://a.example/x
        < \(status)
        < \(header)
        > GET https://a.example/x
        < 200
        """)
      #expect(try result.get() == 200)
      #expect(expected.contains(time))
      #expect(transport.complaints == [])
    }
  }

  @Test(arguments: [
    ("GET", false, true), ("PROPFIND", false, true), ("REPORT", false, true),
    ("PROPPATCH", false, true), ("PUT", true, true), ("DELETE", true, true),
    ("PUT", false, false), ("DELETE", false, false), ("MKCALENDAR", false, true),
    ("MKCOL", false, true), ("POST", true, false),
  ])
  func `only what does no harm twice is sent again`(
    method: String, guarded: Bool, isSent: Bool
  ) async throws {
    let (result, _, transport) = try await play(
      """
      > \(method) https://a.example/x
      < 429
      < Retry-After: 2
      > \(method) https://a.example/x
      < 204
      """, method, guarded: guarded)
    #expect((try? result.get()) == (isSent ? 204 : nil))
    #expect(transport.complaints.isEmpty == isSent)
    if case .failure(let error) = result { #expect(error.kind == .tryLater(2000)) }
  }

  @Test(
    arguments: [
      (61, nil, false), (61, 120_000, true), (114, 120_000, true), (121, 120_000, false),
      // With the five seconds that may come on top it would go into the end of the run.
      (30, 10_000, false), (119, 120_000, false),
    ] as [(Int, Int64?, Bool)])
  func `no wait goes beyond the run's budget`(
    seconds: Int, deadline: Int64?, isWaited: Bool
  ) async throws {
    let (result, time, transport) = try await play(
      """
      > GET https://a.example/x
      < 429
      < Retry-After: \(seconds)
      > GET https://a.example/x
      < 200
      """, deadline: deadline)
    #expect((try? result.get()) == (isWaited ? 200 : nil))
    #expect(transport.complaints.isEmpty == isWaited)
    if case .failure(let error) = result {
      #expect(error.kind == .tryLater(Int64(seconds) * 1000))
      #expect(time == 0)
    }
  }

  @Test func `a server that only ever asks to wait is given up`() async throws {
    let turn = "> GET https://a.example/x\n< 503\n"
    let (result, time, transport) = try await play(String(repeating: turn, count: 6))
    guard case .failure(let error) = result else {
      Issue.record("it gave \(result)")
      return
    }
    #expect(error.kind == .tryLater(nil))
    // 1, 2, 4, 8 and 16 seconds, and a quarter of each at most.
    #expect((31_000...38_750).contains(time))
    #expect(transport.complaints == [])
  }

  @Test func `other requests keep the pause too, and none is asked for within a long one`()
    async throws
  {
    let clock = ModelClock()
    let transport = ScriptedTransport(
      try Exchange("> GET https://a.example/x\n< 429\n< Retry-After: 3600\n"))
    let client = DAVClient(
      transport: transport, access: Requests.access(clock.surroundings),
      trusting: "https://a.example")
    for expected in [3_600_000, 3_500_000] as [Int64] {
      let error = await #expect(throws: DAVError.self) { _ = try await Requests.send(client) }
      #expect(error?.kind == .tryLater(expected))
      #expect(error?.hint == "try again in \(expected == 3_600_000 ? "60" : "59") minutes")
      clock.advance(milliseconds: 100_000)
    }
    #expect(transport.traffic.requests == 1)
  }

  @Test func `requests that wait for their turn keep a pause that is asked for meanwhile`() throws {
    let executor = StepExecutor(seed: 1)
    let start = executor.clock
    let server = NarrowServer(1, .status(503), executor.surroundings, firstRefusals: 1)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings, most: 1),
      trusting: "https://a.example")
    let statuses = try executor.run { await Requests.sendTogether(8, client) }
    #expect(statuses == Array(repeating: 204, count: 8))
    #expect(server.seen.withLock { $0.times.count { $0 < start + 1000 } } == 1)
  }

  @Test func `a clock that is set back makes no pause longer`() async throws {
    let clock = ModelClock()
    let transport = ScriptedTransport(
      try Exchange(
        """
        > DELETE https://a.example/x
        < 429
        < Retry-After: 50
        > GET https://a.example/x
        < 200
        """))
    let client = DAVClient(
      transport: transport, access: Requests.access(clock.surroundings),
      trusting: "https://a.example")
    _ = try? await Requests.send(client, "DELETE")
    clock.advance(milliseconds: -86_400_000)
    let before = clock.now.milliseconds
    #expect(try await Requests.send(client) == 200)
    #expect((50_000...55_000).contains(clock.now.milliseconds - before))
  }

  @Test func `a run that is told to stop while it waits stops`() throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(0, .status(503), executor.surroundings)
    let client = DAVClient(
      transport: server, access: Requests.access(executor.surroundings),
      trusting: "https://a.example")
    let error = try executor.run {
      await withTaskGroup(of: DAVError?.self) { group in
        group.addTask {
          do throws(DAVError) {
            _ = try await Requests.send(client)
            return nil
          } catch { return error }
        }
        group.cancelAll()
        return await group.next() ?? nil
      }
    }
    #expect(error?.kind == .stopped)
    #expect(error?.mayHaveActed == false)
  }
}
