import CalgwKit
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Runs with a text that does not say for certain what items it holds: a calendar in one file, or a
/// feed.
@Suite struct UnclearStreamTests {
  private func world(_ remote: String) throws -> GatewayWorld {
    try GatewayWorld("remote = \(remote)\ncalendar = \".\"\n")
  }

  private func codes(_ report: PairReport) -> [ItemProblem.Code] {
    report.collections.flatMap(\.problems).map(\.problem.code)
  }

  @Test func `who deletes a UID line deletes no item`() async throws {
    let world = try world("{ file = \"all.ics\" }")
    let all = StreamText.calendar((0..<10).map { StreamText.event("u\($0)", "S\($0)") })
    try world.folder.write("all.ics", all)
    #expect(try await world.sync().status == .success)
    let files = world.folder.names(in: "here")
    #expect(files.count == 10)

    let broken = all.replacing("UID:u4\r\n", with: "").replacing("SUMMARY:S5", with: "SUMMARY:New")
    try world.folder.write("all.ics", broken)
    for isDryRun in [true, false, false] {
      let report = try await world.sync { $0.isDryRun = isDryRun }
      #expect(report.status == .attention)
      #expect(codes(report) == [.noUID])
      #expect(report.collections.first?.pulled.deleted == 0)
      #expect(world.folder.names(in: "here") == files)
    }
    #expect(try world.text("here/u5.ics").contains("SUMMARY:New"))

    // What is done to it here waits.
    try world.folder.write("here/u4.ics", StreamText.calendar([StreamText.event("u4", "Mine")]))
    for _ in 0..<2 {
      let report = try await world.sync()
      #expect(report.status == .attention)
      #expect(codes(report) == [.noUID, .noUID])
      #expect(try world.text("all.ics") == broken)
    }
    try world.folder.write("all.ics", all)
    let settled = try await world.sync()
    #expect(settled.status == .success, "\(settled)")
    #expect(try world.text("all.ics").contains("SUMMARY:Mine"))

    // What is gone whole is gone.
    let left = StreamText.calendar(
      (0..<10).filter { $0 != 4 }.map { StreamText.event("u\($0)", "S\($0)") })
    try world.folder.write("all.ics", left)
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "here") == files.filter { $0 != "u4.ics" })
  }

  @Test func `a copy that was changed and has its first one's UID is left alone with it`()
    async throws
  {
    let world = try world("{ file = \"all.ics\" }")
    let (a, b) = (StreamText.event("a", "A"), StreamText.event("b", "B"))
    try world.folder.write("all.ics", StreamText.calendar([a, b]))
    #expect(try await world.sync().status == .success)
    let here = try world.text("here/a.ics")
    let doubled = StreamText.calendar([
      a, StreamText.event("b", "Better"), StreamText.event("a", "Copy"),
    ])
    try world.folder.write("all.ics", doubled)
    for _ in 0..<2 {
      let report = try await world.sync()
      #expect(report.status == .attention)
      #expect(codes(report) == [.duplicateUID])
      #expect(try world.text("here/a.ics") == here)
      #expect(try world.text("all.ics") == doubled)
    }
    #expect(try world.text("here/b.ics").contains("SUMMARY:Better"))
    try world.folder.write(
      "all.ics",
      StreamText.calendar([a, StreamText.event("b", "Better"), StreamText.event("c", "Copy")]))
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "here") == ["a.ics", "b.ics", "c.ics"])
  }

  @Test func `a new item waits until its UID is clear in the file`() async throws {
    let world = try world("{ file = \"all.ics\" }")
    let doubled = StreamText.calendar([StreamText.event("a", "A"), StreamText.event("a", "Copy")])
    try world.folder.write("all.ics", doubled)
    try world.folder.write("here/a.ics", StreamText.calendar([StreamText.event("a", "A")]))
    let report = try await world.sync()
    #expect(report.status == .attention)
    #expect(Set(codes(report)) == [.duplicateUID])
    #expect(try world.text("all.ics") == doubled)
    try world.folder.write("all.ics", StreamText.calendar([StreamText.event("a", "A")]))
    #expect(try await world.sync().status == .success)
  }

  @Test func `a feed with two items of one UID keeps the rest in step`() async throws {
    let feed = Mutex(StreamText.calendar([StreamText.event("a", "A"), StreamText.event("b", "B")]))
    let server = try ScriptedServer { _ in [.answer(200, body: feed.withLock { $0 })] }
    let world = try world("{ ics = \"\(server.url)x.ics\" }")
    #expect(try await world.sync().status == .success)
    let here = try world.text("here/a.ics")
    let doubled = StreamText.calendar([
      StreamText.event("a", "A"), StreamText.event("a", "A2"), StreamText.event("b", "B"),
      StreamText.event("c", "C"),
    ])
    feed.withLock { $0 = doubled }
    for _ in 0..<2 {
      let report = try await world.sync()
      #expect(report.status == .attention)
      #expect(codes(report) == [.duplicateUID])
    }
    #expect(try world.text("here/a.ics") == here)
    #expect(world.folder.names(in: "here") == ["a.ics", "b.ics", "c.ics"])
  }

  @Test func `a feed whose items have a huge time zone each is refused`() async throws {
    let zone =
      "BEGIN:VTIMEZONE\r\nTZID:Huge\r\n"
      + String(repeating: "X-PAD:\(String(repeating: "z", count: 62))\r\n", count: 15_000)
      + "END:VTIMEZONE\r\n"
    let text = StreamText.calendar(
      [zone] + (0..<60).map { StreamText.event("u\($0)", "E", zone: "Huge") })
    let server = try ScriptedServer { _ in [.answer(200, body: text)] }
    let world = try world("{ ics = \"\(server.url)x.ics\" }")
    let report = try await world.sync()
    #expect(report.status == .protocolBroken)
    #expect("\(report.failures)".contains("time zone in line 4"))
    #expect(world.folder.names(in: "here").isEmpty)
  }
}
