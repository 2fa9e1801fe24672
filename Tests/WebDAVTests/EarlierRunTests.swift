import Synchronization
import TestSupport
import Testing
import WebDAV

/// How many requests at once a run begins with, by what earlier runs met. The clock is virtual.
@Suite struct EarlierRunTests {
  @Test func `a server that asked to wait in an earlier run gets one at first, then more`() throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(100, .status(503), executor.surroundings)
    var slow = Requests.access(executor.surroundings, most: 4)
    slow.beginning = .slow
    let client = DAVClient(transport: server, access: slow, trusting: "https://a.example")
    #expect(client.requestsAtOnce == 1 && client.throttling == .unknown)
    _ = try executor.run { await Requests.sendTogether(15, client) }
    #expect(client.mostAtOnce == 1, "it is let be for some time")
    _ = try executor.run { await Requests.sendTogether(105, client) }
    #expect(client.requestsAtOnce == 4 && client.throttling == .none)
    server.capacity.withLock { $0 = 1 }
    _ = try executor.run { await Requests.sendTogether(4, client) }
    #expect(client.throttling == .asked("503 without Retry-After"))
  }

  @Test func `a server that asked to wait in an earlier run gets no more than connections`() throws
  {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(100, .status(503), executor.surroundings, isMultiplexed: true)
    var slow = Requests.access(executor.surroundings, most: 4)
    slow.beginning = .slow
    let client = DAVClient(transport: server, access: slow, trusting: "https://a.example")
    _ = try executor.run { await Requests.sendTogether(300, client) }
    #expect(client.mostAtOnce == 4)
  }

  @Test func `a server that answered one at a time alone gets one for long`() throws {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(100, .status(503), executor.surroundings)
    var alone = Requests.access(executor.surroundings, most: 4)
    alone.beginning = .alone
    let client = DAVClient(transport: server, access: alone, trusting: "https://a.example")
    for (count, most) in [(60, 1), (100, 2)] {
      _ = try executor.run { await Requests.sendTogether(count, client) }
      #expect(client.mostAtOnce == most)
    }
  }
}
