import TestSupport
import Testing

/// `calendar = "…"` in a pair of two servers, and another choice later.
@Suite struct ChosenBetweenServersTests {
  private static let work = ModelServer.homePath + "work/"
  private static let home = ModelServer.homePath + "home/"

  private let here: ModelServer
  private let there: ModelServer
  private let servers: [ScriptedServer]
  private let calgw: CommandLine

  /// Both servers have both calendars, and the items of the first are known to calgw.
  init() async throws {
    func model(_ title: String) -> ModelServer {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      for (name, uid) in [("work", "w"), ("home", "h")] {
        model.makeCalendar(name, displayName: name == "work" ? "Work" : "Home")
        for number in 1...2 {
          model.put(
            "\(uid)\(number).ics", event("\(uid)\(number)", title),
            in: ModelServer.homePath + name + "/")
        }
      }
      return model
    }
    (here, there) = (model("The same"), model("The same"))
    let (one, other) = (here, there)
    servers = [
      try ScriptedServer { one.steps(for: $0) }, try ScriptedServer { other.steps(for: $0) },
    ]
    calgw = try CommandLine()
    try choose("Work")
    #expect(try await calgw("sync").status == 0)
  }

  private func choose(_ calendar: String) throws {
    try calgw.configure(
      here: servers[0].url, there: servers[1].url, pair: "calendar = \"\(calendar)\"")
  }

  private func items(_ path: String) -> [[String]] {
    [here, there].map { model in
      model.items(in: path).keys.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }
  }

  private static let all = ["1.ics", "2.ics"]
  private let bothWork = Array(repeating: all.map { "w" + $0 }, count: 2)
  private let bothHome = Array(repeating: all.map { "h" + $0 }, count: 2)

  @Test func `another choice is another collection, and the first stays as it is`() async throws {
    try choose("Home")
    #expect(try await calgw("sync").status == 0)
    #expect(items(Self.work) == bothWork)
    #expect(items(Self.home) == bothHome)
    // What is deleted now was agreed on.
    there.remove(Array("h1.ics".utf8), in: Self.home)
    let run = try await calgw("sync")
    #expect(run.output == "p/home: down: 1 deleted\n", "\(run.errors)")
    #expect(items(Self.home) == [["h2.ics"], ["h2.ics"]])
    #expect(items(Self.work) == bothWork)
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
    #expect(items(Self.work) == [["w2.ics"], ["w2.ics"]])
    #expect(items(Self.home) == bothHome)
  }

  @Test func `a calendar that is gone from both servers is not the one chosen next`() async throws {
    for model in [here, there] { model.removeCalendar(Self.work) }
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
    #expect(items(Self.work)[0] == bothWork[0])
  }

  @Test func `what outlived a deletion is to be deleted on either side`() async throws {
    here.remove(Array("w1.ics".utf8), in: Self.work)
    there.put("w1.ics", event("w1", "Edited"), in: Self.work)
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("to remove it, delete it on either side"), "\(run.errors)")
    #expect(!run.errors.contains("calgw delete"), "\(run.errors)")
    #expect(items(Self.work)[1] == bothWork[1])
    let brought = items(Self.work)[0].filter { $0 != "w2.ics" }
    #expect(brought.count == 1)
    for name in brought { here.remove(Array(name.utf8), in: Self.work) }
    #expect(try await calgw("sync").status == 0)
    #expect(items(Self.work) == [["w2.ics"], ["w2.ics"]])
  }
}
