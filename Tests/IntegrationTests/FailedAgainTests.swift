import SyncExecution
import SyncModel
import TestSupport
import Testing

/// Items at which a server fails in each run, while nothing changes there.
@Suite struct FailedAgainTests {
  private static let uids = (0..<12).map { "h\($0)" }

  /// Both of its ways of reading fail at them, and one more item is given by GET.
  private func failing() async throws -> ModelPair {
    // All reports are multigets then.
    let pair = ModelPair { $0.hasSyncCollection = false }
    for uid in Self.uids + ["a"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    let entries = Self.uids.map { uid in
      "<D:response><D:href>\(ModelPair.calendar)\(uid).ics</D:href>"
        + "<D:status>HTTP/1.1 500 Internal Server Error</D:status></D:response>"
    }
    let multistatus = "<D:multistatus xmlns:D='DAV:'>\(entries.joined())</D:multistatus>"
    pair.server.interfere { request in
      switch request.method {
      case "REPORT":
        .answer(207, headers: [["Content-Type", "application/xml"]], body: multistatus)
      case "GET": request.path.hasSuffix("/a.ics") ? nil : .answer(500)
      default: nil
      }
    }
    for _ in 0..<3 {
      #expect(try await pair.sync().problems.count == 12)
      pair.clock.advance(milliseconds: 60_000)
    }
    #expect(pair.summaries("a") == "A|A")
    pair.server.forgetRequests()
    return pair
  }

  @Test func `a run in which nothing changed asks for a few by themselves, and names all`()
    async throws
  {
    let pair = try await failing()
    let report = try await pair.sync()
    #expect(Set(report.problems.compactMap(\.item.href?.text)).count == 12)
    #expect(report.problems.allSatisfy { $0.problem.code == .brokenRemote })
    #expect(pair.server.count("GET") == 3 && pair.server.count("REPORT") == 1)
  }

  @Test func `once the server gives them the next run has all of them`() async throws {
    let pair = try await failing()
    pair.server.interfere(nil)
    #expect(try await pair.sync().problems.isEmpty)
    for uid in Self.uids { #expect(pair.summaries(uid) == "A|A") }
    try await pair.expectSilence()
  }

  @Test func `after a change there each of them is asked for`() async throws {
    let pair = try await failing()
    pair.putRemote("h5", ModelPair.event("h5", "B"))
    #expect(try await pair.sync().problems.count == 12)
    let asked = Set(pair.server.requests.filter { $0.method == "GET" }.map(\.path))
    #expect(asked.isSuperset(of: Self.uids.map { "\(ModelPair.calendar)\($0).ics" }))
  }
}
