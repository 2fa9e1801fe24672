import ICalendar
import Recurrence
import Testing

/// What `check` finds in times, rules and zones.
@Suite struct CheckScheduleTests {
  /// The event's first line after UID is line 3 of the text.
  private func found(_ lines: String, zone: String = "", more: String = "") -> [String] {
    let text = """
      BEGIN:VCALENDAR
      \(zone.isEmpty ? "VERSION:2.0" : zone)
      BEGIN:VEVENT
      UID:a
      \(lines)
      END:VEVENT
      \(more.isEmpty ? "X-A:1" : more)
      END:VCALENDAR

      """
    let tree = SyntaxTree(bytes: Array(text.utf8))
    return checkSchedules(of: CalendarObject(tree), catalog: .system)
      .map { "\($0.code.rawValue) \($0.line):\($0.column)" }
  }

  @Test(arguments: [
    ("DTSTART:2026-01-05", "bad-time 5:9"), ("DTSTART:20260230", "no-such-time 5:9"),
    ("DTSTART:20260105T100000Z\nDURATION:1 hour", "bad-duration 6:10"),
    ("DTSTART:20260105T100000Z\nRDATE;VALUE=PERIOD:20260106/", "bad-time 6:20"),
    ("DTSTART:20260105T100000Z\nDTEND:20260105T090000Z", "end-before-start 6:7"),
    ("DTSTART:20260105T100000Z\nDTEND:20260105T100000Z", "end-at-start 6:7"),
    ("DTSTART;VALUE=DATE:20260105\nDTEND;VALUE=DATE:20260105", "end-at-start 6:18"),
    ("DTSTART:20260105T100000Z\nDURATION:-PT1H", "end-before-start 6:10"),
    ("DTSTART:20260105T100000Z\nDTEND;VALUE=DATE:20260106", "end-type 6:18"),
    ("DTSTART;VALUE=DATE:20260105\nDTEND:20260106T000000Z", "end-type 6:7"),
    ("DTSTART: 20260105", "surrounding-blanks 5:9"),
    ("DTSTART;TZID=Europe/Vienna:20260105T100000Z", "zone-on-utc 5:28"),
    ("DTSTART;TZID=Nowhere/Land:20260105T100000", "unknown-zone 5:1"),
    ("DTSTART;TZID=Europe/Vienna:20260105T100000", "missing-vtimezone 5:1"),
    ("DTSTART;TZID=../../etc/passwd:20260105T100000", "unknown-zone 5:1"),
  ])
  func `times`(lines: String, expected: String) {
    #expect(found(lines).contains(expected), "\(found(lines))")
  }

