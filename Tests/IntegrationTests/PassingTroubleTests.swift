import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What a server could not give in one run is asked for again by the next: a listing of changes
/// does not name it a second time.
@Suite struct PassingTroubleTests {
  @Test(arguments: [500, 502, 403])
  func `an edit that could not be read comes with the next run`(status: Int) async throws {
    let pair = ModelPair()
    for uid in ["a", "b"] { pair.putFile(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    for uid in ["a", "b"] { pair.putRemote(uid, ModelPair.event(uid, "B")) }
    // The multiget fails, and then the read of one of the two.
    pair.server.plan(.answer(status, headers: [], body: ""), for: "REPORT", skipping: 1)
    pair.server.plan(.answer(status, headers: [], body: ""), for: "GET")
    let report = try await pair.sync()
    #expect(report.problems.map(\.problem.code) == [.brokenRemote])
    #expect(report.pulled.updated == 1)
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.summaries("a") == "B|B")
    #expect(pair.summaries("b") == "B|B")
    try await pair.expectSilence()
  }

  @Test(arguments: [1, 2])
  func `an item that was moved and cannot be read there waits for one run`(failures: Int)
    async throws
  {
    let pair = ModelPair { $0.hasMultiget = false }
    for uid in ["a", "b"] { pair.putFile(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.removeRemote("a")
    pair.server.put("elsewhere.ics", ModelPair.event("a", "A"), in: ModelPair.calendar)
    pair.server.plan(.answer(500), for: "GET", times: failures)
    let report = try await pair.sync()
    #expect(Set(report.problems.map(\.problem.code)) == [.brokenRemote, .unreadable])
    #expect(pair.summaries("a") == "A|A")
    try await pair.sync()
    #expect(pair.summaries("a") == (failures == 1 ? "A|A" : "-|A"))
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.summaries("a") == "A|A")
    try await pair.expectSilence()
  }

  @Test(arguments: [500, 507, 412])
  func `an item that a server fails at in each round of a run is named once`(status: Int)
    async throws
  {
    let pair = ModelPair()
    pair.putFile("a", ModelPair.event("a", String(repeating: "A", count: 1000)))
    pair.putFile("b", ModelPair.event("b", "A"))
    pair.server.interfere { $0.method == "PUT" && $0.bodyBytes > 1000 ? .answer(status) : nil }
    let report = try await pair.sync()
    #expect(report.problems.map(\.item.uid?.text) == ["a"])
    #expect(pair.summaries("b") == "A|A", "the other one goes")
  }

  /// Google gives that now and then, under the tag that the item has.
  @Test func `a shared item that comes as an empty calendar is read again by the next run`()
    async throws
  {
    let pair = ModelPair { $0.hasMultiget = false }
    pair.putFile("a", ModelPair.event("a", "A"))
    try await pair.settle()
    pair.putRemote("a", ModelPair.event("a", "B"))
    let name = try #require(pair.server.names(in: ModelPair.calendar).first)
    let tag = try #require(pair.server.tag(of: name, in: ModelPair.calendar))
    let hollow = ModelFault.answer(
      200,
      headers: [
        ["Content-Type", "text/calendar"], ["ETag", String(decoding: tag, as: UTF8.self)],
      ],
      body: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nEND:VCALENDAR\r\n")
    pair.server.plan(hollow, for: "GET")
    #expect(try await pair.sync().problems.map(\.problem.code) == [.incomplete])
    #expect(pair.summaries("a") == "A|B")
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.summaries("a") == "B|B")
    try await pair.expectSilence()
  }

  /// Without sync-collection, and with a calendar tag that moves before a listing shows the change.
  @Test func `a deletion of one's own that shows late troubles no later run`() async throws {
    let pair = ModelPair {
      $0.hasSyncCollection = false
      $0.calendarTagIsPrompt = true
      $0.lag = 6_000
    }
    for uid in ["a", "b"] { pair.putFile(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.removeFile("a")
    #expect(try await pair.sync().pushed.deleted == 1)
    #expect(try await pair.sync().problems.map(\.problem.code) == [.brokenRemote])
    pair.clock.advance(milliseconds: 10_000)
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.summaries("a") == "-|-")
    try await pair.settle()
    try await pair.expectSilence()
  }

  @Test func `what no calendar may hold is not read again before it changes`() async throws {
    let pair = ModelPair()
    pair.putFile("a", ModelPair.event("a", "A"))
    try await pair.settle()
    pair.putRemote("a", ModelPair.event("a", "B\u{1}"))
    #expect(try await pair.sync().problems.map(\.problem.code) == [.brokenRemote])
    pair.server.forgetRequests()
    #expect(try await pair.sync().problems.map(\.problem.code) == [.brokenRemote])
    #expect(pair.server.requests.map(\.method) == ["PROPFIND"])
    pair.putRemote("a", ModelPair.event("a", "C"))
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.summaries("a") == "C|C")
  }
}
