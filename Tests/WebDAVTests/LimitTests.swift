import Synchronization
import TestSupport
import Testing
import WebDAV

/// A server that takes one request at a time, and complains of each further one, forever. The clock
/// is virtual.
@Suite struct LimitTests {
  /// Sends 200 requests to it; gives who sent them, and the statuses in the order of the answers.
  private func send(
    _ status: Int, _ beginning: Pace.Beginning
  ) throws -> (client: DAVClient, answers: [Int]) {
    let executor = StepExecutor(seed: 1)
    let server = NarrowServer(1, .status(status), executor.surroundings)
    var access = Requests.access(executor.surroundings, most: 4)
    access.beginning = beginning
    let client = DAVClient(transport: server, access: access, trusting: "https://a.example")
    let statuses = try executor.run { await Requests.sendTogether(200, client) }
    #expect(statuses == Array(repeating: 204, count: 200))
    return (client, server.seen.withLock { $0.answers })
  }

  /// Three of the first four requests, and then one after 4, 16, 64 and 64 good answers.
  @Test(arguments: [429, 503, 423])
  func `it is asked for more at once ever more rarely`(status: Int) throws {
    let (client, answers) = try send(status, .full)
    #expect(answers.count { $0 == status } <= 8, "\(answers)")
    guard case .asked = client.throttling else {
      Issue.record("a later run does not get to know: \(client.throttling)")
      return
    }
  }

  @Test(arguments: [429, 503, 423])
  func `a later run asks for more at once some time after it began`(status: Int) throws {
    let (_, answers) = try send(status, .slow)
    #expect(answers.prefix(16) == ArraySlice(repeating: 204, count: 16), "\(answers)")
    let complaints = answers.count { $0 == status }
    #expect(1...4 ~= complaints, "\(answers)")
  }

  @Test func `a lock may be chance, and shows a limit where it comes again and again`() async {
    let pace = Pace(most: 4)
    var shown: [Throttling] = []
    for _ in 0..<3 {
      pace.slowDown(
        for: 0, from: 0, at: "https://a.example", because: "423", isClear: false)
      shown.append(pace.throttling)
      _ = pace.leave(await pace.enter())
      pace.wentWell(isMultiplexed: false)
    }
    #expect(shown == [.unknown, .unknown, .asked("423")])
  }

  @Test func `complaints of what went together are one reason for caution`() async {
    let pace = Pace(most: 4)
    var together: [Pace.Departure] = []
    for _ in 0..<4 { together.append(await pace.enter()) }
    for departure in together {
      _ = pace.leave(departure)
      pace.slowDown(for: 0, from: 0, at: "https://a.example", departure, because: "429")
      // One of another origin in between.
      pace.wentWell(isMultiplexed: false)
    }
    for _ in 0..<3 {
      #expect(pace.width == 1)
      _ = pace.leave(await pace.enter())
      pace.wentWell(isMultiplexed: false)
    }
    #expect(pace.width == 2, "four good answers since the last of them")
  }
}
