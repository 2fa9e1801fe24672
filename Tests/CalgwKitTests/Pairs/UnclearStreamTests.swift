import Foundation
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import CalgwKit

/// Runs with a text that does not say for certain what items it holds: a calendar in one file, or a
/// feed.
@Suite struct UnclearStreamTests {
  private struct World {
    let folder: TemporaryFolder
    let remote: String

    init(_ remote: String) throws {
      folder = try TemporaryFolder()
      self.remote = remote
    }

    func sync(change: (inout RunOptions) -> Void = { _ in }) async throws -> PairReport {
      let text =
        "state_dir = \"state\"\n[pair.other]\nlocal = \"here\"\nremote = \(remote)\n"
        + "calendar = \".\"\n"
      let configuration = try Configuration.parse(
        text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
      let gateway = try Gateway(configuration, environment: .home, signals: nil)
      var options = RunOptions()
      change(&options)
      return await gateway.sync(try #require(try gateway.targets([]).first), options)
    }

    func text(_ name: String) throws -> String {
      try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }
  }

  private func component(_ uid: String?, _ summary: String, zone: String? = nil) -> String {
    "BEGIN:VEVENT\r\n" + (uid.map { "UID:\($0)\r\n" } ?? "") + "DTSTAMP:20260101T000000Z\r\n"
      + (zone.map { "DTSTART;TZID=\($0):20260105T090000\r\n" } ?? "DTSTART:20260105T090000Z\r\n")
      + "SUMMARY:\(summary)\r\nEND:VEVENT\r\n"
  }

  private func calendar(_ components: [String]) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\n" + components.joined()
      + "END:VCALENDAR\r\n"
  }

  private func codes(_ report: PairReport) -> [ItemProblem.Code] {
    report.collections.flatMap(\.problems).map(\.problem.code)
  }

  @Test func `who deletes a UID line deletes no item`() async throws {
    let world = try World("{ file = \"all.ics\" }")
    let all = calendar((0..<10).map { component("u\($0)", "S\($0)") })
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
    try world.folder.write("here/u4.ics", calendar([component("u4", "Mine")]))
    for _ in 0..<2 {
      let report = try await world.sync()
      #expect(report.status == .attention)
      #expect(codes(report) == [.noUID, .noUID])
      #expect(try world.text("all.ics") == broken)
    }
    try world.folder.write("all.ics", all)
    #expect(try await world.sync().status == .success)
    #expect(try world.text("all.ics").contains("SUMMARY:Mine"))

    // What is gone whole is gone.
    let left = calendar((0..<10).filter { $0 != 4 }.map { component("u\($0)", "S\($0)") })
    try world.folder.write("all.ics", left)
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "here") == files.filter { $0 != "u4.ics" })
  }

  @Test func `a copy that was changed and has its first one's UID is left alone with it`()
    async throws
  {
    let world = try World("{ file = \"all.ics\" }")
    let (a, b) = (component("a", "A"), component("b", "B"))
    try world.folder.write("all.ics", calendar([a, b]))
    #expect(try await world.sync().status == .success)
    let here = try world.text("here/a.ics")
    let doubled = calendar([a, component("b", "Better"), component("a", "Copy")])
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
      "all.ics", calendar([a, component("b", "Better"), component("c", "Copy")]))
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "here") == ["a.ics", "b.ics", "c.ics"])
  }

  @Test func `a new item waits until its UID is clear in the file`() async throws {
    let world = try World("{ file = \"all.ics\" }")
    let doubled = calendar([component("a", "A"), component("a", "Copy")])
    try world.folder.write("all.ics", doubled)
    try world.folder.write("here/a.ics", calendar([component("a", "A")]))
    let report = try await world.sync()
    #expect(report.status == .attention)
    #expect(Set(codes(report)) == [.duplicateUID])
    #expect(try world.text("all.ics") == doubled)
    try world.folder.write("all.ics", calendar([component("a", "A")]))
    #expect(try await world.sync().status == .success)
  }

  @Test func `a feed with two items of one UID keeps the rest in step`() async throws {
    let feed = Mutex(calendar([component("a", "A"), component("b", "B")]))
    let server = try ScriptedServer { _ in [.answer(200, body: feed.withLock { $0 })] }
    let world = try World("{ ics = \"\(server.url)x.ics\" }")
    #expect(try await world.sync().status == .success)
    let here = try world.text("here/a.ics")
    let doubled = calendar([
      component("a", "A"), component("a", "A2"), component("b", "B"), component("c", "C"),
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
    let text = calendar([zone] + (0..<60).map { component("u\($0)", "E", zone: "Huge") })
    let server = try ScriptedServer { _ in [.answer(200, body: text)] }
    let world = try World("{ ics = \"\(server.url)x.ics\" }")
    let report = try await world.sync()
    #expect(report.status == .protocolBroken)
    #expect("\(report.failures)".contains("time zone in line 4"))
    #expect(world.folder.names(in: "here").isEmpty)
  }
}
