import Foundation
import TestSupport
import Testing

/// A server that answers 403 for whatever is missing, as Robur does.
@Suite struct MissingAsForbiddenTests {
  @Test func `what was deleted there leaves the folder, and nothing is left to report`()
    async throws
  {
    var switches = ModelSwitches()
    switches.missingStatus = 403
    switches.hasSyncCollection = false
    let model = ModelServer(switches, surroundings: ModelClock().surroundings)
    model.makeCalendar("work", displayName: "Work")
    let path = "/calendars/alice/work/"
    for uid in ["a", "b", "c", "d"] { model.put("\(uid).ics", event(uid, uid), in: path) }
    let server = try ScriptedServer { model.steps(for: $0) }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url)
    func items() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/calendars/work")
        .filter { $0.hasSuffix(".ics") }
    }
    #expect(try await calgw("sync").status == 0)
    #expect(try items().count == 4)
    model.remove(Array("b.ics".utf8), in: path)
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 0, "\(run.errors)")
      #expect(try items().count == 3)
    }
    #expect(model.items(in: path).count == 3)
  }
}
