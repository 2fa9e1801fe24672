import Foundation
import TestSupport
import Testing

/// Folders that hold calendars and something else.
@Suite struct CalendarsBesideFilesTests {
  private static let days = ["--from", "2026-01-01", "--to", "2026-02-01"]

  @Test func `a file that strayed beside calendars hides none of them`() async throws {
    let calgw = try CommandLine()
    try calgw.write("all/work/a.ics", event("a", "Standup"))
    try calgw.write("all/home/b.ics", event("b", "Dentist"))
    try calgw.write("all/home/empty.ics", "")
    try calgw.write("all/stray.ics", event("s", "Stray"))
    for command in [["list", "all"] + Self.days, ["expand", "all"]] {
      let run = try await calgw.run(command)
      for title in ["Standup", "Dentist", "Stray"] {
        let count = run.output.components(separatedBy: title).count - 1
        #expect(count == 1, "\(command) \(title) \(run.output)")
      }
      #expect(run.status == 1 && run.errors.contains("empty.ics is empty"), "\(run.errors)")
    }
    let check = try await calgw.run(["check", "all"])
    #expect(check.status == 1)
    #expect(check.output.contains("/all/home/empty.ics:1:1: error:"), "\(check.output)")
  }

  @Test func `a calendar may be called like a file`() async throws {
    let calgw = try CommandLine()
    try calgw.write("all/work/a.ics", event("a", "Standup"))
    try calgw.write("all/Archive.ics/b.ics", event("b", "Dentist"))
    let run = try await calgw.run(["list", "all"] + Self.days)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.contains("Standup [work]"), "\(run.output)")
    #expect(run.output.contains("Dentist [Archive.ics]"), "\(run.output)")
    let check = try await calgw.run(["check", "all"])
    #expect(check.status == 0 && check.output.isEmpty, "\(check.output)")
  }

  @Test func `a folder of something else in a calendar is none`() async throws {
    let calgw = try CommandLine()
    try calgw.write("cal/a.ics", event("a", "Standup"))
    try calgw.write("cal/attachments/plan.txt", "a plan\n")
    try calgw.write("cal/.trash/old.ics", event("old", "Old"))
    try FileManager.default.createDirectory(
      atPath: calgw.home + "/cal/x.ics", withIntermediateDirectories: false)
    let run = try await calgw.run(["list", "cal"] + Self.days)
    #expect(run.status == 1)
    #expect(run.output.contains("Standup") && !run.output.contains("Old"), "\(run.output)")
    #expect(run.errors.contains("x.ics is no plain file"), "\(run.errors)")
    let check = try await calgw.run(["check", "cal"])
    #expect(check.output.contains("[not-a-file]"), "\(check.output)")
  }
}
