import Foundation
import TestSupport
import Testing

/// What `doctor` says of writes of which the journal does not know what became of them.
@Suite struct DoctorJournalTests {
  /// Yahoo stores some items, lists them, and never gives them.
  @Test func `a write whose outcome cannot be seen is named with the item and the mend`()
    async throws
  {
    var switches = ModelSwitches()
    switches.hasMultiget = false
    let world = try FolderAndCalendar(switches: switches) { request, steps in
      request.method == "GET" ? [.answer(404)] : steps
    }
    try world.write("n.ics", event("n", "New one"))
    for _ in 0..<2 { #expect(try await world.calgw("sync").status == 1) }
    let found = try await world.calgw("doctor")
    #expect(found.status == 0)
    let lines = found.output.split(separator: "\n").map { String($0) }
    let place = try #require(lines.firstIndex { $0.contains("warning journal: ") })
    let line = lines[place]
    #expect(line.contains("has taken what became of \"New one\" cannot be seen"), "\(line)")
    let mend = lines[(place + 1)...].first { $0.contains("do:") }
    for words in [FolderAndCalendar.path, "correct it or remove it"] {
      #expect(mend?.contains(words) == true, "\(found.output)")
    }
    #expect(!found.output.contains("cut off"), "\(found.output)")
  }

  /// Work and Home, in step with two folders.
  private func twoCalendars() async throws -> (CommandLine, ModelServer, ScriptedServer) {
    let model = ModelServer(surroundings: ModelClock().surroundings)
    for name in ["work", "home"] {
      model.makeCalendar(name, displayName: name)
      model.put("\(name).ics", event(name, name), in: ModelServer.homePath + name + "/")
    }
    let server = try ScriptedServer { model.steps(for: $0) }
    let calgw = try CommandLine()
    try calgw.configure(server: server.url, pair: "collections = [\"*\"]")
    #expect(try await calgw("sync").status == 0)
    let found = try await calgw("doctor")
    #expect(found.status == 0)
    #expect(!found.output.contains("collections:"), "\(found.output)")
    return (calgw, model, server)
  }

  /// Each the side that lost Home, and the status and words of that; HOME is the home directory.
  @Test(arguments: [
    (isLocal: true, 74, "the folder HOME/calendars/home is gone", "put it back, or run"),
    (
      isLocal: false, 1, "the remote collection \(ModelServer.homePath)home/ is gone",
      "bring it back there"
    ),
  ])
  func `what is gone is named as the sync names it`(
    isLocal: Bool, status: Int32, name: String, mend: String
  ) async throws {
    let (calgw, model, server) = try await twoCalendars()
    if isLocal {
      try FileManager.default.removeItem(atPath: "\(calgw.home)/calendars/home")
    } else {
      model.removeCalendar(ModelServer.homePath + "home/")
    }
    let words = name.replacing("HOME", with: calgw.home)
    let found = try await calgw("doctor")
    #expect(found.status == status)
    #expect(found.output.contains("failed  collections: \(words)"), "\(found.output)")
    #expect(found.output.contains("do:    \(mend)"), "\(found.output)")
    let run = try await calgw("sync")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.status == status)
    withExtendedLifetime(server) {}
  }
}
