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

  @Test(arguments: ["invite.ical", "noext", ".hidden.ics"])
  func `a file that is named is worked on whatever it is called`(name: String) async throws {
    let calgw = try CommandLine()
    try calgw.write("mail/\(name)", event("gym", "Gym"))
    try calgw.write("cal/.keep", "")
    let file = "mail/\(name)"
    #expect(try await calgw.run(["edit", file, "--summary", "Sports"]).status == 0)
    #expect(try text(calgw, file).contains("SUMMARY:Sports"))
    #expect(try await calgw.run(["restore", "edit-1"]).status == 0)
    #expect(try text(calgw, file) == event("gym", "Gym"))
    #expect(try await calgw.run(["delete", file]).status == 0)
    #expect(!calgw.exists(file))
    #expect(try await calgw.run(["restore", "edit-3"]).status == 0)
    #expect(try text(calgw, file) == event("gym", "Gym"))

    let move = try await calgw.run(["move", file, "cal"])
    #expect(move.status == 0, "\(move.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/mail")
    #expect(left == [], "nothing stays behind")
    #expect(try text(calgw, "cal/gym.ics") == event("gym", "Gym"))
  }

  /// A folder does not count it, so its UID is no reason to put it over the item of that UID.
  @Test func `what was in a file that is no item comes back to that name alone`() async throws {
    let calgw = try CommandLine()
    try calgw.write("cal/gym.ics", event("gym", "Gym"))
    try calgw.write("cal/copy.txt", event("gym", "Copy"))
    #expect(try await calgw.run(["delete", "cal/copy.txt"]).status == 0)
    #expect(try await calgw.run(["restore", "edit-1"]).status == 0)
    #expect(try text(calgw, "cal/gym.ics") == event("gym", "Gym"))
    #expect(try text(calgw, "cal/copy.txt") == event("gym", "Copy"))
    #expect(try await calgw.run(["delete", "cal/copy.txt"]).status == 0)
    try calgw.write("cal/copy.txt", event("other", "Other"))
    #expect(try await calgw.run(["restore", "edit-3"]).status != 0)
    #expect(try text(calgw, "cal/copy.txt") == event("other", "Other"))
    let names = try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/cal").sorted()
    #expect(names == ["copy.txt", "gym.ics"])
  }

  private func text(_ calgw: CommandLine, _ name: String) throws -> String {
    try String(contentsOfFile: calgw.home + "/" + name, encoding: .utf8)
  }
}
