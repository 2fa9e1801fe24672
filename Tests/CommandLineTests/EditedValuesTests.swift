import Foundation
import TestSupport
import Testing

/// What `edit` and `new` make of values as people write them.
@Suite struct EditedValuesTests {
  private func calendar() throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.write("cal/standup.ics", EventCommandTests.series)
    return calgw
  }

  private func text(_ calgw: CommandLine, _ name: String = "cal/standup.ics") throws -> String {
    try String(contentsOfFile: calgw.home + "/" + name, encoding: .utf8)
  }

  /// A time of day alone is one of the day of what is edited, and not of today.
  @Test(arguments: [
    (["--start", "11:00"], "DTSTART:20260112T110000Z", "DTEND:20260112T111500Z"),
    (["--end", "13:00"], "DTSTART:20260112T090000Z", "DTEND:20260112T130000Z"),
    (
      ["--start", "11pm", "--end", "1:30 am"], "DTSTART:20260112T230000Z", "DTEND:20260113T013000Z"
    ),
  ])
  func `a time of day is on the day of the occurrence`(
    options: [String], start: String, end: String
  ) async throws {
    let calgw = try calendar()
    let edit = ["edit", "cal/standup.ics", "--occurrence", "20260112T090000Z", "--span", "this"]
    let run = try await calgw.run(edit + options)
    #expect(run.status == 0, "\(run.errors)")
    let now = try text(calgw)
    #expect(now.contains("RECURRENCE-ID:20260112T090000Z"))
    #expect(now.contains(start) && now.contains(end), "\(now)")
  }

  @Test func `a time of day is on the day that a series starts, or a new event`() async throws {
    let calgw = try calendar()
    let all = try await calgw("edit", "cal/standup.ics", "--span", "all", "--start", "10:00")
    #expect(all.status == 0, "\(all.errors)")
    #expect(try text(calgw).contains("DTSTART:20260105T100000Z"))
    let new = try await calgw(
      "new", "--summary", "Night", "--start", "2026-01-01 22:00", "--end", "1:00", "--tz", "UTC",
      "--in", "cal", "--json")
    #expect(new.status == 0, "\(new.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/cal")
    let name = try #require(files.first { $0.hasSuffix(".ics") && $0 != "standup.ics" })
    let made = try text(calgw, "cal/" + name)
    #expect(made.contains("DTSTART:20260101T220000Z"), "\(made)")
    #expect(made.contains("DTEND:20260102T010000Z"), "\(made)")
  }

  @Test func `a time that begins with a dash is one, and no option`() async throws {
    let calgw = try calendar()
    let new = try await calgw(
      "new", "--summary", "Fair", "--start", "-1w", "--end", "-5d", "--in", "cal")
    #expect(new.status == 0, "\(new.errors)")
    let name = try #require(new.output.split(separator: "\n").first)
    let edit = try await calgw(
      "edit", String(name), "--in", "cal", "--start", "-2w", "--end", "-1w")
    #expect(edit.status == 0, "\(edit.errors)")
    for command in ["show", "delete"] {
      let run = try await calgw(command, "cal/standup.ics", "--occurrence", "-900w")
      #expect(!run.errors.contains("Missing value"), "\(run.errors)")
    }
  }

  @Test(arguments: [
    "RDATE=garbage", "SEQUENCE=foo", "STATUS=FOO", "EXDATE=20260112", "DTSTAMP=foo", "DTSTART=",
    "DTSTAMP=20260101T000000Z", "LAST-MODIFIED=20260101T000000Z", "GEO=abc", "PRIORITY=12",
    "ATTENDEE;CN=Bo:x=mailto:bo@example.org",
  ])
  func `a value that its property cannot have is refused`(setting: String) async throws {
    let calgw = try calendar()
    let run = try await calgw("edit", "cal/standup.ics", "--span", "all", "--set", setting)
    #expect(run.status == 64, "\(setting): \(run.output)\(run.errors)")
    #expect(run.errors.contains("--set"), "\(run.errors)")
    #expect(try text(calgw) == EventCommandTests.series)
  }

  @Test(arguments: [
    "RDATE=20260301T090000Z", "PRIORITY=5", "STATUS=TENTATIVE", "X-MINE=foo",
    // RFC 5545 §3.8.1.6 has such a value as its example.
    "GEO=37.386013;-122.082932",
  ])
  func `a value that it can have is set`(setting: String) async throws {
    let calgw = try calendar()
    let run = try await calgw("edit", "cal/standup.ics", "--span", "all", "--set", setting)
    #expect(run.status == 0, "\(setting): \(run.errors)")
    #expect(try text(calgw).contains(setting.replacing("=", with: ":")))
  }

  /// In an alarm, or nested deeper than any program reads.
  @Test(arguments: [
    ["BEGIN:VALARM", "TRIGGER:garbage", "END:VALARM"],
    Array(repeating: "BEGIN:X-A", count: 70) + Array(repeating: "END:X-A", count: 70),
  ])
  func `what is wrong below an event is no mistake of a property that is set`(lines: [String])
    async throws
  {
    let calgw = try calendar()
    let below = (lines + ["END:VEVENT"]).joined(separator: "\r\n")
    try calgw.write(
      "cal/odd.ics", EventCommandTests.series.replacing("END:VEVENT", with: below))
    let run = try await calgw("edit", "cal/odd.ics", "--span", "all", "--location", "Room 1")
    #expect(run.status == 0, "\(run.errors)")
    let edited = try text(calgw, "cal/odd.ics")
    #expect(edited.contains("LOCATION:Room 1\r\n"))
    #expect(edited.contains(below))
  }

  /// RFC 5545 §3.3.10: in December 9:00 in Vienna is 08:00 in UTC.
  @Test func `a rule with an end of another type is written as it stands, and a note says so`()
    async throws
  {
    let calgw = try calendar()
    let made = try await calgw(
      "new", "--summary", "Course", "--start", "2026-12-01T09:00", "--tz", "Europe/Vienna",
      "--rrule", "FREQ=DAILY;UNTIL=20261203", "--in", "cal")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.errors.contains("write UNTIL=20261203T080000Z"), "\(made.errors)")
    let edited = try await calgw(
      "edit", "cal/standup.ics", "--span", "all", "--rrule", "FREQ=DAILY;UNTIL=20261203")
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(edited.errors.contains("write UNTIL=20261203T090000Z"), "\(edited.errors)")
    #expect(try text(calgw).contains("RRULE:FREQ=DAILY;UNTIL=20261203"))
  }

  @Test func `an empty end takes the end away`() async throws {
    let calgw = try calendar()
    let run = try await calgw("edit", "cal/standup.ics", "--span", "all", "--set", "DTEND=")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try !text(calgw).contains("DTEND"))
  }

  @Test func `a dry run says what one occurrence and a new part would say`() async throws {
    let calgw = try calendar()
    let occurrence = ["--occurrence", "20260112T090000Z", "--dry-run"]
    let this = try await calgw.run(
      ["edit", "cal/standup.ics", "--span", "this", "--start", "11:00", "--summary", "Late"]
        + occurrence)
    for line in ["DTSTART:20260112T110000Z", "DTEND:20260112T111500Z", "SUMMARY:Late"] {
      #expect(this.output.contains("+ \(line)"), "\(this.output)")
    }
    let one = try await calgw.run(
      ["edit", "cal/standup.ics", "--span", "this", "--summary", "Late"] + occurrence)
    #expect(!one.output.contains("DTSTART"), "\(one.output)")
    let future = try await calgw.run(
      ["edit", "cal/standup.ics", "--span", "future", "--summary", "Late"] + occurrence)
    for line in ["+ DTSTART:20260112T090000Z", "+ SUMMARY:Late", "- SUMMARY:Stand-up"] {
      #expect(future.output.contains(line), "\(future.output)")
    }
    #expect(try text(calgw) == EventCommandTests.series)
  }

  /// Within a pair it would be there twice; between two it may be what somebody wants.
  @Test func `what was moved to another pair and is brought back is said to be in both`()
    async throws
  {
    let calgw = try CommandLine()
    try calgw.configure(
      """
      [pair.p]
      local = "~/one"
      remote = { local = "~/two" }

      [pair.q]
      local = "~/own"
      remote = { local = "~/copy" }
      """)
    try calgw.write("one/work/standup.ics", EventCommandTests.series)
    try calgw.write("own/home/.keep", "")
    #expect(try await calgw("move", "one/work/standup.ics", "own/home").status == 0)
    let restored = try await calgw("restore", "edit-1")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.errors.contains("/own/home/standup.ics has it, too"), "\(restored.errors)")
  }

  @Test func `a month that there is not is named as that`() async throws {
    let run = try await calendar()("list", "cal", "--month", "2026-13")
    #expect(run.status == 64)
    #expect(run.errors.contains("there is no month 2026-13"), "\(run.errors)")
  }
}
