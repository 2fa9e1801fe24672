import TestSupport
import Testing

/// `calendar = "…"` in a pair of two servers, and another choice later.
@Suite struct ChosenBetweenServersTests {
  private static let work = ModelServer.homePath + "work/"
  private static let home = ModelServer.homePath + "home/"

  private let pair: TwoServers
  private var here: ModelServer { pair.here }
  private var there: ModelServer { pair.there }
  private var calgw: CommandLine { pair.calgw }

  /// Both servers have both calendars, and the items of the first are known to calgw.
  init() async throws {
    let models = TwoServers.plain()
    for model in models {
      for (name, uid) in [("work", "w"), ("home", "h")] {
        model.makeCalendar(name, displayName: name == "work" ? "Work" : "Home")
        for number in 1...2 {
          model.put(
            "\(uid)\(number).ics", event("\(uid)\(number)", "The same"),
            in: ModelServer.homePath + name + "/")
        }
      }
    }
    pair = try TwoServers(models, pair: "calendar = \"Work\"")
    #expect(try await calgw("sync").status == 0)
  }

  private func choose(_ calendar: String) throws {
    try pair.configure("calendar = \"\(calendar)\"")
  }

  private static let all = ["1.ics", "2.ics"]
  private let bothWork = Array(repeating: all.map { "w" + $0 }, count: 2)
  private let bothHome = Array(repeating: all.map { "h" + $0 }, count: 2)

  @Test func `another choice is another collection, and the first stays as it is`() async throws {
    try choose("Home")
    #expect(try await calgw("sync").status == 0)
    #expect(pair.items(Self.work) == bothWork)
    #expect(pair.items(Self.home) == bothHome)
    // What is deleted now was agreed on.
    there.remove(Array("h1.ics".utf8), in: Self.home)
    let run = try await calgw("sync")
    #expect(run.output == "p/home: down: 1 deleted\n", "\(run.errors)")
    #expect(pair.items(Self.home) == [["h2.ics"], ["h2.ics"]])
    #expect(pair.items(Self.work) == bothWork)
  }

  @Test func `an event command says that there is no folder`() async throws {
    let run = try await calgw(
      "new", "--summary", "X", "--start", "2026-01-05 10:00", "--in", "p/work")
    #expect(run.status == 64)
    #expect(run.errors.contains("pair p has no folder on its local side"), "\(run.errors)")
  }

  @Test func `back at the first choice, what was agreed on before still holds`() async throws {
    try choose("Home")
    #expect(try await calgw("sync").status == 0)
    try choose("Work")
    here.remove(Array("w1.ics".utf8), in: Self.work)
    let run = try await calgw("sync")
    #expect(run.output == "p/work: up: 1 deleted\n", "\(run.errors)")
    #expect(pair.items(Self.work) == [["w2.ics"], ["w2.ics"]])
    #expect(pair.items(Self.home) == bothHome)
  }

  @Test func `a calendar that is gone from both servers is not the one chosen next`() async throws {
    for model in pair.models { model.removeCalendar(Self.work) }
    try choose("Nowhere/else")
    let run = try await calgw("sync")
    #expect(run.status == 78, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("there is no calendar \"Nowhere/else\""), "\(run.errors)")
  }

  @Test func `a chosen calendar that is gone from one server is not made again`() async throws {
    there.removeCalendar(Self.work)
    let run = try await calgw("sync")
    #expect(run.status == 1, "\(run.output)\(run.errors)")
    #expect(there.calendarPaths == [Self.home])
    #expect(pair.items(Self.work)[0] == bothWork[0])
  }

  @Test func `what outlived a deletion is to be deleted on either side`() async throws {
    here.remove(Array("w1.ics".utf8), in: Self.work)
    there.put("w1.ics", event("w1", "Edited"), in: Self.work)
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("to remove it, delete it on either side"), "\(run.errors)")
    #expect(!run.errors.contains("calgw delete"), "\(run.errors)")
    #expect(pair.items(Self.work)[1] == bothWork[1])
    let brought = pair.items(Self.work)[0].filter { $0 != "w2.ics" }
    #expect(brought.count == 1)
    for name in brought { here.remove(Array(name.utf8), in: Self.work) }
    #expect(try await calgw("sync").status == 0)
    #expect(pair.items(Self.work) == [["w2.ics"], ["w2.ics"]])
  }
}
