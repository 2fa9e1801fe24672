import Foundation
import TestSupport
import Testing

/// Files of a folder that end in `.ICS`, as some programs and some disks have it.
@Suite struct ItemEndingTests {
  @Test func `a file that is renamed so has not gone`() async throws {
    let world = try FolderAndCalendar()
    try world.write("gym.ics", event("gym", "Gym"))
    _ = try await world.sync()
    let folder = "\(world.calgw.home)/calendars/work"
    try FileManager.default.moveItem(atPath: "\(folder)/gym.ics", toPath: "\(folder)/GYM.ICS")
    #expect(try await world.sync().writes.isEmpty)
    #expect(world.there() == ["gym"])

    try world.write("GYM.ICS", event("gym", "Sports"))
    try world.write("new.Ics", event("new", "New"))
    #expect(try await world.sync().writes.map(\.method) == ["PUT", "PUT"])
    #expect(world.there() == ["gym", "new"])
    #expect(try world.here().isEmpty, "nothing was brought back beside them")
    try await world.expectQuiet()
  }

  @Test func `it is found by its name, and told once`() async throws {
    let calgw = try CommandLine()
    try calgw.write("cal/GYM.ICS", event("gym", "Gym"))
    let days = ["--from", "2026-01-01", "--to", "2026-02-01"]
    for places in [["cal"], ["cal/GYM.ICS"], ["cal", "cal/GYM.ICS"]] {
      let run = try await calgw.run(["list"] + places + days)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.output.components(separatedBy: "Gym").count == 2, "\(run.output)")
    }
    try calgw.write("cal/copy.ICS", event("gym", "Gym"))
    let check = try await calgw.run(["check", "cal"])
    #expect(check.status == 1 && check.output.contains("[duplicate-uid]"), "\(check.output)")
  }
}
