import CalgwKit
import Foundation
import SyncModel
import Synchronization
import TestSupport
import Testing

/// Pairs with a calendar in one file, and with a subscription.
@Suite struct OtherSidesTests {
  // MARK: One file

  @Test func `a file and a folder are kept the same, and the second run is silent`() async throws {
    let world = try GatewayWorld("remote = { file = \"all.ics\" }\ncalendar = \".\"")
    try world.folder.write(
      "all.ics",
      StreamText.calendar([
        "METHOD:PUBLISH\r\n", StreamText.event("a", "A"), StreamText.event("b", "B"),
      ]))
    try world.folder.write("here/c.ics", StreamText.calendar([StreamText.event("c", "C")]))
    let first = try await world.sync()
    #expect(first.status == .success)
    #expect(world.folder.names(in: "here") == ["a.ics", "b.ics", "c.ics"])
    #expect(try world.text("all.ics").contains("UID:c"))
    // METHOD is the file's own and belongs to no item.
    #expect(try world.text("all.ics").contains("METHOD:PUBLISH"))
    #expect(try !world.text("here/a.ics").contains("METHOD"))
    let before = try world.text("all.ics")
    let second = try await world.sync()
    #expect(second.status == .success)
    #expect(second.collections.first?.unchanged == 3)
    #expect(second.collections.first?.pulled.total == 0)
    #expect(second.collections.first?.pushed.total == 0)
    #expect(try world.text("all.ics") == before)

    try world.folder.write("here/b.ics", StreamText.calendar([StreamText.event("b", "Better")]))
    try FileManager.default.removeItem(atPath: world.folder.path + "/here/c.ics")
    #expect(try await world.sync().status == .success)
    #expect(try world.text("all.ics").contains("SUMMARY:Better"))
    #expect(try !world.text("all.ics").contains("UID:c"))
  }

  @Test func `a file that is not there yet is made, in a folder of its name`() async throws {
    let world = try GatewayWorld("remote = { file = \"all.ics\" }")
    try world.folder.write("here/all/a.ics", StreamText.calendar([StreamText.event("a", "A")]))
    // Another pair's folder has no place in the file.
    try world.folder.write("here/work/w.ics", StreamText.calendar([StreamText.event("w", "W")]))
    #expect(try await world.sync().status == .success)
    #expect(try world.text("all.ics").contains("UID:a"))
    #expect(try !world.text("all.ics").contains("UID:w"))
    #expect(try await world.sync().status == .success)
  }

  @Test func `a file that is gone or cut off is an error and deletes nothing`() async throws {
    let world = try GatewayWorld("remote = { file = \"all.ics\" }\ncalendar = \".\"")
    try world.folder.write("all.ics", StreamText.calendar([StreamText.event("a", "A")]))
    #expect(try await world.sync().status == .success)
    try world.folder.write("all.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n")
    #expect(try await world.sync().status == .io)
    try FileManager.default.removeItem(atPath: world.folder.path + "/all.ics")
    #expect(try await world.sync().status == .io)
    #expect(world.folder.names(in: "here") == ["a.ics"])
  }

  // MARK: Subscriptions

  /// A feed whose text a test changes.
  private final class Feed: Sendable {
    private let held = Mutex<(text: String, tag: String?)>(("", nil))
    func set(_ text: String, tag: String?) { held.withLock { $0 = (text, tag) } }

    func server() throws -> ScriptedServer {
      try ScriptedServer { request in
        let (text, tag) = self.held.withLock { $0 }
        guard request.target.hasSuffix("holidays.ics") else { return [.answer(404)] }
        guard let tag else { return [.answer(200, body: text)] }
        if request.header("If-None-Match") == tag { return [.answer(304)] }
        return [.answer(200, headers: ["ETag": tag, "Content-Type": "text/calendar"], body: text)]
      }
    }
  }

  @Test(arguments: ["\"1\"", nil])
  func `a feed is split into items, and unchanged it is one request`(tag: String?) async throws {
    let feed = Feed()
    feed.set(
      StreamText.calendar([StreamText.event("a", "A"), StreamText.event(nil, "No name")]), tag: tag)
    let server = try feed.server()
    let world = try GatewayWorld("remote = { ics = \"\(server.url)secret/bank%20holidays.ics\" }")
    let first = try await world.sync()
    #expect(first.status == .success)
    #expect(first.collections.map(\.name) == ["bank-holidays"])
    #expect(first.traffic.requests == 1)
    for file in world.folder.names(in: "state") {
      let bytes = try Data(contentsOf: URL(filePath: world.folder.path + "/state/" + file))
      #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(file) holds the feed's address")
    }
    let names = world.folder.names(in: "here/bank-holidays")
    #expect(names.count == 2)
    #expect(names.contains("a.ics"))
    let second = try await world.sync()
    #expect(second.traffic.requests == 1)
    #expect(second.status == .success)
    #expect(second.collections.first?.unchanged == 2)

    // Another stamp is no change; another title is one, and the item without a UID stays the same.
    feed.set(
      StreamText.calendar([
        StreamText.event("a", "A", stamp: "20270101T000000Z"),
        StreamText.event(nil, "No name", stamp: "20270101T000000Z"),
      ]), tag: tag.map { _ in "\"2\"" })
    let third = try await world.sync()
    #expect(third.status == .success)
    #expect(third.collections.first?.pulled.total == 0)
    #expect(world.folder.names(in: "here/bank-holidays") == names)
    feed.set(
      StreamText.calendar([StreamText.event("a", "Other"), StreamText.event(nil, "No name")]),
      tag: tag.map { _ in "\"3\"" })
    let fourth = try await world.sync()
    #expect(fourth.collections.first?.pulled.updated == 1)
    #expect(try world.text("here/bank-holidays/a.ics").contains("SUMMARY:Other"))
    #expect(world.folder.names(in: "here/bank-holidays") == names)
  }