  @Test func `a time of a known zone with its VTIMEZONE has nothing wrong`() {
    let zone = """
      BEGIN:VTIMEZONE
      TZID:Somewhere
      BEGIN:STANDARD
      DTSTART:19700101T000000
      TZOFFSETFROM:+0100
      TZOFFSETTO:+0100
      END:STANDARD
      END:VTIMEZONE
      """
    #expect(found("DTSTART;TZID=Somewhere:20260105T100000", zone: zone).isEmpty)
    let broken = zone.replacing("TZOFFSETTO:+0100\n", with: "")
    #expect(
      found("DTSTART;TZID=Somewhere:20260105T100000", zone: broken) == [
        "bad-vtimezone 4:1", "unknown-zone 11:1",
      ])
    #expect(
      found("DTSTART;VALUE=DATE:20260105", zone: zone.replacing("+0100\nEND", with: "north\nEND"))
        == [
          "bad-offset 7:12"
        ])
    #expect(
      found("DTSTART;VALUE=DATE:20260105", zone: "BEGIN:VTIMEZONE\nEND:VTIMEZONE") == [
        "bad-vtimezone 2:1"
      ])
  }

  @Test func `a second meaning of a zone's name is told, unless everybody knows the name`() {
    let event = "BEGIN:VEVENT\nUID:a\nDTSTART;TZID=%:20260105T090000\nEND:VEVENT"
    func found(_ name: String, _ offsets: [String]) -> [String] {
      let text = offsets.map { offset in
        """
        BEGIN:VCALENDAR
        BEGIN:VTIMEZONE
        TZID:\(name)
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:\(offset)
        TZOFFSETTO:\(offset)
        END:STANDARD
        END:VTIMEZONE
        \(event.replacing("%", with: name))
        END:VCALENDAR

        """
      }.joined()
      return checkSchedules(
        of: CalendarObject(SyntaxTree(bytes: Array(text.utf8))), catalog: .system
      )
      .map { "\($0.code.rawValue) \($0.line):\($0.column)" }
    }
    #expect(found("Lab", ["+0100", "+0500"]).contains("unlike-vtimezones 16:1"))
    #expect(!found("Lab", ["+0100", "+0100"]).contains("unlike-vtimezones 16:1"))
    #expect(!found("Europe/Vienna", ["+0100", "+0500"]).contains("unlike-vtimezones 16:1"))
  }

  static let start = "DTSTART:20260105T100000Z\n"

  @Test(arguments: [
    ("RRULE:FREQ=FORTNIGHTLY", "bad-rule 6:7"), ("RRULE:COUNT=2", "bad-rule 6:7"),
    ("RRULE:FREQ=DAILY;BYHOUR=25", "bad-rule 6:18"),
    ("RRULE:FREQ=DAILY;COUNT=2;nonsense", "bad-rule 6:26"),
    ("RRULE:FREQ=DAILY;COUNT=2;\n BYHOUR=99", "bad-rule 7:2"),
    ("RRULE:RSCALE=HEBREW;FREQ=YEARLY", "unsupported-rule 6:7"),
    ("RRULE:FREQ=YEARLY;SKIP=FORWARD;RSCALE=GREGORIAN", "unsupported-rule 6:19"),
    ("RRULE:FREQ=DAILY;UNTIL=20260110", "until-type 6:18"),
    ("RRULE:FREQ=DAILY;UNTIL=20260110T100000", "until-type 6:18"),
    ("RRULE:FREQ=DAILY;UNTIL=20260101T000000Z", "until-before-start 6:18"),
    ("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "rule-never-matches 6:7"),
    ("RRULE:FREQ=WEEKLY;BYDAY=TU", "start-not-in-rule 6:7"),
    ("RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260110T100000Z", "count-and-until 6:7"),
    ("RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY", "several-rules 7:1"),
    ("RRULE:FREQ=DAILY;INTERVAL=0", "zero-interval 6:7"),
    ("RRULE:FREQ=DAILY\nEXDATE:20260106T110000Z", "idle-exclusion 7:8"),
    ("RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260104", "idle-exclusion 7:19"),
    ("RRULE:FREQ=DAILY\nEXDATE;VALUE=DATE:20260106", "start-type 7:19"),
    ("RRULE:FREQ=DAILY\nRDATE;VALUE=DATE:20260106", "start-type 7:18"),
  ])
  func `rules`(lines: String, expected: String) {
    #expect(found(Self.start + lines) == [expected] || expected.hasPrefix("idle-exclusion 7:19"))
    #expect(found(Self.start + lines).contains(expected))
  }

  @Test func `a rule without DTSTART has nothing to recur from`() {
    #expect(found("RRULE:FREQ=DAILY") == ["rule-without-start 5:1"])
  }

  @Test(arguments: [
    "DTSTART;VALUE=DATE:20260105\nRRULE:FREQ=DAILY;UNTIL=20260110",
    "DTSTART:20260105T100000\nRRULE:FREQ=DAILY;UNTIL=20260110T100000",
    "DTSTART:20260105T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260110T100000Z",
    "DTSTART:20260105T100000Z\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20260106T100000Z",
    "DTSTART;VALUE=DATE:20260105\nDTEND;VALUE=DATE:20260106\nRRULE:FREQ=WEEKLY;BYDAY=MO",
    "DTSTART:20260105T100000Z\nRRULE:FREQ=SECONDLY\nDURATION:P1000D\nEXDATE:20260107T100000Z",
  ])
  func `what is right`(lines: String) {
    #expect(found(lines).isEmpty)
  }

  private func override(_ id: String, uid: String = "a") -> String {
    "BEGIN:VEVENT\nUID:\(uid)\nRECURRENCE-ID\(id)\nDTSTART:20260106T120000Z\nEND:VEVENT"
  }

  @Test func `overrides`() {
    let series = Self.start + "RRULE:FREQ=DAILY"
    #expect(found(series, more: override(":20260106T100000Z")).isEmpty)
    #expect(found(series, more: override(":20260106T110000Z")) == ["override-outside 10:15"])
    #expect(
      found(series, more: override(";VALUE=DATE:20260106")) == ["start-type 10:26"])
    #expect(
      found(series, more: override(":20260106T100000Z") + "\n" + override(":20260106T100000Z"))
        == ["override-twice 10:15"])
    #expect(
      found(series, more: override(":20260106T100000Z", uid: "b")) == [
        "override-without-main 10:15"
      ])
  }

  @Test func `ten thousand exclusions of a rule of seconds are looked at in bounded time`() {
    let times = (0..<10_000).map { "EXDATE:202701\(10 + $0 % 20)T00\(10 + $0 % 50)00Z" }
    let rule = "RRULE:FREQ=SECONDLY;COUNT=1000000000\n"
    #expect(found(Self.start + rule + times.joined(separator: "\n")).isEmpty)
  }
}
