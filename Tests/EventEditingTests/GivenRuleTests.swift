import EventEditing
import ICalendar
import Recurrence
import Testing

/// Rules that a person gives: they are taken as they stand, and what RFC 5545 does not allow in
/// them is said.
@Suite struct GivenRuleTests {
  struct End: CustomTestStringConvertible, Sendable {
    let start: String
    /// Empty for floating times and dates.
    let zone: String
    let until: String
    /// As §3.3.10 wants it: a date for a date, local time for local time, UTC for the others. Nil
    /// where it is so.
    let right: String?

    var testDescription: String { "\(until) from \(start) \(zone)" }
  }

  /// Vienna is one hour ahead of UTC in December, and two in June.
  static let ends = [
    End(
      start: "2026-12-01T09:00", zone: "Europe/Vienna", until: "20261203",
      right: "20261203T080000Z"),
    End(
      start: "2026-06-01T09:00", zone: "Europe/Vienna", until: "20260603T090000",
      right: "20260603T070000Z"),
    End(start: "2026-12-01T09:00", zone: "UTC", until: "20261203", right: "20261203T090000Z"),
    End(start: "2026-12-01", zone: "", until: "20261203T080000Z", right: "20261203"),
    End(start: "2026-12-01T09:00", zone: "", until: "20261203", right: "20261203T090000"),
    End(start: "2026-12-01T09:00", zone: "", until: "20261203T090000Z", right: "20261203T090000"),
    End(start: "2026-12-01T09:00", zone: "Europe/Vienna", until: "20261203T080000Z", right: nil),
    End(start: "2026-12-01", zone: "", until: "20261203", right: nil),
    End(start: "2026-12-01T09:00", zone: "", until: "20261203T090000", right: nil),
  ]

  private func made(_ rule: String, from start: String, in zone: String) throws -> NewItem {
    var event = NewEvent(summary: "Series", start: try GivenTime(start))
    event.zone = zone.isEmpty ? nil : TimeZoneName(zone)
    event.recurrence = Array(rule.utf8)
    return try event.item(context: .forTests)
  }

  private func codes(_ text: [UInt8]) -> [CheckCode] {
    checkSchedules(of: CalendarObject(SyntaxTree(bytes: text)), catalog: .system).map(\.code)
  }

  @Test(arguments: ends)
  func `an UNTIL of another type than the start asks for is named, with the right one`(
    end: End
  ) throws {
    let rule = "FREQ=DAILY;UNTIL=\(end.until)"
    let new = try made(rule, from: end.start, in: end.zone)
    #expect(String(decoding: new.text, as: UTF8.self).contains("RRULE:\(rule)\r\n"))
    let note = end.right.map { EditNote.untilType(end.until, right: $0) }
    #expect(new.notes == (note.map { [$0] } ?? []))
    #expect(codes(new.text).contains(.untilType) == (note != nil))

    var edit = EventEdit()
    edit.recurrence = .rule(Array(rule.utf8))
    let plain = try made("FREQ=DAILY", from: end.start, in: end.zone)
    #expect(plain.notes.isEmpty)
    let change = try editEvent(
      CalendarObject(SyntaxTree(bytes: plain.text)), edit, span: .allEvents, context: .forTests)
    #expect(change.notes == new.notes)

    guard let right = end.right else { return }
    let mended = try made("FREQ=DAILY;UNTIL=\(right)", from: end.start, in: end.zone)
    #expect(mended.notes.isEmpty)
    #expect(!codes(mended.text).contains(.untilType))
    // The day that is named has an occurrence.
    #expect(Happening.all(in: mended.text).count == 3)
  }

  @Test func `a rule that gives nothing is named`() throws {
    let new = try made("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", from: "2026-12-01", in: "")
    #expect(new.notes == [.ruleNeverMatches])
    #expect(codes(new.text).contains(.neverMatches))
  }

  @Test func `a note says what to write`() {
    #expect(
      EditNote.untilType("20261203", right: "20261203T080000Z").description
        == "UNTIL=20261203 is not of the type that the start asks for (RFC 5545 §3.3.10), and "
        + "programs end the series at different times; write UNTIL=20261203T080000Z")
  }
}
