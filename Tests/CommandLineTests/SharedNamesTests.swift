import Foundation
import TestSupport
import Testing

/// Two calendars or folders of one display name, and what is called so on the other side.
@Suite struct SharedNamesTests {
  @Test func `no third one is made for a folder, and the mend is named`() async throws {
    let world = try TwoCalendars()
    for name in ["private", "work"] {
      world.model.setDisplayName("team", of: ModelServer.homePath + "\(name)/")
    }
    // What holds nothing would get none, and is no trouble.
    try world.calgw.write("calendars/team/note.txt", "nothing")
    #expect(try await world.calgw("sync").status == 0)
    try world.calgw.write("calendars/team/gym.ics", event("gym", "Gym"))
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1)
      for words in ["p/team", "{ team = \"private\" }", "{ team = \"work\" }"] {
        #expect(run.errors.contains(words), "\(run.errors)")
      }
      #expect(world.model.calendarPaths.count == 2)
    }
    try world.configure("collections = [\"private\", { team = \"work\" }]")
    let mended = try await world.calgw("sync")
    #expect(mended.status == 0, "\(mended.errors)")
    #expect(world.counts("private", "work") == [0, 1])
    #expect(world.model.calendarPaths.count == 2)
  }

  @Test func `a calendar that two folders are called as is joined with neither`() async throws {
    let world = try TwoCalendars()
    let path = ModelServer.homePath + "work/"
    world.model.setDisplayName("team", of: path)
    world.model.put("chess.ics", event("chess", "Chess"), in: path)
    for name in ["a", "b"] {
      try world.calgw.write("calendars/\(name)/displayname", "team")
      try world.calgw.write("calendars/\(name)/\(name).ics", event("gym\(name)", "Gym"))
    }
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1)
      for words in [
        "p/a", "{ a = \"work\" };", "p/b", "{ b = \"work\" };", "p/work",
        "{ a = \"\(path)\" } or { b = \"\(path)\" }",
      ] {
        #expect(run.errors.contains(words), "\(run.errors)")
      }
      #expect(world.counts("private", "work") == [0, 1])
      #expect(world.model.calendarPaths.count == 2 && !world.calgw.exists("calendars/work"))
    }
    try world.configure("collections = [\"*\", { b = \"work\" }]")
    let mended = try await world.calgw("sync")
    #expect(mended.status == 0, "\(mended.errors)")
    #expect(world.counts("private", "work") == [0, 2])
    #expect(world.model.calendarPaths.count == 3 && world.calgw.exists("calendars/b/chess.ics"))
  }

  /// - Parameters:
  ///   - counts: calendars of that name on each side.
  ///   - rest: what takes those that no mapping does.
  @Test(
    arguments: [
      ([2, 2], "{ a2 = \"b2\" }"), ([2, 1], "\"a2\""), ([1, 2], "\"b2\""),
    ] as [([Int], String)])
  func `between two servers neither side gets what the other has already`(
    counts: [Int], rest: String
  ) async throws {
    let models = TwoServers.plain()
    for (model, (side, count)) in zip(models, zip(["a", "b"], counts)) {
      for number in 1...count {
        let path = model.makeCalendar("\(side)\(number)", displayName: "team")
        model.put("gym.ics", event("gym\(number)", "Gym"), in: path)
      }
    }
    let pair = try TwoServers(models, pair: "")
    let run = try await pair.calgw("sync")
    #expect(run.status == 1)
    #expect(models.map(\.calendarPaths.count) == counts, "\(run.output)")
    #expect(run.errors.contains("{ a1 = \"b1\" }"), "\(run.errors)")
    try pair.configure("collections = [{ a1 = \"b1\" }, \(rest)]")
    let mended = try await pair.calgw("sync")
    #expect(mended.status == 0, "\(mended.errors)")
    #expect(models.map(\.calendarPaths.count) == [2, 2])
  }
}
