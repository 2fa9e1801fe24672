import CalgwKit
import SyncModel
import Synchronization
import TestSupport
import Testing

/// A subscription that is read for the first time: what gives no calendar leaves no folder.
@Suite struct FirstFeedTests {
  private static let calendar =
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nBEGIN:VEVENT\r\nUID:a\r\n"
    + "DTSTAMP:20260101T000000Z\r\nDTSTART:20260105T090000Z\r\nSUMMARY:A\r\nEND:VEVENT\r\n"
    + "END:VCALENDAR\r\n"

  private struct World {
    let folder: TemporaryFolder
    let answer: Answer
    let server: ScriptedServer
    let keys: String

    final class Answer: Sendable {
      let step = Mutex<ServerStep>(.answer(404))
    }

    init(_ keys: String) throws {
      folder = try TemporaryFolder()
      self.keys = keys
      let given = Answer()
      answer = given
      server = try ScriptedServer { _ in [given.step.withLock { $0 }] }
    }

    func sync() async throws -> PairReport {
      let text =
        "state_dir = \"state\"\n[pair.feed]\nlocal = \"here\"\n"
        + "remote = { ics = \"\(server.url)holidays.ics\" }\n\(keys)\n"
      let configuration = try Configuration.parse(
        text: Array(text.utf8), file: folder.path + "/config.toml", environment: .home)
      let gateway = try Gateway(configuration, environment: .home, signals: nil)
      return await gateway.sync(try #require(try gateway.targets([]).first), RunOptions())
    }
  }

  private static let page: ServerStep =
    .answer(200, headers: ["Content-Type": "text/html"], body: "<html><body>Welcome</body></html>")

  @Test(
    arguments: [
      (.answer(404), .attention), (.answer(401), .denied), (page, .protocolBroken),
      (.answer(200, body: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"), .protocolBroken),
      (.answer(500), .protocolBroken), (.answer(502), .unreachable),
    ] as [(step: ServerStep, status: CalgwKit.ExitStatus)], ["", "calendar = \".\""])
  func `what gives no calendar leaves no folder`(
    failing: (step: ServerStep, status: CalgwKit.ExitStatus), keys: String
  ) async throws {
    let world = try World(keys)
    world.answer.step.withLock { $0 = failing.step }
    for _ in 0..<2 {
      let report = try await world.sync()
      #expect(report.status == failing.status, "\(report.failures)")
      #expect(report.traffic.requests == 1)
      #expect(report.collectionActions.isEmpty, "nothing was made")
      #expect(!world.folder.names().contains("here"))
    }
    world.answer.step.withLock { $0 = .answer(200, body: Self.calendar) }
    let report = try await world.sync()
    #expect(report.status == .success, "\(report.failures)")
    #expect(report.traffic.requests == 1)
    #expect(world.folder.names(in: keys.isEmpty ? "here/holidays" : "here") == ["a.ics"])
    #expect(try await world.sync().notices.isEmpty)
  }

  @Test func `beside other folders none is made either`() async throws {
    let world = try World("")
    try world.folder.write("here/work/a.ics", Self.calendar)
    let report = try await world.sync()
    #expect(report.collections.first?.problems.map(\.problem.code) == [.collectionGone])
    #expect(world.folder.names(in: "here") == ["work"])
    world.answer.step.withLock { $0 = .answer(200, body: Self.calendar) }
    #expect(try await world.sync().status == .success)
    #expect(world.folder.names(in: "here/holidays") == ["a.ics"])
  }
}
