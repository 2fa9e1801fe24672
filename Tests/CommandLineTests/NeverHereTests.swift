import TestSupport
import Testing

/// An item of the server that cannot be synced and never was: no mend speaks of a version to bring
/// back.
@Suite struct NeverHereTests {
  @Test(arguments: [("too-large", "make it smaller"), ("incomplete", "correct it")])
  func `its mend is at the server`(code: String, mend: String) async throws {
    let world = try FolderAndCalendar()
    let excess =
      code == "too-large"
      ? String(repeating: "X-A:b\r\n", count: 500_001) : "END:VALARM\r\n"
    let text = event("gym", "Gym").replacing("END:VEVENT", with: excess + "END:VEVENT")
    world.model.put("gym.ics", text, in: FolderAndCalendar.path)
    let run = try await world.calgw("sync")
    #expect(run.status == 1)
    #expect(run.errors.contains("[\(code)]"), "\(run.errors)")
    let hint = "\(mend) where it is, or take it away there: both sides share nothing of it"
    #expect(run.errors.contains(hint), "\(run.errors)")
    #expect(!run.errors.contains("calgw log"), "\(run.errors)")
    #expect(try await world.calgw("status").output.contains(hint))
  }
}
