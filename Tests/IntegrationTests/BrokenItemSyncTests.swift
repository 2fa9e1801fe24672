import SyncExecution
import SyncModel
import TestSupport
import Testing
import WebDAV

/// One item that the server cannot give holds up nothing else of the calendar.
@Suite struct BrokenItemSyncTests {
  private static func leading(to place: String) -> ModelFault {
    .answer(302, headers: [["Location", place]])
  }

  @Test(arguments: [
    ModelFault.silent, .lostBefore, .answer(302), .answer(401), .answer(407), .answer(429),
    .answer(503), .answer(502), .answer(200, body: ""),
    leading(to: "/calendars/alice/work/i3.ics"), leading(to: "http://stranger.example/i3.ics"),
    leading(to: "file:///etc/passwd"),
  ])
  func `the others come, what is new here goes, and the one comes once it can be read`(
    fault: ModelFault
  ) async throws {
    let pair = ModelPair { $0.hasMultiget = false }
    for number in 0..<8 { pair.putRemote("i\(number)", ModelPair.event("i\(number)", "A")) }
    pair.putFile("new", ModelPair.event("new", "N"))
    pair.server.interfere { $0.line.hasSuffix("/i3.ics") ? fault : nil }
    let report = try await pair.sync()
    #expect(report.failure == nil)
    #expect(report.problems.map(\.item.href?.text) == [ModelPair.calendar + "i3.ics"])
    #expect(pair.summaries("new") == "N|N")
    #expect(pair.summaries("i0") == "A|A" && pair.summaries("i3") == "-|A")
    pair.server.interfere(nil)
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.summaries("i3") == "A|A")
    try await pair.expectSilence()
  }

  @Test(arguments: [
    ModelFault.lostBefore, .answer(500), .answer(403), .answer(404),
  ])
  func `what the server does not give in a first run is sent to it no second time`(
    fault: ModelFault
  ) async throws {
    let pair = ModelPair { $0.hasMultiget = false }
    for number in 0..<6 {
      let text = ModelPair.event("u\(number)", "A")
      pair.server.put(Array("i\(number).ics".utf8), Array(text.utf8), in: ModelPair.calendar)
      pair.folder.put(Href("l\(number).ics"), ItemData(bytes: Array(text.utf8)))
    }
    let bad = ["/i0.ics", "/i1.ics"]
    pair.server.interfere { request in
      bad.contains(where: request.line.hasSuffix) && request.method == "GET" ? fault : nil
    }
    let report = try await pair.sync()
    let waiting = report.problems.filter { $0.problem.message.contains("may be it") }
    #expect(waiting.map { $0.item.uid?.text } == ["u0", "u1"])
    #expect(pair.server.count("PUT") == 0)
    pair.server.interfere(nil)
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.server.items(in: ModelPair.calendar).count == 6 && pair.folder.items.count == 6)
    try await pair.expectSilence()
  }

  @Test(arguments: [true, false])
  func `an item that neither its name nor its type tells comes, and a stranger is read once`(
    hasSync: Bool
  ) async throws {
    let pair = ModelPair {
      $0.hasSyncCollection = hasSync
      $0.contentType = "application/octet-stream"
    }
    pair.server.put(
      Array("abc".utf8), Array(ModelPair.event("a", "A").utf8), in: ModelPair.calendar)
    let notes = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
    pair.server.put(Array("notes".utf8), notes, in: ModelPair.calendar)
    let stranger = [ModelPair.calendar + "notes"]
    #expect(try await pair.sync().problems.map(\.item.href?.text) == stranger)
    #expect(pair.summaries("a") == "A|A")
    for uid in ["b", "c"] {
      pair.putRemote(uid, ModelPair.event(uid, "A"))
      let before = pair.server.traffic.bytesIn
      #expect(try await pair.sync().problems.map(\.item.href?.text) == stranger)
      #expect(pair.server.traffic.bytesIn - before < 100_000)
      #expect(pair.summaries(uid) == "A|A")
    }
  }

  @Test func `a stranger's word for an item's absence deletes nothing`() async throws {
    let pair = ModelPair()
    for uid in ["a", "b"] { pair.putFile(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.server.change { $0.hasMultiget = false }
    pair.putRemote("a", ModelPair.event("a", "B"))
    pair.server.interfere {
      $0.method == "GET" ? Self.leading(to: "http://stranger.example/gone.ics") : nil
    }
    for _ in 0..<2 { try await pair.sync() }
    #expect(pair.summaries("a") == "A|B")
    pair.server.interfere(nil)
    try await pair.sync()
    #expect(pair.summaries("a") == "B|B")
  }

  @Test func `what was given before a server asks to wait is not given in vain`() async throws {
    let pair = ModelPair { $0.hasMultiget = false }
    for number in 0..<8 { pair.putRemote("i\(number)", ModelPair.event("i\(number)", "A")) }
    pair.server.interfere {
      $0.line.hasSuffix("/i3.ics") ? .answer(429, headers: [["Retry-After", "3600"]]) : nil
    }
    let report = try await pair.sync()
    #expect(report.failure != nil, "the run ends, since the server wants it")
    pair.server.interfere(nil)
    pair.server.forgetRequests()
    #expect(try await pair.sync().failure == nil)
    #expect(pair.server.count("GET") < 8)
    #expect(pair.summaries("i0") == "A|A" && pair.summaries("i3") == "A|A")
  }

  /// Under the entity tag that it has all the time, since something between stumbled.
  private func stumbling(_ isKnown: Bool) async throws -> ModelPair {
    let pair = ModelPair { $0.hasMultiget = false }
    for uid in ["a", "b"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    if isKnown { try await pair.settle() }
    pair.putRemote("a", ModelPair.event("a", "B"))
    let half = String(ModelPair.event("a", "B").prefix(90))
    pair.server.interfere {
      $0.method == "GET" && $0.line.hasSuffix("/a.ics") ? .answer(200, body: half) : nil
    }
    #expect(try await pair.sync().problems.map(\.problem.code) == [.incomplete])
    pair.server.interfere(nil)
    return pair
  }

  @Test(arguments: [true, false])
  func `what a server gave broken once is read again a day later`(isKnown: Bool) async throws {
    let pair = try await stumbling(isKnown)
    pair.server.forgetRequests()
    #expect(try await pair.sync().problems.count == 1)
    #expect(pair.server.count("GET") == 0)
    pair.clock.advance(milliseconds: 24 * 3_600_000)
    #expect(try await pair.sync().problems.isEmpty)
    #expect(pair.summaries("a") == "B|B")
    try await pair.expectSilence()
  }

  @Test func `it is read again at once where a person asks`() async throws {
    let pair = try await stumbling(true)
    let report = try await pair.resolve("a", taking: .remote)
    #expect(report.problems.isEmpty, "\(report.problems)")
    #expect(pair.summaries("a") == "B|B")
  }
}
