import Foundation
import TestSupport
import Testing

/// A server that answers 403 for whatever is missing, as Robur does.
@Suite struct MissingAsForbiddenTests {
  private struct Robur {
    static let path = "/calendars/alice/work/"
    let model: ModelServer
    let server: ScriptedServer
    let calgw: CommandLine

    init() throws {
      var switches = ModelSwitches()
      switches.missingStatus = 403
      switches.hasSyncCollection = false
      let model = ModelServer(switches, surroundings: ModelClock().surroundings)
      model.makeCalendar("work", displayName: "Work")
      for uid in ["a", "b", "c", "d"] { model.put("\(uid).ics", event(uid, uid), in: Self.path) }
      self.model = model
      server = try ScriptedServer { model.steps(for: $0) }
      calgw = try CommandLine()
      try calgw.configure(server: server.url)
    }

    var folder: String { calgw.home + "/calendars/work" }

    func items() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".ics") }
    }

    func remove(_ uid: String) { model.remove(Array("\(uid).ics".utf8), in: Self.path) }
  }

  @Test func `what was deleted there leaves the folder, and nothing is left to report`()
    async throws
  {
    let robur = try Robur()
    #expect(try await robur.calgw("sync").status == 0)
    #expect(try robur.items().count == 4)
    robur.remove("b")
    for _ in 0..<2 {
      let run = try await robur.calgw("sync")
      #expect(run.status == 0, "\(run.errors)")
      #expect(try robur.items().count == 3)
    }
    #expect(robur.model.items(in: Robur.path).count == 3)
  }

  @Test func `so do all of them, and what is gone from both sides is forgotten`() async throws {
    let robur = try Robur()
    #expect(try await robur.calgw("sync").status == 0)
    for uid in ["a", "b", "c", "d"] { robur.remove(uid) }
    let gone = try #require(try robur.items().first)
    try FileManager.default.removeItem(atPath: robur.folder + "/" + gone)
    let run = try await robur.calgw("sync", "--allow-mass-delete")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try robur.items().isEmpty)
    let next = try await robur.calgw("sync")
    #expect(next.status == 0, "\(next.errors)")
  }
}