  @Test func `edits here stay and are reported, the feed's own changes come`() async throws {
    let feed = Feed()
    feed.set(
      StreamText.calendar([StreamText.event("a", "A"), StreamText.event("b", "B")]), tag: "\"1\"")
    let server = try feed.server()
    let world = try GatewayWorld(
      "remote = { ics = \"\(server.url)holidays.ics\" }\ncalendar = \".\"")
    #expect(try await world.sync().status == .success)
    try world.folder.write("here/a.ics", StreamText.calendar([StreamText.event("a", "Mine")]))
    try world.folder.write(
      "here/new.ics", StreamText.calendar([StreamText.event("new", "Mine too")]))
    feed.set(
      StreamText.calendar([StreamText.event("a", "A"), StreamText.event("b", "Better")]),
      tag: "\"2\"")
    let report = try await world.sync()
    #expect(report.status == .attention)
    let codes = report.collections.first?.problems.map(\.problem.code)
    #expect(codes == [.readOnly, .readOnly])
    let hints = Set(report.collections.flatMap(\.problems).map(\.problem.hint))
    #expect(
      hints == [
        "Undo the change (`calgw resolve UID --take remote`); a subscription takes none.",
        "Delete it here (`calgw delete FILE --span all`) or move it to another calendar (`calgw"
          + " move FILE PAIR/COLLECTION`); a subscription takes none.",
      ])
    #expect(try world.text("here/a.ics").contains("SUMMARY:Mine"))
    #expect(try world.text("here/b.ics").contains("SUMMARY:Better"))
    #expect(Set(server.requests.map(\.method)) == ["GET"])
  }

  @Test(arguments: [
    ("cut off", 200, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", CalgwKit.ExitStatus.protocolBroken),
    ("empty", 200, "", .protocolBroken), ("busy", 503, "", .tryLater),
    ("broken", 500, "", .protocolBroken), ("old", 501, "", .protocolBroken),
    ("behind", 502, "", .unreachable), ("slow", 504, "", .unreachable),
    ("private", 403, "", .denied), ("gone", 404, "", .attention),
  ])
  func `a feed that is not whole deletes nothing and shows no secret`(
    name: String, status: Int, body: String, expected: CalgwKit.ExitStatus
  ) async throws {
    let texts = Mutex<(Int, String)>((200, StreamText.calendar([StreamText.event("a", "A")])))
    let server = try ScriptedServer { _ in
      let (status, text) = texts.withLock { $0 }
      return [.answer(status, body: text)]
    }
    let world = try GatewayWorld(
      "remote = { ics = \"\(server.url)tok3n/holidays.ics\" }\ncalendar = \".\"")
    #expect(try await world.sync().status == .success)
    texts.withLock { $0 = (status, body) }
    let report = try await world.sync()
    #expect(report.status == expected, "\(report.failures)")
    #expect(world.folder.names(in: "here") == ["a.ics"])
    #expect(!"\(report)".contains("tok3n"))
  }

  @Test(arguments: [
    ("lines", "X:1\r\n", 500_000), ("items", "BEGIN:VEVENT\r\nEND:VEVENT\r\n", 50_000),
  ])
  func `a feed of more than memory is given to is refused`(what: String, piece: String, count: Int)
    async throws
  {
    // No argument: the runner of the tests prints those.
    let more = String(repeating: piece, count: count)
    let text = StreamText.calendar([StreamText.event("a", "A")]) + more
    let server = try ScriptedServer { _ in [.answer(200, body: text)] }
    let world = try GatewayWorld("remote = { ics = \"\(server.url)x.ics\" }\ncalendar = \".\"")
    let report = try await world.sync()
    #expect(report.status == .protocolBroken)
    #expect("\(report.failures)".contains(what))
    #expect(world.folder.names(in: "here").isEmpty)
  }

  @Test func `a feed that lost most of its items is asked about`() async throws {
    let feed = Feed()
    feed.set(StreamText.calendar((0..<10).map { StreamText.event("e\($0)", "E") }), tag: "\"1\"")
    let server = try feed.server()
    let world = try GatewayWorld(
      "remote = { ics = \"\(server.url)holidays.ics\" }\ncalendar = \".\"")
    #expect(try await world.sync().status == .success)
    feed.set(StreamText.calendar([StreamText.event("e0", "E")]), tag: "\"2\"")
    let report = try await world.sync()
    #expect(report.collections.first?.problems.map(\.problem.code) == [.massDelete])
    // A feed takes nothing back.
    let hint = try #require(report.collections.first?.problems.first?.problem.hint)
    #expect(!hint.contains("resolve") && hint.contains("`calgw move "))
    #expect(world.folder.names(in: "here").count == 10)
    #expect(try await world.sync { $0.allowsMassDelete = true }.status == .success)
    #expect(world.folder.names(in: "here") == ["e0.ics"])
  }
}
