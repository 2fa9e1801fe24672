import EventEditing
import ICalendar
import Recurrence
import Testing

/// What a person gives: times, durations and settings.
@Suite struct GivenTests {
  @Test(arguments: [
    ("2026-01-05T09:00:00+01:00", 1_767_600_000), ("20260105T080000Z", 1_767_600_000),
    ("2026-01-05T09:00+0100", 1_767_600_000), ("2026-01-05 08:00z", 1_767_600_000),
    ("2026-01-05T03:00:00-05", 1_767_600_000), ("20260105T075960Z", 1_767_599_999),
  ])
  func `a time with an offset is an instant`(text: String, seconds: Int) throws {
    #expect(try GivenTime(text) == .instant(seconds))
  }

  @Test(arguments: ["20260105T090000", "2026-01-05T09:00", "2026-01-05t09:00:00", "20260105T0900"])
  func `a time without an offset is one on the wall`(text: String) throws {
    let date = try #require(CivilDate(year: 2026, month: 1, day: 5))
    let civil = try #require(CivilDateTime(date, hour: 9, minute: 0, second: 0))
    #expect(try GivenTime(text) == .wall(civil))
  }

  @Test(arguments: ["20260105", "2026-01-05"])
  func `a day is a date`(text: String) throws {
    #expect(try GivenTime(text) == .date(#require(CivilDate(year: 2026, month: 1, day: 5))))
  }

  @Test(arguments: [
    "", "today", "2026-1-5", "2026-0105", "202601-05", "20260230", "20260105T", "20260105T25",
    "20260105T240000", "2026-01-05T09:00:00+", "2026-01-05T09:00:00+24:00", "20260105T090000ZZ",
    "2026-01-05T09:00:0", "99999-01-01", "٢٠٢٦0105", "20260105T090000+01:00:00",
    "2026-01-05T09:00:00+01:00                    ",
  ])
  func `what is no time is refused`(text: String) {
    #expect(throws: EditError.badTime(text)) { try GivenTime(text) }
  }

  @Test(arguments: [
    ("PT75M", 0, 4500), ("75m", 0, 4500), ("1h30m", 0, 5400), ("2d", 2, 0), ("1w", 7, 0),
    ("P1W", 7, 0), ("P1DT2H", 1, 7200), ("1d12h", 1, 43_200), ("pt1h", 0, 3600), ("90S", 0, 90),
  ])
  func `a duration is read`(text: String, days: Int, seconds: Int) throws {
    #expect(try CivilDuration(given: text) == CivilDuration(days: days, seconds: seconds))
  }

  @Test(arguments: [
    "", "0m", "PT0S", "-PT5M", "5", "m", "30m1h", "1h1h", "1.5h", "P", "PT", "1y", "5 m",
    "9999999999999d", "PT2D",
  ])
  func `what is no duration is refused`(text: String) {
    #expect(throws: EditError.badDuration(text)) { try CivilDuration(given: text) }
  }

  @Test func `a setting is a property with parameters`() throws {
    var edit = EventEdit()
    try edit.set("summary=a, b; c\\d\ne")
    try edit.set("ATTENDEE;CN=\"Doe; Jane\";ROLE=CHAIR:mailto:jane@example.org")
    try edit.set("x-empty=")
    try edit.set("CATEGORIES=A,B=C")
    #expect(
      edit.properties == [
        PropertyChange("SUMMARY", value: Array(#"a\, b\; c\\d\ne"#.utf8)),
        PropertyChange(
          "ATTENDEE",
          parameters: [
            Parameter("CN", text: "Doe; Jane"), Parameter("ROLE", text: "CHAIR"),
          ], value: Array("mailto:jane@example.org".utf8)),
        PropertyChange("X-EMPTY", value: []),
        PropertyChange("CATEGORIES", value: Array("A,B=C".utf8)),
      ])
    #expect(edit.properties[2].value == nil)
  }

  @Test func `a setting of a time or a rule is that part of the edit`() throws {
    var edit = EventEdit()
    try edit.set("DTSTART;TZID=Europe/Vienna=20260105T090000")
    try edit.set("DUE=20260106T090000Z")
    try edit.set("RRULE=")
    let date = try #require(CivilDate(year: 2026, month: 1, day: 5))
    let civil = try #require(CivilDateTime(date, hour: 9, minute: 0, second: 0))
    #expect(edit.start == .exactly(.zoned(civil, TimeZoneName("Europe/Vienna"))))
    #expect(edit.recurrence == .removed)
    #expect(edit.properties.isEmpty)
    var other = EventEdit()
    try other.set("RRULE=FREQ=DAILY;COUNT=2")
    #expect(other.recurrence == .rule(Array("FREQ=DAILY;COUNT=2".utf8)))
    try other.set("DURATION=PT2H")
    #expect(other.duration == CivilDuration(days: 0, seconds: 7200))
    #expect(other.properties.isEmpty)
  }

  @Test(arguments: [
    "", "=", "=x", "SUMMARY", "SUM MARY=x", "A;B", "A;B=\"x=y", "A;=x=y", "Ä=x",
    "ATTENDEE;CN=Bo:x=mailto:bo@example.org", "X-A;P=a:b=c",
  ])
  func `what is no setting is refused`(text: String) {
    var edit = EventEdit()
    #expect(throws: EditError.badSetting(text)) { try edit.set(text) }
  }

  /// RFC 5545 §3.2: a parameter with a colon stands in quotes.
  @Test func `a colon that can only end the parameters does`() throws {
    var edit = EventEdit()
    try edit.set("ATTENDEE;CN=\"Bo:x\"=mailto:bo@example.org")
    try edit.set("URL;X-A=b:https://example.org/?q=1")
    #expect(
      edit.properties == [
        PropertyChange(
          "ATTENDEE", parameters: [Parameter("CN", text: "Bo:x")],
          value: Array("mailto:bo@example.org".utf8)),
        PropertyChange(
          "URL", parameters: [Parameter("X-A", text: "b")],
          value: Array("https://example.org/?q=1".utf8)),
      ])
  }

  @Test(arguments: ["DTSTAMP", "LAST-MODIFIED"])
  func `the time of an edit is not set by hand`(name: String) {
    var edit = EventEdit()
    #expect(throws: EditError.timeOfEdit(property: name)) {
      try edit.set(name + "=20260101T000000Z")
    }
    #expect(edit.isEmpty)
  }

  @Test(arguments: ["UID=x", "recurrence-id=20260101", "BEGIN=VEVENT", "END=VEVENT"])
  func `what says which item it is cannot be set`(text: String) {
    var edit = EventEdit()
    #expect(throws: EditError.self) { try edit.set(text) }
  }

  @Test(arguments: [
    ("ATTENDEE=mailto:a@example.org", "attendee=mailto:b@example.org"),
    ("RRULE=", "RRULE=FREQ=DAILY"), ("DTSTART=20260105", "DTSTART=20260106"),
    ("DTEND=20260106", "DURATION=P1D"), ("DUE=20260106", "DTEND="),
  ])
  func `a property that is set twice would lose one of the two`(
    first: String, second: String
  ) throws {
    var edit = EventEdit()
    try edit.set(first)
    let name = String(second.prefix { $0 != "=" }).uppercased()
    #expect(throws: EditError.setTwice(name)) { try edit.set(second) }
  }
}
