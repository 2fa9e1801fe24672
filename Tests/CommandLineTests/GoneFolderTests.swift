import Foundation
import TestSupport
import Testing

/// What a run says of a folder that is gone.
@Suite struct GoneFolderTests {
  /// What another calendar is called.
  @Test(arguments: [("Home", true), ("work", false)])
  func `no rule is offered that leaves out another calendar as well`(
    other: String, isOffered: Bool
  ) async throws {
    let world = try FolderAndCalendar(displayName: "Office")
    world.model.put("a.ics", event("a", "A"), in: FolderAndCalendar.path)
    world.model.makeCalendar("r2", displayName: other)
    _ = try await world.sync()
    try FileManager.default.removeItem(atPath: "\(world.calgw.home)/calendars/work")
    let run = try await world.calgw("sync")
    #expect(run.status == 74)
    let rule = "write \"!work\" into the pair's `collections`"
    let names = "name the others in the pair's `collections`, and not \"work\""
    #expect(run.errors.contains(rule) == isOffered, "\(run.errors)")
    #expect(run.errors.contains(names) == !isOffered, "\(run.errors)")
    try world.configure("collections = \(isOffered ? "[\"*\", \"!work\"]" : "[\"r2\"]")")
    _ = try await world.sync()
    #expect(world.calgw.exists("calendars/r2"))
  }
}
