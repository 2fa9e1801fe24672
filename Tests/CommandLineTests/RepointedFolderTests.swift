import Foundation
import TestSupport
import Testing

/// `local` of a pair that has synced is another path since, where nothing is yet.
@Suite struct RepointedFolderTests {
  private func synced() async throws -> FolderAndCalendar {
    let world = try FolderAndCalendar(displayName: "Work")
    try world.write("a.ics", event("a", "Dentist"))
    _ = try await world.sync()
    return world
  }

  private func point(_ world: FolderAndCalendar, at folder: String) throws {
    try world.calgw.configure(server: world.server.url, folder: folder)
  }

  @Test func `it is made, and filled as by a first sync`() async throws {
    let world = try await synced()
    try point(world, at: "~/other/calendars")
    let doctor = try await world.calgw("doctor")
    #expect(doctor.output.contains("is not there yet"), "\(doctor.output)")
    let run = try await world.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(world.calgw.exists("other/calendars/work/a.ics"))
    #expect(world.there() == ["a"])
    #expect(world.text("a.ics") != nil, "the former folder stays as it is")
    #expect(try await world.calgw("sync").output.contains("nothing to do"))
    try FileManager.default.removeItem(atPath: "\(world.calgw.home)/other/calendars")
    #expect(try await world.calgw("sync").status == 74, "that is a folder which is gone")
    #expect(world.there() == ["a"])
  }

  @Test func `a run that makes no folder does not take it for one that was there`() async throws {
    let world = try await synced()
    try point(world, at: "~/other")
    #expect(try await world.calgw("push").status == 0)
    #expect(!world.calgw.exists("other"))
    #expect(try await world.calgw("sync").status == 0)
    #expect(world.calgw.exists("other/work/a.ics"))
  }

  /// They were never in the new directory, so nothing of them is gone there.
  @Test(arguments: [["restore", "p/1"], ["sync", "p/work"], ["push"]])
  func `the collections that the first run there leaves out are made by the next one`(
    arguments: [String]
  ) async throws {
    let folders = try TwoFolders()
    try folders.calgw.write("one/home/gym.ics", event("gym", "Gym"))
    for title in ["Dentist", "Doctor"] {
      try folders.write("one", "dentist", at: 10, title)
      #expect(try await folders.calgw("sync").status == 0)
    }
    try folders.write("three", "dentist", at: 10, "Doctor")
    try folders.calgw.configure(
      "[pair.p]\nlocal = \"~/three\"\nremote = { local = \"~/two\" }\n")
    let first = try await folders.calgw.run(arguments)
    #expect(first.status == 0, "\(first.output) \(first.errors)")
    #expect(!folders.calgw.exists("three/home"))
    let run = try await folders.calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(folders.calgw.exists("three/home/gym.ics"))

    try FileManager.default.removeItem(atPath: "\(folders.calgw.home)/three/home")
    #expect(try await folders.calgw("sync").status == 74, "that is a folder which is gone")
    #expect(folders.calgw.exists("two/home/gym.ics"))
  }

  @Test func `a folder that is gone is not made under another spelling of its path`() async throws {
    let world = try await synced()
    let home = world.calgw.home
    try FileManager.default.moveItem(atPath: "\(home)/calendars", toPath: "\(home)/disk")
    try FileManager.default.createSymbolicLink(
      atPath: "\(home)/calendars", withDestinationPath: "\(home)/disk")
    #expect(try await world.calgw("sync").status == 0)
    try FileManager.default.moveItem(atPath: "\(home)/disk", toPath: "\(home)/aside")
    let run = try await world.calgw("sync")
    #expect([73, 74].contains(run.status), "\(run.output) \(run.errors)")
    #expect(run.errors.contains("check that the disk is mounted"), "\(run.errors)")
    #expect(!world.calgw.exists("disk"))
    #expect(world.there() == ["a"])
  }
}
