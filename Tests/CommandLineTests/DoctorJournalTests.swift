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
    try calgw.configure(
      """
      [account.model]
      url = "\(server.url)"
      [pair.p]
      local = "~/calendars"
      remote = "model"
      collections = ["*"]
      """)
    #expect(try await calgw("sync").status == 0)
    let found = try await calgw("doctor")
    #expect(found.status == 0)
    #expect(!found.output.contains("collections:"), "\(found.output)")
    return (calgw, model, server)
  }

  @Test func `a folder that is gone is named as the sync names it`() async throws {
    let (calgw, _, server) = try await twoCalendars()
    try FileManager.default.removeItem(atPath: "\(calgw.home)/calendars/home")
    let found = try await calgw("doctor")
    #expect(found.status == 74)
    let words = "the folder \(calgw.home)/calendars/home is gone"
    #expect(found.output.contains("failed  collections: \(words)"), "\(found.output)")
    #expect(found.output.contains("do:    put it back, or run"), "\(found.output)")
    let run = try await calgw("sync")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.status == 74)
    withExtendedLifetime(server) {}
  }

  @Test func `a calendar that is gone is named as the sync names it`() async throws {
    let (calgw, model, server) = try await twoCalendars()
    model.removeCalendar(ModelServer.homePath + "home/")
    let found = try await calgw("doctor")
    #expect(found.status == 1)
    let words = "the remote collection \(ModelServer.homePath)home/ is gone"
    #expect(found.output.contains("failed  collections: \(words)"), "\(found.output)")
    #expect(found.output.contains("do:    bring it back there"), "\(found.output)")
    let run = try await calgw("sync")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.status == 1)
    withExtendedLifetime(server) {}
  }
}
