import EventEditing
import Foundation
import ICalendar
import Recurrence
import Testing

@Suite struct NewEventTests {
  private func text(_ event: NewEvent, zone: String? = nil) throws -> String {
    var context = EditContext.forTests
    context.zone = zone.map { TimeZoneName($0) }
    let item = try event.item(context: context)
    #expect(item.uid == Array("new@example.org".utf8))
    #expect(SyntaxTree(bytes: item.text).wholeness == .whole)
    return String(decoding: item.text, as: UTF8.self)
  }

  private func lines(_ event: NewEvent, zone: String? = nil) throws -> [String] {
    try text(event, zone: zone).components(separatedBy: "\r\n")
  }

  @Test func `a timed event in a zone`() throws {
    var event = NewEvent(summary: "Dinner, late", start: try GivenTime("2026-07-06T19:00"))
    event.duration = try CivilDuration(given: "2h")
    event.zone = TimeZoneName("Asia/Tokyo")
    event.recurrence = Array("FREQ=WEEKLY;COUNT=3".utf8)
    event.location = "Café; 1st floor"
    event.description = "Line one\nline two"
    // Tokyo is nine hours ahead since 1951, tzdata says.
    #expect(
      try lines(event) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//calgw//calgw//EN",
        "BEGIN:VTIMEZONE", "TZID:Asia/Tokyo", "BEGIN:STANDARD", "DTSTART:19510909T010000",
        "TZOFFSETFROM:+1000", "TZOFFSETTO:+0900", "TZNAME:JST", "END:STANDARD", "END:VTIMEZONE",
        "BEGIN:VEVENT", "UID:new@example.org", "DTSTAMP:20260102T120000Z",
        "CREATED:20260102T120000Z",
        "DTSTART;TZID=Asia/Tokyo:20260706T190000", "DTEND;TZID=Asia/Tokyo:20260706T210000",
        "RRULE:FREQ=WEEKLY;COUNT=3",
        #"SUMMARY:Dinner\, late"#, #"LOCATION:Café\; 1st floor"#,
        #"DESCRIPTION:Line one\nline two"#,
        "END:VEVENT", "END:VCALENDAR", "",
      ])
  }

  @Test(arguments: [
    ("2026-07-06", nil, false, "DTSTART;VALUE=DATE:20260706"),
    ("2026-07-06T19:00", nil, true, "DTSTART;VALUE=DATE:20260706"),
    ("2026-07-06T19:00", nil, false, "DTSTART:20260706T190000"),
    ("2026-07-06T19:00", "Europe/Vienna", false, "DTSTART;TZID=Europe/Vienna:20260706T190000"),
    ("2026-07-06T19:00Z", "Europe/Vienna", false, "DTSTART;TZID=Europe/Vienna:20260706T210000"),
    ("2026-07-06T19:00+02:00", nil, false, "DTSTART:20260706T170000Z"),
    ("2026-07-06T19:00", "UTC", false, "DTSTART:20260706T190000Z"),
    // The second 02:30 of that night has no name in its zone.
    ("2026-10-25T01:30:00Z", "Europe/Vienna", false, "DTSTART:20261025T013000Z"),
  ])
  func `the start has the form that is meant`(
    start: String, zone: String?, isAllDay: Bool, line: String
  ) throws {
    var event = NewEvent(summary: "", start: try GivenTime(start))
    event.isAllDay = isAllDay
    let lines = try lines(event, zone: zone)
    #expect(lines.contains(line), "\(lines)")
    #expect(lines.contains("BEGIN:VTIMEZONE") == line.contains("TZID"))
    #expect(!lines.contains { $0.hasPrefix("SUMMARY") })
  }

  /// RFC 5545 §3.3.5: such a time in a zone is the first of the two.
  @Test func `the second of two equal times is kept, but for a series`() throws {
    var event = NewEvent(summary: "", start: try GivenTime("2026-10-25T02:30:00+01:00"))
    event.duration = try CivilDuration(given: "1h")
    event.zone = TimeZoneName("Europe/Vienna")
    let single = try lines(event)
    #expect(single.contains("DTSTART:20261025T013000Z"), "\(single)")
    #expect(single.contains("DTEND:20261025T023000Z"), "\(single)")
    event.recurrence = Array("FREQ=DAILY".utf8)
    for zone in [event.zone, nil] {
      event.zone = zone
      var context = EditContext.forTests
      context.zone = TimeZoneName("Europe/Vienna")
      let series = try event.item(context: context)
      let start = Array("DTSTART;TZID=Europe/Vienna:20261025T023000\r\n".utf8)
      #expect(series.text.contains(start))
      #expect(series.notes == [.firstOfTwo("2026-10-25T02:30:00+02:00")])
    }
  }

  /// A wall time is one of the start's zone, also where the start is written in UTC.
  @Test(arguments: [
    ("Europe/Vienna", "2027-10-31T02:30+01:00", "2027-10-31T03:30", false, "20271031T023000Z"),
    ("Europe/Vienna", "2027-10-31T02:30+01:00", "03:30", true, "20271031T023000Z"),
    ("Europe/Vienna", "2027-10-31T02:30+01:00", "2027-10-31T02:30Z", false, "20271031T023000Z"),
    ("Europe/Vienna", "2027-10-31T02:30+01:00", "02:45", true, "20271031T014500Z"),
    ("Europe/Vienna", "2027-10-31T02:30+01:00", "02:30", true, "20271101T013000Z"),
    ("America/New_York", "2027-11-07T01:30-05:00", "02:30", true, "20271107T073000Z"),
  ])
  func `the end behind the second of two equal times is one of its zone`(
    zone: String, start: String, end: String, isNext: Bool, written: String
  ) throws {
    var event = NewEvent(summary: "", start: try GivenTime(start))
    event.end = try GivenTime(isNext ? "2027-11-01T\(end)" : end)
    event.endsNext = isNext
    let lines = try lines(event, zone: zone)
    #expect(lines.contains("DTEND:\(written)"), "\(lines)")
  }

  /// Each lasts an hour, or a quarter: 02:30 is 00:30 in UTC there, as the first of the two.
  @Test(arguments: [
    ("2027-10-31T03:30+01:00", "DTEND:20271031T013000Z"),
    ("2027-10-31T03:30", "DTEND:20271031T013000Z"),
    ("2027-10-31T02:45+01:00", "DTEND;TZID=Europe/Vienna:20271031T024500"),
  ])
  func `a series from the second of two equal times is as long as was meant`(
    end: String, line: String
  ) throws {
    var event = NewEvent(summary: "", start: try GivenTime("2027-10-31T02:30+01:00"))
    event.end = try GivenTime(end)
    event.recurrence = Array("FREQ=DAILY;COUNT=2".utf8)
    let lines = try lines(event, zone: "Europe/Vienna")
    #expect(lines.contains("DTSTART;TZID=Europe/Vienna:20271031T023000"), "\(lines)")
    #expect(lines.contains(line), "\(lines)")
  }

  @Test(arguments: [
    ("2027-01-05T10:00", "2027-01-05T12:00", false, "20270106"),
    ("2027-01-05T10:00", "2027-01-05T09:00", false, "20270106"),
    ("2027-01-05T10:00", "2027-01-07T00:01", false, "20270108"),
    ("2027-01-05T10:00", "2027-01-07T00:00", false, "20270107"),
    ("2027-01-05T10:00", "2027-01-07", false, "20270107"),
    ("2027-01-05", "2027-01-06T12:00", false, "20270107"),
    ("2027-01-05T10:00", "2027-01-05T23:30Z", false, "20270107"),
    // Of these the time of day is meant.
    ("2027-01-05T10:00", "2026-12-24T12:00", true, "20270106"),
    ("2027-01-05T10:00", "2026-12-24T09:00", true, "20270107"),
  ])
  func `only the days of start and end count of whole days`(
    start: String, end: String, endsNext: Bool, day: String
  ) throws {
    var event = NewEvent(summary: "Fair", start: try GivenTime(start))
    event.end = try GivenTime(end)
    event.endsNext = endsNext
    event.isAllDay = true
    let lines = try lines(event, zone: "Europe/Vienna")
    #expect(lines.contains("DTSTART;VALUE=DATE:20270105"), "\(lines)")
    #expect(lines.contains("DTEND;VALUE=DATE:\(day)"), "\(lines)")
  }

  @Test func `what cannot be is refused`() throws {
    var event = NewEvent(summary: "x", start: try GivenTime("2026-07-06T19:00"))
    event.end = try GivenTime("2026-07-06T18:00")
    #expect(throws: EditError.endNotAfterStart) { try text(event) }
    event.duration = try CivilDuration(given: "1h")
    #expect(throws: EditError.endAndDuration) { try text(event) }
    event = NewEvent(summary: "x", start: try GivenTime("2026-07-06T19:00"))
    event.zone = TimeZoneName("Nowhere/At_All")
    #expect(throws: EditError.unknownZone("Nowhere/At_All")) { try text(event) }
    event = NewEvent(summary: "x", start: try GivenTime("2026-07-06"))
    event.duration = try CivilDuration(given: "90m")
    #expect(throws: EditError.durationOfDays) { try text(event) }
    event.duration = nil
    event.end = try GivenTime("2026-07-06T00:00")
    event.isAllDay = true
    #expect(throws: EditError.endNotAfterStart) { try text(event) }
    event.end = nil
    event.recurrence = Array("FREQ=SOMETIMES".utf8)
    #expect(throws: EditError.badRule(reason: "FREQ is none of SECONDLY to YEARLY")) {
      try text(event)
    }
    event.recurrence = Array("FREQ=HOURLY;COUNT=3".utf8)
    #expect(throws: EditError.allDaySubDaily) { try text(event) }
    event.recurrence = Array("FREQ=DAILY\r\nATTENDEE:x".utf8)
    #expect(throws: EditError.badRule(reason: "it has a control character")) { try text(event) }
  }
}
