import TestSupport
import Testing

/// One bad answer is no move, whatever the account remembers from run to run.
@Suite struct OneBadAnswerTests {
  private static let principal = "/principals/alice/"

  /// A pair whose account is named by a URL that leads to the calendars, or is one.
  private func world(_ path: String) async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar()
    world.model.makeCalendar("private", displayName: "Private")
    try world.calgw.configure(server: world.server.url + path.dropFirst(), pair: "")
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 0, "\(run.errors)")
    }
    return world
  }

  @Test(arguments: [404, 405, 500])
  func `what the URL led to is not guessed at in a later run`(answer: Int) async throws {
    let world = try await world(Self.principal)
    #expect(try world.folders() == ["private", "work"])
    try world.calgw.write("calendars/new/n.ics", event("n", "New"))
    let bad = [Self.principal, ModelServer.homePath]
    world.model.interfere { bad.contains($0.path) ? .answer(answer) : nil }
    let before = world.server.requests.count
    let run = try await world.calgw("sync")
    #expect([74, 76].contains(run.status), "\(run.output) \(run.errors)")
    #expect(world.server.requests.dropFirst(before).allSatisfy { bad.contains($0.target) })
    world.model.interfere(nil)
    #expect(try await world.calgw("sync").status == 0)
    #expect(world.there(ModelServer.homePath + "new/") == ["n"])
  }

  @Test(arguments: [404, 500])
  func `a URL that is one calendar stays that one`(answer: Int) async throws {
    let world = try await world(FolderAndCalendar.path)
    #expect(try world.folders() == ["work"])
    world.model.interfere { $0.path == FolderAndCalendar.path ? .answer(answer) : nil }
    let run = try await world.calgw("sync")
    #expect([1, 76].contains(run.status), "\(run.output) \(run.errors)")
    world.model.interfere(nil)
    #expect(try await world.calgw("sync").status == 0)
    #expect(try world.folders() == ["work"])
  }

  @Test func `discover says that what it shows is not what the URL led to`() async throws {
    let world = try await world(FolderAndCalendar.path)
    #expect(!(try await world.calgw("discover").errors.contains("leads to no calendars")))
    world.model.interfere { $0.path == FolderAndCalendar.path ? .answer(404) : nil }
    let run = try await world.calgw("discover")
    #expect(run.status == 0 && run.output.contains("private"), "\(run.output) \(run.errors)")
    let home = world.server.url + ModelServer.homePath.dropFirst()
    #expect(run.errors.contains("url leads to no calendars itself; those of \(home)"))
    #expect(run.errors.contains("set url to \(home)"), "\(run.errors)")
  }
}
