import TestSupport
import Testing

/// A pair of two servers has no folders in which a restore could look for other items of a UID.
@Suite struct RestoredBetweenServersTests {
  private static let home = ModelServer.homePath + "home/"
  private static let work = ModelServer.homePath + "work/"

  private let here: ModelServer
  private let there: ModelServer
  private let servers: [ScriptedServer]
  private let calgw: CommandLine

  /// Both have both calendars, in step.
  init() async throws {
    func model() -> ModelServer {
      let model = ModelServer(surroundings: ModelClock().surroundings)
      for name in ["home", "work"] { model.makeCalendar(name) }
      for uid in ["a", "b", "c"] { model.put("\(uid).ics", event(uid, "Dentist"), in: Self.work) }
      model.put("d.ics", event("d", "Gym"), in: Self.home)
      return model
    }
    (here, there) = (model(), model())
    let (one, other) = (here, there)
    servers = [
      try ScriptedServer { one.steps(for: $0) }, try ScriptedServer { other.steps(for: $0) },
    ]
    calgw = try CommandLine()
    try calgw.configure(
      here: servers[0].url, there: servers[1].url, pair: "collections = [\"*\"]")
    #expect(try await calgw("sync").status == 0)
  }

  @Test(arguments: [false, true])
  func `an item that is in another calendar by now comes back, and that is said`(
    isMoved: Bool
  ) async throws {
    there.remove(Array("a.ics".utf8), in: Self.work)
    if isMoved { there.put("a.ics", event("a", "Dentist"), in: Self.home) }
    #expect(try await calgw("sync").status == 0)
    #expect(here.items(in: Self.work).count == 2)

    let run = try await calgw("restore", "p/1")
    #expect(run.status == 0, "\(run.errors)")
    for model in [here, there] { #expect(model.items(in: Self.work).count == 3) }
    #expect(run.errors.contains("p/home has an item of its UID, too") == isMoved, "\(run.errors)")
  }
}
