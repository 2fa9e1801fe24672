import Foundation
import TestSupport
import Testing

/// Single events by the real program: what is named, what is refused, what is kept.
@Suite struct EventCommandTests {
  static let series = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:standup",
    "DTSTAMP:20260101T000000Z", "DTSTART:20260105T090000Z", "DTEND:20260105T091500Z",
    "RRULE:FREQ=WEEKLY;COUNT=4", "SUMMARY:Stand-up", "END:VEVENT", "END:VCALENDAR", "",
  ].joined(separator: "\r\n")

  /// Two collections of a pair, and a folder that no pair has.
  private func calendars() throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure("[pair.own]\nlocal = \"~/cal\"\nremote = { local = \"~/copy\" }\n")
    try calgw.write("cal/work/dentist.ics", event("dentist", "Dentist"))
    try calgw.write("cal/work/standup.ics", Self.series)
    try calgw.write("cal/home/.keep", "")
    try calgw.write("loose/a.ics", event("loose", "Loose"))
    return calgw
  }

  private func text(_ calgw: CommandLine, _ name: String) throws -> String {
    try String(contentsOfFile: calgw.home + "/" + name, encoding: .utf8)
  }

  /// What was replaced stays beside it as long as a program has it open, and another test's child
  /// may have it so until its exec.
  private func names(_ calgw: CommandLine, _ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/" + folder)
      .filter { !$0.hasPrefix(".calgw-x") }.sorted()
  }

  @Test func `a new event needs no state directory, and a deletion does`() async throws {
    let calgw = try calendars()
    try calgw.write("plain", "no folder")
    let nowhere = ["XDG_STATE_HOME": calgw.home + "/plain/state"]
    let new = try await calgw(
      "new", "--summary", "Tea", "--start", "2027-01-01 10:00", "--in", calgw.home + "/loose",
      environment: nowhere)
    #expect(new.status == 0, "\(new.errors)")
    #expect(try names(calgw, "loose").count == 2)
    let gone = try await calgw("delete", calgw.home + "/loose/a.ics", environment: nowhere)
    #expect(gone.status == 73, "\(gone.errors)")
    #expect(calgw.exists("loose/a.ics"))
  }

  // MARK: Which one is meant

  @Test(arguments: [
    ["show", "dentist"], ["show", "dentist", "--in", "own/work"],
    ["show", "dentist", "--in", "cal/work"], ["show", "cal/work/dentist.ics"],
    ["show", "dentist.ics", "--in", "own/work"], ["show", "loose", "--in", "./loose"],
    ["show", "loose/a.ics"],
  ])
  func `a target is a file, or a UID in a folder or pair`(arguments: [String]) async throws {
    let calgw = try calendars()
    let run = try await calgw.run(arguments)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("uid"))
  }

  @Test(arguments: [
    (["show", "nothing"], 66, "no item and no file is called nothing"),
    (["show", "nothing.ics"], 66, "is called nothing.ics"),
    (["show", "x", "--in", "nowhere"], 66, "no pair and no folder \"nowhere\""),
    (["show", "x", "--in", "own/hme"], 64, "no collection \"hme\""),
    (["show", "x", "--in", "own"], 64, "2 collections"),
    (["show", "cal/work"], 64, "is a directory"),
    (["show", "broken/cut.ics"], 65, "cut off"), (["show", "broken/two.ics"], 65, "2 items"),
    (["show", "broken/text.ics"], 65, "no iCalendar"), (["show", "broken/empty.ics"], 65, "empty"),
    (["show", "broken/no-uid.ics"], 65, "UID"), (["show", "broken/link.ics"], 65, "no plain file"),
    (["show", "same", "--in", "broken"], 65, "2 files"),
    (["edit", "broken/cut.ics", "--summary", "x"], 65, "cut off"),
    (["delete", "nothing"], 66, "nothing"), (["move", "nothing", "own/home"], 66, "nothing"),
    (["move", "dentist", "own/nope"], 64, "no collection"),
    (["move", "dentist", "own/work"], 64, "already"),
    (["import", "nope.ics", "--in", "own/home"], 66, "no file nope.ics"),
    (["import", "broken/text.ics", "--in", "own/home"], 65, "no iCalendar"),
    (["import", "broken/cut.ics", "--in", "own/home"], 65, "cut off"),
    (["import", "loose", "--in", "own/home"], 64, "is a directory"),
  ])
  func `what cannot be found or read has its status and says why`(
    arguments: [String], status: Int32, words: String
  ) async throws {
    let calgw = try calendars()
    try calgw.write("broken/cut.ics", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:cut\r\n")
    try calgw.write("broken/two.ics", event("one", "One") + event("two", "Two"))
    try calgw.write("broken/text.ics", "Dear diary\n")
    try calgw.write("broken/empty.ics", "")
    try calgw.write(
      "broken/no-uid.ics", event("x", "X").replacingOccurrences(of: "UID:x\r\n", with: ""))
    try calgw.write("broken/same-1.ics", event("same", "One"))
    try calgw.write("broken/same-2.ics", event("same", "Two"))
    try FileManager.default.createSymbolicLink(
      atPath: calgw.home + "/broken/link.ics", withDestinationPath: "../loose/a.ics")
    let run = try await calgw.run(arguments)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `a UID in several collections is named with each`() async throws {
    let calgw = try calendars()
    try calgw.write("cal/home/dentist.ics", event("dentist", "Dentist"))
    let run = try await calgw("show", "dentist")
    #expect(run.status == 64)
    #expect(run.errors.contains("--in own/home, --in own/work"))
  }

  @Test func `without a configuration any folder will do, and state is private`() async throws {
    let calgw = try CommandLine()
    try calgw.write("loose/a.ics", event("loose", "Loose"))
    #expect(try await calgw("show", "loose", "--in", "loose").status == 0)
    #expect(!calgw.exists("state"))
    #expect(try await calgw("move", "loose", ".", "--in", "loose").status == 0)
    #expect(calgw.exists("a.ics"))
    for (name, mode) in [("", 0o700), ("/edits", 0o700), ("/edits/history.sqlite", 0o600)] {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: calgw.home + "/state/calgw" + name)
      #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
    }
    #expect(try await calgw("show", "loose", "--config", "nope.toml").status == 78)
  }

  @Test func `hostile texts neither steer the terminal nor look like ours`() async throws {
    let calgw = try CommandLine()
    let evil = "\u{1B}[2J\u{9B}31m\u{202E}evil\u{200B}"
    try calgw.write(
      "c/a.ics",
      event("a", evil + "\\nerror: not ours").replacingOccurrences(
        of: "END:VEVENT", with: "LOCATION:\(evil)\r\nATTENDEE;CN=\(evil):mailto:x\r\nEND:VEVENT"))
    for arguments in [["show", "a", "--in", "c"], ["show", "a", "--in", "c", "--json"]] {
      let run = try await calgw.run(arguments)
      let all = run.output + run.errors
      #expect(
        !all.unicodeScalars.contains { "\u{1B}\u{9B}\u{202E}\u{200B}".unicodeScalars.contains($0) })
      #expect(!run.output.split(separator: "\n").contains { $0.hasPrefix("error:") })
    }
  }

  /// 00:30 in Vienna is 23:30 of the day before in UTC.
  private static let inUTC = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:night",
    "DTSTAMP:20260101T000000Z", "DTSTART;TZID=Europe/Vienna:20270101T003000", "DURATION:PT1H",
    "RRULE:FREQ=DAILY;COUNT=8", "EXDATE:20270101T233000Z", "RDATE:20270109T233000Z",
    "SUMMARY:Night", "END:VEVENT", "BEGIN:VEVENT", "UID:night", "DTSTAMP:20260101T000000Z",
    "RECURRENCE-ID:20270103T233000Z", "DTSTART:20270103T233000Z", "DURATION:PT1H",
    "SUMMARY:Long night", "END:VEVENT", "END:VCALENDAR", "",
  ].joined(separator: "\r\n")

  @Test func `what is excepted, added or changed is told on the wall of its series`() async throws {
    let calgw = try CommandLine()
    try calgw.write("c/night.ics", Self.inUTC)
    let shown = try await calgw("show", "c/night.ics")
    for line in [
      "Saturday 2 January 2027, 00:30\n", "Sunday 10 January 2027, 00:30\n",
      "Monday 4 January 2027, 00:30: \"Long night\"\n",
    ] {
      #expect(shown.output.contains(line), "\(shown.output)")
    }
    let json = try await calgw("show", "c/night.ics", "--json")
    #expect(json.output.contains("\"exceptions\":[\"2027-01-02T00:30:00+01:00\"]"))
    #expect(
      json.output.contains("\"overrides\":[{\"recurrenceId\":\"2027-01-04T00:30:00+01:00\""),
      "\(json.output)")
    let one = try await calgw(
      "show", "c/night.ics", "--occurrence", "2027-01-04T00:30", "--json")
    #expect(one.output.contains("\"recurrenceId\":\"2027-01-04T00:30:00+01:00\""), "\(one.output)")
  }

  @Test(arguments: [
    (
      "DTSTART;VALUE=DATE:20270101", "RECURRENCE-ID;VALUE=DATE:20270103",
      "DTSTART;TZID=Europe/Vienna:20270103T090000", "09:00 to 10:00 (Europe/Vienna)"
    ),
    (
      "DTSTART:20270101T090000", "RECURRENCE-ID:20270103T090000",
      "DTSTART;TZID=Asia/Tokyo:20270103T090000", "09:00 to 10:00 (Asia/Tokyo)"
    ),
    (
      "DTSTART;TZID=Europe/Vienna:20270101T090000",
      "RECURRENCE-ID;TZID=Europe/Vienna:20270103T090000", "DTSTART:20270103T080000Z",
      "other details"
    ),
  ])
  func `a day that got a time of day, or a time a zone, is told as changed`(
    series: String, id: String, start: String, told: String
  ) async throws {
    let calgw = try CommandLine()
    let text = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:day",
      "DTSTAMP:20260101T000000Z", series, "RRULE:FREQ=DAILY;COUNT=8", "SUMMARY:Day", "END:VEVENT",
      "BEGIN:VEVENT", "UID:day", "DTSTAMP:20260101T000000Z", id, start, "DURATION:PT1H",
      "SUMMARY:Day", "END:VEVENT", "END:VCALENDAR", "",
    ].joined(separator: "\r\n")
    try calgw.write("c/day.ics", text)
    let shown = try await calgw("show", "c/day.ics")
    let line = shown.output.split(separator: "\n").first { $0.contains("changed") }
    #expect(line?.contains(told) == true, "\(shown.output)")
  }

  @Test func `a day in RECURRENCE-ID or RDATE is the time of the series on it`() async throws {
    let calgw = try CommandLine()
    let days = Self.inUTC.replacing(
      "RECURRENCE-ID:20270103T233000Z", with: "RECURRENCE-ID;VALUE=DATE:20270104"
    ).replacing("RDATE:20270109T233000Z", with: "RDATE;VALUE=DATE:20270110")
    try calgw.write("c/night.ics", days)
    let shown = try await calgw("show", "c/night.ics")
    for line in [
      "Sunday 10 January 2027, 00:30\n", "Monday 4 January 2027, 00:30: \"Long night\"\n",
    ] {
      #expect(shown.output.contains(line), "\(shown.output)")
    }
    let json = try await calgw("show", "c/night.ics", "--json")
    #expect(
      json.output.contains("\"overrides\":[{\"recurrenceId\":\"2027-01-04T00:30:00+01:00\""),
      "\(json.output)")
    let exclusion = "EXDATE;TZID=Europe/Vienna:20270104T003000"
    try calgw.write(
      "c/night.ics", days.replacing("EXDATE:20270101T233000Z", with: exclusion))
    let excepted = try await calgw("show", "c/night.ics", "--json")
    #expect(excepted.output.contains("\"overrides\":[]"), "\(excepted.output)")
  }

  /// docs/recurrence.md, D10 and D13.
  @Test(arguments: ["EXDATE:20270103T233000Z", "EXDATE;VALUE=DATE:20270104"])
  func `a changed occurrence that is excepted is not told as changed, and an extra one once`(
    exclusion: String
  ) async throws {
    let calgw = try CommandLine()
    try calgw.write(
      "c/night.ics",
      Self.inUTC.replacing("EXDATE:20270101T233000Z", with: exclusion).replacing(
        "RDATE:20270109T233000Z",
        with: "RDATE:20270109T233000Z\r\nRDATE;TZID=Europe/Vienna:20270110T003000"))
    let shown = try await calgw("show", "c/night.ics")
    #expect(shown.output.contains("except"), "\(shown.output)")
    #expect(!shown.output.contains("Long night"), "\(shown.output)")
    #expect(shown.output.ranges(of: "Sunday 10 January 2027").count == 1, "\(shown.output)")
    let json = try await calgw("show", "c/night.ics", "--json")
    #expect(json.output.contains("\"overrides\":[]"), "\(json.output)")
  }

  @Test func `extra occurrences at two equal times are told each`() async throws {
    let calgw = try CommandLine()
    try calgw.write(
      "c/night.ics",
      Self.inUTC.replacing(
        "RDATE:20270109T233000Z", with: "RDATE:20271031T003000Z,20271031T013000Z"))
    let shown = try await calgw("show", "c/night.ics")
    let told = shown.output.ranges(of: "Sunday 31 October 2027, 02:30")
    #expect(told.count == 2, "\(shown.output)")
  }

  @Test func `an end beyond all years is no missing start`() async throws {
    let calgw = try CommandLine()
    let long = event("a", "Age").replacing(
      "SUMMARY:", with: "DURATION:P999999999999W\r\nSUMMARY:")
    try calgw.write("c/a.ics", long)
    let shown = try await calgw("show", "c/a.ics")
    #expect(
      shown.output.contains("10:00 to Friday 31 December 9999, 23:59:59 (UTC)"),
      "\(shown.output)")
  }

  @Test func `a directory hides no UID`() async throws {
    let calgw = try calendars()
    for name in ["dentist/x", "nothing/x"] { try calgw.write(name, "") }
    let shown = try await calgw("show", "dentist")
    #expect(shown.status == 0 && shown.output.contains("Dentist"), "\(shown.errors)")
    let there = try await calgw("move", "dentist", "own/work")
    #expect(there.status == 64 && there.errors.contains("in own/work already"), "\(there.errors)")
    for command in [["show", "nothing"], ["move", "nothing", "own/work"], ["show", "./dentist"]] {
      let run = try await calgw.run(command)
      #expect(run.status == 64 && run.errors.contains("is a directory"), "\(run.errors)")
    }
    #expect(try await calgw("move", "dentist", "own/home").status == 0)
    #expect(calgw.exists("cal/home/dentist.ics") && !calgw.exists("cal/work/dentist.ics"))
  }

  // MARK: Import and move

  @Test func `an import makes a file an item, and a second one nothing`() async throws {
    let calgw = try calendars()
    try calgw.write("many.ics", event("one", "One") + Self.series + event("../x", "Odd"))
    let dry = try await calgw("import", "many.ics", "--in", "own/home", "--dry-run")
    #expect(dry.status == 0)
    #expect(try names(calgw, "cal/home") == [".keep"])
    let first = try await calgw("import", "many.ics", "--in", "own/home")
    #expect(first.output == "imported into own/home: 3 new\n")
    let files = try names(calgw, "cal/home").filter { $0.hasSuffix(".ics") }
    #expect(files.count == 3)
    #expect(files.contains("one.ics"))
    let second = try await calgw("import", "many.ics", "--in", "own/home", "--json")
    #expect(second.status == 0)
    #expect(second.output.contains("\"created\":0,\"updated\":0,\"unchanged\":3,\"skipped\":0"))
  }

  @Test func `an import never overwrites another content unless it is told to`() async throws {
    let calgw = try calendars()
    try calgw.write("new.ics", event("dentist", "Other title"))
    let refused = try await calgw("import", "new.ics", "--in", "own/work")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("--update replaces it"))
    #expect(try text(calgw, "cal/work/dentist.ics").contains("SUMMARY:Dentist"))
    let updated = try await calgw("import", "new.ics", "--in", "own/work", "--update")
    #expect(updated.status == 0)
    #expect(updated.output == "imported into own/work: 1 replaced\n")
    #expect(try text(calgw, "cal/work/dentist.ics").contains("SUMMARY:Other title"))
    let log = try await calgw("log", "dentist", "--content", "--json")
    #expect(log.output.contains("SUMMARY:Dentist"))
    #expect(try await calgw("restore", "edit-1").status == 0)
    #expect(try text(calgw, "cal/work/dentist.ics").contains("SUMMARY:Dentist"))
  }

  @Test func `a move keeps the bytes, leaves nothing behind, and can be run again`() async throws {
    let calgw = try calendars()
    let before = try text(calgw, "cal/work/dentist.ics")
    #expect(try await calgw("move", "dentist", "own/home", "--dry-run").status == 0)
    #expect(calgw.exists("cal/work/dentist.ics"))
    #expect(try await calgw("move", "dentist", "own/home").status == 0)
    #expect(try text(calgw, "cal/home/dentist.ics") == before)
    #expect(try names(calgw, "cal/work") == ["standup.ics"])
    // As after a kill between the two steps.
    try calgw.write("cal/work/dentist.ics", before)
    #expect(try await calgw("move", "dentist", "own/home").status == 0)
    #expect(try names(calgw, "cal/work") == ["standup.ics"])
    try calgw.write("cal/work/dentist.ics", event("dentist", "Other"))
    #expect(try await calgw("move", "cal/work/dentist.ics", "own/home").status == 65)
    #expect(calgw.exists("cal/work/dentist.ics"))
  }
}
