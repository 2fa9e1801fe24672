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

  /// A mapping asks for its calendar, whatever is excluded beside it.
  @Test(
    arguments: [
      ("", "write what the pair is to sync in the place of MAP into its", "\"r2\""),
      ("\"!arbeit\", ", "write what the pair is to sync in the place of MAP into its", "\"r2\""),
      ("\"r2\", ", "take MAP out of the pair's", "\"r2\""),
      ("\"*\", ", "write \"!arbeit\" in the place of MAP into the pair's", "\"*\", \"!arbeit\""),
    ])
  func `one of a mapping is left out by taking the mapping out`(
    others: String, mend: String, mended: String
  ) async throws {
    let world = try FolderAndCalendar()
    world.model.makeCalendar("r2")
    let mapping = "{ arbeit = \"work\" }"
    try world.configure("collections = [\(others)\(mapping)]")
    _ = try await world.sync()
    try FileManager.default.removeItem(atPath: "\(world.calgw.home)/calendars/arbeit")
    let run = try await world.calgw("sync")
    let words = mend.replacing("MAP", with: mapping) + " `collections`"
    #expect(run.status == 74 && run.errors.contains(words), "\(run.errors)")
    try world.configure("collections = [\(mended)]")
    _ = try await world.sync()
    #expect(try world.folders() == ["r2"])
  }

  @Test func `a directory that was itself the folder of a calendar is not called gone`()
    async throws
  {
    let world = try FolderAndCalendar()
    world.model.put("a.ics", event("a", "A"), in: FolderAndCalendar.path)
    try world.configure("calendar = \"work\"")
    _ = try await world.sync()
    #expect(world.calgw.exists("calendars/a.ics"))
    try world.configure("collections = [\"*\"]")
    let run = try await world.calgw("sync")
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("calendars itself (`calendar`)"), "\(run.errors)")
    #expect(!run.errors.contains("put it back"), "\(run.errors)")
    #expect(world.model.items(in: FolderAndCalendar.path).count == 1)
    // Both mends.
    try world.configure("calendar = \"work\"")
    _ = try await world.sync()
    try world.configure("collections = [\"*\"]")
    #expect(try await world.calgw("forget", "p/calendars").status == 0)
    _ = try await world.sync()
    #expect(world.calgw.exists("calendars/work/a.ics"))
  }
}
