import CalgwKit
import Testing

/// What is on, read from folders and files.
@Suite struct AgendaTests {
  /// Wednesday 2026-01-07, 13:37:12 UTC.
  static let now = 1_767_793_032

  private func reader(_ folder: TemporaryFolder, zone: String = "Europe/Vienna") -> AgendaReader {
    AgendaReader(
      environment: ProcessEnvironment(
        variables: ["TZ": zone, "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config"],
        workingDirectory: folder.path),
      configuration: nil, signals: nil, now: Self.now)
  }

  private func calendar(_ lines: String) -> String {
    "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:t\n\(lines)\nEND:VCALENDAR\n"
  }

  private func event(_ uid: String, _ lines: String) -> String {
    calendar("BEGIN:VEVENT\nUID:\(uid)\n\(lines)\nSUMMARY:\(uid)\nEND:VEVENT")
  }

  private func starts(_ agenda: Agenda) -> [String] {
    agenda.entries.map { entry in
      let fields = entry.json.text.split(separator: "\"start\":\"").last ?? ""
      return "\(entry.details.summary) \(fields.prefix { $0 != "\"" })"
    }
  }

  @Test func `an agenda is of seven days from today in the user's zone`() async throws {
    let folder = try TemporaryFolder()
    // The last minute before Wednesday in Vienna, its first moment, and the ends of the seven days.
    try folder.write("cal/a.ics", event("tuesday", "DTSTART:20260106T225900Z"))
    try folder.write("cal/b.ics", event("first", "DTSTART:20260106T230000Z"))
    try folder.write("cal/c.ics", event("last", "DTSTART:20260113T225959Z"))
    try folder.write("cal/d.ics", event("after", "DTSTART:20260113T230000Z"))
    try folder.write(
      "cal/e.ics", event("running", "DTSTART:20260106T120000Z\nDTEND:20260106T230001Z"))
    try folder.write(
      "cal/f.ics", event("over", "DTSTART:20260106T120000Z\nDTEND:20260106T230000Z"))
    try folder.write("cal/g.ics", event("day", "DTSTART;VALUE=DATE:20260113"))
    try folder.write("cal/h.ics", event("nextday", "DTSTART;VALUE=DATE:20260114"))
    try folder.write("cal/i.ics", event("floating", "DTSTART:20260107T000000"))
    let agenda = try await reader(folder).list(AgendaRequest(targets: ["cal"]))
    #expect(agenda.failures.isEmpty)
    #expect(
      starts(agenda) == [
        "running 2026-01-06T12:00:00Z", "first 2026-01-06T23:00:00Z",
        "floating 2026-01-07T00:00:00", "day 2026-01-13", "last 2026-01-13T22:59:59Z",
      ])
  }

  @Test func `a series is listed with its override, without what is excluded or cancelled`()
    async throws
  {
    let folder = try TemporaryFolder()
    let series = """
      BEGIN:VEVENT
      UID:s
      DTSTART;TZID=America/New_York:20260105T200000
      DTEND;TZID=America/New_York:20260105T210000
      RRULE:FREQ=DAILY
      EXDATE;TZID=America/New_York:20260106T200000
      SUMMARY:rule
      END:VEVENT
      BEGIN:VEVENT
      UID:s
      RECURRENCE-ID;TZID=America/New_York:20260107T200000
      DTSTART;TZID=Europe/Vienna:20260108T093000
      DTEND;TZID=Europe/Vienna:20260108T100000
      SUMMARY:moved
      LOCATION:Room\\, 1
      END:VEVENT
      BEGIN:VEVENT
      UID:s
      RECURRENCE-ID;TZID=America/New_York:20260108T200000
      DTSTART;TZID=America/New_York:20260108T200000
      STATUS:CANCELLED
      SUMMARY:off
      END:VEVENT
      """
    let file = try folder.write("cal/s.ics", calendar(series))
    var request = AgendaRequest(targets: ["cal"], from: "2026-01-05", to: "2026-01-11")
    let agenda = try await reader(folder).list(request)
    #expect(
      agenda.entries.map(\.json.text) == [
        """
        {"uid":"s","component":"VEVENT","start":"2026-01-05T20:00:00-05:00",\
        "end":"2026-01-05T21:00:00-05:00","allDay":false,"tzid":"America/New_York",\
        "recurrenceId":"2026-01-05T20:00:00-05:00","summary":"rule","location":null,\
        "description":null,"status":null,"file":"\(file)","calendar":"cal"}
        """,
        """
        {"uid":"s","component":"VEVENT","start":"2026-01-08T09:30:00+01:00",\
        "end":"2026-01-08T10:00:00+01:00","allDay":false,"tzid":"Europe/Vienna",\
        "recurrenceId":"2026-01-07T20:00:00-05:00","summary":"moved","location":"Room, 1",\
        "description":null,"status":null,"file":"\(file)","calendar":"cal"}
        """,
        """
        {"uid":"s","component":"VEVENT","start":"2026-01-09T20:00:00-05:00",\
        "end":"2026-01-09T21:00:00-05:00","allDay":false,"tzid":"America/New_York",\
        "recurrenceId":"2026-01-09T20:00:00-05:00","summary":"rule","location":null,\
        "description":null,"status":null,"file":"\(file)","calendar":"cal"}
        """,
      ])
    request.includesCancelled = true
    let all = try await reader(folder).list(request)
    #expect(all.entries.map(\.details.summary) == ["rule", "moved", "off", "rule"])
  }

  @Test func `to-dos have their place by DUE, journal entries by DTSTART`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "cal/a.ics",
      calendar(
        """
        BEGIN:VTODO
        UID:due
        DUE:20260108T100000Z
        SUMMARY:due
        END:VTODO
        BEGIN:VTODO
        UID:span
        DTSTART:20260101T080000Z
        DUE:20260109T100000Z
        SUMMARY:span
        END:VTODO
        BEGIN:VTODO
        UID:undated
        SUMMARY:undated
        END:VTODO
        BEGIN:VJOURNAL
        UID:note
        DTSTART;VALUE=DATE:20260108
        SUMMARY:note
        END:VJOURNAL
        """))
    let agenda = try await reader(folder, zone: "UTC").list(AgendaRequest(targets: ["cal"]))
    #expect(agenda.entries.map(\.details.summary) == ["span", "note", "due"])
    #expect(agenda.entries.map(\.details.kind) == [.todo, .journal, .todo])
    let days = agenda.days.map { day in "\(day.date) \(day.rows.map { $0.entry.details.summary })" }
    #expect(days == ["2026-01-08 [\"note\", \"due\"]", "2026-01-09 [\"span\"]"])
    #expect(agenda.days.flatMap(\.rows).map(\.time) == ["all day", "10:00", "10:00"])
  }

  @Test func `an event of several days is on each of them`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "cal/a.ics",
      event("trip", "DTSTART;VALUE=DATE:20260106\nDTEND;VALUE=DATE:20260109"))
    try folder.write(
      "cal/b.ics", event("night", "DTSTART:20260107T220000\nDTEND:20260109T060000"))
    try folder.write(
      "cal/c.ics", event("evening", "DTSTART:20260107T230000\nDTEND:20260108T000000"))
    let agenda = try await reader(folder).list(AgendaRequest(targets: ["cal"]))
    let rows = agenda.days.map { day in
      day.rows.map {
        "\($0.entry.details.summary) \($0.time) \($0.part?.day ?? 0)/\($0.part?.of ?? 0)"
      }
    }
    #expect(
      rows == [
        ["trip all day 2/3", "night 22:00- 1/3", "evening 23:00-24:00 0/0"],
        ["trip all day 3/3", "night all day 2/3"], ["night      -06:00 3/3"],
      ])
    #expect(agenda.days.map(\.date.description) == ["2026-01-07", "2026-01-08", "2026-01-09"])
    let year = try await reader(folder).list(AgendaRequest(targets: ["cal"], to: "2027-01-01"))
    #expect(year.days.map(\.rows.count) == [3])
    #expect(year.days.first?.rows.first?.lastDay?.description == "2026-01-08")
  }

  /// Vienna's clocks go from 03:00 back to 02:00 that night.
  @Test func `an end that the clock shows no later than the start is one`() async throws {
    let folder = try TemporaryFolder()
    let start = "DTSTART:20261025T003000Z"
    try folder.write("cal/a.ics", event("a", "\(start)\nDTEND:20261025T013000Z"))
    try folder.write("cal/b.ics", event("b", "\(start)\nDTEND:20261025T011500Z"))
    try folder.write("cal/c.ics", event("c", start))
    let agenda = try await reader(folder).list(
      AgendaRequest(targets: ["cal"], from: "2026-10-25", to: "2026-10-26"))
    let rows = agenda.days.flatMap(\.rows).map { "\($0.entry.details.summary) \($0.time)" }
    #expect(rows.sorted() == ["a 02:30-02:30", "b 02:30-02:15", "c 02:30"])
  }

  @Test func `what cannot be read is told, and the rest is there`() async throws {
    let folder = try TemporaryFolder()
    let whole = event("whole", "DTSTART:20260108T100000Z")
    try folder.write("cal/a.ics", whole)
    try folder.write("cal/b.ics", String(whole.dropLast(20)))
    try folder.write("cal/c.ics", "")
    try folder.write("cal/d.ics/x.ics", whole)
    try folder.write("cal/.hidden.ics", whole)
    try folder.write("cal/e.ics~", whole)
    let agenda = try await reader(folder).list(AgendaRequest(targets: ["cal"]))
    #expect(agenda.entries.map(\.details.summary) == ["whole"])
    #expect(agenda.failures.map(\.status) == [.attention, .attention, .attention])
    #expect(agenda.status == .attention)
    let missing = try await reader(folder).list(AgendaRequest(targets: ["cal", "none.ics"]))
    #expect(missing.status == .missingInput)
    #expect(missing.entries.count == 1)
    let text = try folder.write("text.ics", "no calendar\n")
    #expect(try await reader(folder).expand(AgendaRequest(targets: [text])).status == .badInput)
  }

  @Test func `pairs, collections and folders by name`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "config/calgw/config.toml",
      "[pair.p]\nlocal = \"\(folder.path)/v\"\nremote = { local = \"\(folder.path)/w\" }\n"
        + "collections = [\"*\", \"!old\"]\n")
    for name in ["work", "home", "old"] {
      try folder.write("v/\(name)/a.ics", event(name, "DTSTART:20260108T100000Z"))
    }
    try folder.write("v/home/displayname", "Privat\n")
    try folder.write("v/home/color", "#FF8800\n")
    let all = try await reader(folder).list(AgendaRequest(targets: []))
    #expect(Set(all.entries.map(\.details.calendar.name)) == ["home", "work"])
    let home = all.entries.first { $0.details.calendar.name == "home" }?.details.calendar
    #expect(home?.title == "Privat")
    #expect(home?.color == "#ff8800")
    let one = try await reader(folder).list(
      AgendaRequest(targets: ["p/work", "./v/work", "v/work"]))
    #expect(one.entries.map(\.details.summary) == ["work"])
    let root = try await reader(folder).list(AgendaRequest(targets: ["./v"]))
    #expect(root.entries.count == 3)
    for (name, status) in [("q", ExitStatus.usage), ("p/none", .usage), ("q/x", .missingInput)] {
      let failure = await #expect(throws: RunFailure.self) {
        let agenda = try await reader(folder).list(AgendaRequest(targets: [name]))
        if let first = agenda.failures.first { throw first }
      }
      #expect(failure?.status == status, "\(name)")
    }
  }

  @Test func `a rule of seconds is cut off with a message, and without --to after a thousand`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "a.ics", event("s", "DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY"))
    let day = try await reader(folder).expand(
      AgendaRequest(targets: [file], from: "2026-01-02", to: "2026-01-03"))
    #expect(day.entries.count == 86_400)
    #expect(day.status == .success)
    let year = try await reader(folder).expand(AgendaRequest(targets: [file], to: "2027-01-01"))
    #expect(year.entries.count == 100_000)
    #expect(year.failures.map(\.code) == ["too-many"])
    let endless = try await reader(folder).expand(AgendaRequest(targets: [file]))
    #expect(endless.entries.count == 1000)
    #expect(endless.failures.isEmpty)
    #expect(endless.notices.count == 1)
  }

  @Test(arguments: [
    ("--tz", AgendaRequest(targets: ["."], zone: "Middle/Earth")),
    ("--from", AgendaRequest(targets: ["."], from: "soonish")),
    ("--to", AgendaRequest(targets: ["."], to: "x")),
    ("--to is not after", AgendaRequest(targets: ["."], from: "2026-01-02", to: "2026-01-02")),
  ])
  func `options that mean nothing are a usage error`(part: String, request: AgendaRequest)
    async throws
  {
    let folder = try TemporaryFolder()
    let failure = await #expect(throws: RunFailure.self) {
      try await reader(folder).list(request)
    }
    #expect(failure?.status == .usage)
    #expect(failure?.message.hasPrefix(part) == true)
  }
}
