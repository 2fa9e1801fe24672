import Foundation
import TestSupport
import Testing

/// Calendars and folders that hold what one held that is gone, and that were there before, or that
/// the pair leaves out: they are not that one under another address.
@Suite struct OldCopiesTests {
  private static let archive = ModelServer.homePath + "archive/"
  private static let uids = ["a", "b", "c"]

  /// A calendar `Work` with three items, and what the pair takes; nothing is synced yet.
  private func world(_ selection: String) throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work")
    let folder = selection.hasPrefix("calendar") ? "~/calendars/work" : "~/calendars"
    try world.calgw.configure(server: world.server.url, folder: folder, pair: selection)
    for uid in Self.uids {
      world.model.put("\(uid).ics", event(uid, "Title"), in: FolderAndCalendar.path)
    }
    return world
  }

  /// Makes a calendar that holds these items.
  private func make(_ name: String, of uids: [String], _ world: FolderAndCalendar) {
    world.model.makeCalendar(name, displayName: "The \(name)")
    for uid in uids {
      world.model.put("\(uid).ics", event(uid, "Title"), in: ModelServer.homePath + name + "/")
    }
  }

  private func expectGone(_ world: FolderAndCalendar) async throws {
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("is gone"), "\(run.errors)")
      #expect(try world.here() == Self.uids)
    }
    try world.remove("a.ics")
    _ = try await world.calgw("sync")
  }

  private static let selections = [
    "collections = [\"work\"]", "collections = [\"*\", \"!archive\"]", "calendar = \"Work\"",
  ]

  @Test(arguments: selections)
  func `a calendar that is removed is gone, and not an older one that holds its items`(
    selection: String
  ) async throws {
    let world = try world(selection)
    make("archive", of: Self.uids + ["d"], world)
    _ = try await world.sync()
    world.model.removeCalendar(FolderAndCalendar.path)
    try await expectGone(world)
    #expect(world.there(Self.archive) == Self.uids + ["d"])
  }

  @Test(arguments: selections)
  func `one whose items were moved to an older calendar before is gone`(
    selection: String
  ) async throws {
    let world = try world(selection)
    make("archive", of: [], world)
    _ = try await world.sync()
    world.model.removeCalendar(FolderAndCalendar.path)
    for uid in Self.uids { world.model.put("\(uid).ics", event(uid, "Title"), in: Self.archive) }
    try await expectGone(world)
    #expect(world.there(Self.archive) == Self.uids)
  }

  @Test func `a new calendar that the pair leaves out is not the one that is gone`() async throws {
    let world = try world("collections = [\"*\", \"!archive\"]")
    _ = try await world.sync()
    world.model.removeCalendar(FolderAndCalendar.path)
    make("archive", of: Self.uids, world)
    try await expectGone(world)
    #expect(world.there(Self.archive) == Self.uids)
  }

  @Test func `a new calendar that is filled later is the one that is gone`() async throws {
    let world = try world("collections = [\"work\"]")
    _ = try await world.sync()
    world.model.removeCalendar(FolderAndCalendar.path)
    make("office", of: [], world)
    let early = try await world.calgw("sync")
    #expect(early.status == 1 && early.errors.contains("is gone"), "\(early.errors)")
    let office = ModelServer.homePath + "office/"
    for uid in Self.uids { world.model.put("\(uid).ics", event(uid, "Title"), in: office) }
    _ = try await world.sync()
    try world.remove("a.ics")
    _ = try await world.sync()
    #expect(world.there(office) == ["b", "c"])
  }

  // MARK: Folders

  private func copy(_ from: String, to other: String, _ world: FolderAndCalendar) throws {
    let folders = world.calgw.home + "/calendars/"
    try FileManager.default.copyItem(atPath: folders + from, toPath: folders + other)
  }

  @Test(arguments: [true, false])
  func `a folder that the pair leaves out is not the one that is gone`(wasSeen: Bool) async throws {
    let world = try world("collections = [\"*\", \"!backup\"]")
    _ = try await world.sync()
    try copy("work", to: "backup", world)
    if wasSeen { _ = try await world.sync() }
    let (place, aside) = (world.calgw.home + "/calendars/work", world.calgw.home + "/aside")
    try FileManager.default.moveItem(atPath: place, toPath: aside)
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 74, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("calendars/work is gone"), "\(run.errors)")
    }
    try FileManager.default.moveItem(atPath: aside, toPath: place)
    let back = try await world.sync()
    #expect(back.run.output == "p/work: nothing to do\n")
    #expect(world.model.calendarPaths == [FolderAndCalendar.path])
    #expect(world.there() == Self.uids)
  }

  @Test func `an older folder that no rule asks for is not the one that is gone`() async throws {
    let world = try world("collections = [\"work\"]")
    _ = try await world.sync()
    try copy("work", to: "backup", world)
    try world.calgw.write("calendars/backup/old.ics", event("old", "Removed long ago"))
    _ = try await world.sync()
    try FileManager.default.removeItem(atPath: world.calgw.home + "/calendars/work")
    let run = try await world.calgw("sync")
    #expect(run.status == 74, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("calendars/work is gone"), "\(run.errors)")
    #expect(world.there() == Self.uids)
  }

  @Test(arguments: [("[\"*\", \"!backup\"]", false), ("[\"work\"]", true)])
  func `on the second side neither is`(rules: String, wasSeen: Bool) async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      """
      [pair.p]
      local = "~/one"
      remote = { local = "~/two" }
      collections = \(rules)
      """)
    for uid in Self.uids { try calgw.write("one/work/\(uid).ics", event(uid, "Title")) }
    #expect(try await calgw("sync").status == 0)
    let two = calgw.home + "/two/"
    try FileManager.default.copyItem(atPath: two + "work", toPath: two + "backup")
    if wasSeen { #expect(try await calgw("sync").status == 0) }
    try FileManager.default.removeItem(atPath: two + "work")
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("is gone"), "\(run.errors)")
    }
    #expect(calgw.exists("one/work/a.ics"))
  }
}
