import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// How many requests a calendar sends at once. Time is virtual: each takes 100 ms.
@Suite struct ParallelTests {
  /// What a calendar did.
  private struct Seen: Sendable {
    var results: [WriteOutcome.Result] = []
    var absent = 0
    var readsBefore = 0
    var readsAfter = 0
    var learned: CalDAVAccount.Learned?
  }

  /// Creates 200 items, and then looks for 50 that are not there.
  private func work(
    isMultiplexed: Bool, connections: Int, knowing learned: CalDAVAccount.Learned? = nil,
    _ trouble: (ModelServer) -> Void = { _ in }
  ) throws -> (Seen, ModelServer) {
    let executor = StepExecutor(seed: 1)
    var switches = ModelSwitches()
    switches.isMultiplexed = isMultiplexed
    let server = ModelServer(switches, surroundings: executor.surroundings) { _ in 50 }
    server.makeCalendar("work", displayName: "Work", color: "#FF8800FF", components: ["VEVENT"])
    trouble(server)
    var options = CalDAVAccount.Options()
    options.maxConnections = connections
    options.learned = learned
    options.found = FoundLocation(
      .homeSets([ModelServer.origin + ModelServer.homePath]), foundAt: executor.surroundings.now())
    let account = try CalDAVAccount(
      url: ModelServer.origin, credentials: nil, transport: server,
      surroundings: executor.surroundings, digest: sha256, options: options)
    let seen = try executor.run {
      var seen = Seen()
      let listed = try await account.listCollections()
      let storage = try await account.openCalendar(try #require(listed.first))
      seen.readsBefore = storage.traits.readsInFlight
      for start in stride(from: 0, to: 200, by: storage.traits.writeBatch) {
        let batch = (start..<start + storage.traits.writeBatch).map { number in
          GuardedWrite.create(ModelAccount.href("\(number).ics"), event("\(number)"))
        }
        seen.results += await storage.carryOut(batch).map(\.result)
      }
      seen.readsAfter = storage.traits.readsInFlight
      let strangers = (0..<50).map { ModelAccount.href("none-\($0).ics") }
      seen.absent = try await storage.confirmAbsence(of: strangers).count
      account.learnThrottling()
      seen.learned = account.learned
      return seen
    }
    return (seen, server)
  }

  /// Whether answers come over HTTP/2, `max_connections`, requests at once, and reads of a batch
  /// at once before and after.
  @Test(arguments: [
    (false, 4, 4, 4, 4), (true, 4, 16, 4, 8), (false, 1, 1, 1, 1), (true, 1, 1, 1, 1),
    (true, 2, 16, 2, 4), (false, 20, 20, 20, 20), (true, 20, 20, 20, 20),
  ])
  func `over HTTP 2 more requests go at once than there may be connections`(
    isMultiplexed: Bool, connections: Int, requests: Int, readsBefore: Int, readsAfter: Int
  ) throws {
    let (seen, server) = try work(isMultiplexed: isMultiplexed, connections: connections)
    #expect(seen.results.count == 200)
    #expect(
      seen.results.allSatisfy { result in
        if case .stored = result { true } else { false }
      })
    #expect(seen.absent == 50)
    #expect(server.mostAtOnce == requests)
    #expect(seen.readsBefore == readsBefore && seen.readsAfter == readsAfter)
    let finding = try #require(seen.learned?.profile[.unthrottled])
    let words = requests == 1 ? "one request at a time" : "up to \(requests) requests at once"
    #expect(finding.holds && finding.request == words)
    #expect(seen.learned?.profile[.parallel]?.holds == (requests == 1 ? nil : true))
  }

  @Test func `after silence to several at once the next run begins with one alone`() throws {
    let (seen, _) = try work(isMultiplexed: false, connections: 4) { server in
      server.interfere { request in
        request.method == "PUT" && 100..<104 ~= request.number ? .silent : nil
      }
    }
    let finding = try #require(seen.learned?.profile[.parallel])
    #expect(!finding.holds && finding.answer == "silence to several at once")
    let (next, server) = try work(isMultiplexed: false, connections: 4, knowing: seen.learned)
    #expect(next.results.count == 200 && server.mostAtOnce < 4)
  }

  @Test func `when the account is in trouble, what was not sent is not sent`() throws {
    let (seen, server) = try work(isMultiplexed: true, connections: 4) { server in
      server.interfere { request in
        request.method == "PUT" && request.number > 100 ? .noConnection : nil
      }
    }
    let failed = seen.results.count { result in
      if case .failed = result { true } else { false }
    }
    #expect(failed > 50)
    #expect(server.count("PUT") < 140)
  }
}
