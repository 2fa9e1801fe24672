import TestSupport
import Testing

/// A pair of two servers has no folders in which a restore could look for other items of a UID.
@Suite struct RestoredBetweenServersTests {
  private static let home = ModelServer.homePath + "home/"
  private static let work = ModelServer.homePath + "work/"

  private let pair: TwoServers

  /// Both have both calendars, in step.
  init() async throws {
    let models = TwoServers.plain()
    for model in models {
      for name in ["home", "work"] { model.makeCalendar(name) }
      for uid in ["a", "b", "c"] { model.put("\(uid).ics", event(uid, "Dentist"), in: Self.work) }
      model.put("d.ics", event("d", "Gym"), in: Self.home)
    }
    pair = try TwoServers(models)
    #expect(try await pair.calgw("sync").status == 0)
  }

  @Test(arguments: [false, true])
  func `an item that is in another calendar by now comes back, and that is said`(
    isMoved: Bool
  ) async throws {
    pair.there.remove(Array("a.ics".utf8), in: Self.work)
    if isMoved { pair.there.put("a.ics", event("a", "Dentist"), in: Self.home) }
    #expect(try await pair.calgw("sync").status == 0)
    #expect(pair.here.items(in: Self.work).count == 2)

    let run = try await pair.calgw("restore", "p/1")
    #expect(run.status == 0, "\(run.errors)")
    for model in pair.models { #expect(model.items(in: Self.work).count == 3) }
    #expect(run.errors.contains("p/home has an item of its UID, too") == isMoved, "\(run.errors)")
  }
}
