import CalDAVStorage
import TestSupport
import Testing

/// Whether a server tells attendees of changes, by what it says to OPTIONS.
@Suite struct TellsAttendeesTests {
  private static func answer(_ status: Int, _ features: String...) -> ModelFault {
    .answer(status, headers: features.map { ["DAV", $0] }, body: "")
  }

  @Test(
    arguments: [
      (answer(200, "1, 3, calendar-access"), false),
      (answer(200, "1, 3, calendar-access, calendar-auto-schedule"), true),
      (answer(204, "1,CALENDAR-ACCESS", "extended-mkcol,Calendar-Schedule"), true),
      (answer(405), false), (answer(501), false),
      // None of these says anything of calendars.
      (answer(204), true), (answer(200, "1, 2"), true), (answer(404), true), (answer(500), true),
      (.lostBefore, true),
    ] as [(ModelFault, Bool)])
  func `it is taken for granted unless it says otherwise`(
    answer: ModelFault, tells: Bool
  ) async throws {
    let model = ModelAccount()
    model.server.interfere { $0.method == "OPTIONS" ? answer : nil }
    let storage = try await model.storage()
    #expect(await storage.tellsAttendees() == tells)
    let asked = model.server.count("OPTIONS")
    #expect(await storage.tellsAttendees() == tells)
    #expect(model.server.count("OPTIONS") == asked, "once a run")
  }
}
