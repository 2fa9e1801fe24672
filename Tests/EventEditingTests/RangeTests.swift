import EventEditing
import ICalendar
import TestSupport
import Testing

/// Overrides that hold for later occurrences too (RFC 5545 §3.2.13, RANGE=THISANDFUTURE).
@Suite struct RangeTests {
  /// Ten Mondays; from the third on an hour later and longer, from the sixth on on Tuesdays; the
  /// eighth is apart, the fifth and the ninth are deleted.
  private static let text = Array(
    """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    UID:old
    DTSTART:20260105T090000Z
    DTEND:20260105T100000Z
    RRULE:FREQ=WEEKLY;COUNT=10
    EXDATE:20260202T090000Z,20260302T090000Z
    SUMMARY:Mondays
    END:VEVENT
    BEGIN:VEVENT
    UID:old
    RECURRENCE-ID;RANGE=THISANDFUTURE:20260119T090000Z
    DTSTART:20260119T100000Z
    DTEND:20260119T113000Z
    SUMMARY:Later
    END:VEVENT
    BEGIN:VEVENT
    UID:old
    RECURRENCE-ID;RANGE=THISANDFUTURE:20260209T090000Z
    DTSTART:20260210T100000Z
    DTEND:20260210T103000Z
    SUMMARY:Tuesdays
    END:VEVENT
    BEGIN:VEVENT
    UID:old
    RECURRENCE-ID:20260223T090000Z
    DTSTART:20260225T090000Z
    SUMMARY:Apart
    END:VEVENT
    END:VCALENDAR

    """.replacing("\n", with: "\r\n").utf8)

  private static let mondays = [
    "20260105", "20260112", "20260119", "20260126", "20260209", "20260216", "20260223", "20260309",
  ]

  /// What a person sees, without the names, which change with a new series.
  private func seen(_ text: [UInt8]) -> [Happening] {
    Happening.all(in: text).map { happening in
      var seen = happening
      seen.id = seen.start
      return seen
    }.sorted()
  }

  private func edit(
    _ span: EventEditing.Span, at day: String, _ change: (inout EventEdit) -> Void
  ) throws -> LinkedChange {
    var edit = EventEdit()
    change(&edit)
    return try editEvent(
      CalendarObject(SyntaxTree(bytes: Self.text)), edit, span: span,
      occurrence: try GivenTime(day + "T090000Z"), context: .forTests)
  }

  @Test(arguments: mondays.dropFirst())
  func `a split keeps what ranges say`(day: String) throws {
    let change = try edit(.futureEvents, at: day) { $0.setText("LOCATION", to: "Hall") }
    let created = try #require(change.created).text
    #expect((seen(change.item ?? []) + seen(created)).sorted() == seen(Self.text))
    // A range from before becomes the new main component; one that starts later stays.
    let ranges = String(decoding: created, as: UTF8.self).ranges(of: "RANGE=THISANDFUTURE").count
    #expect(ranges == ["20260119", "20260209"].count { day <= $0 })
  }

  @Test(arguments: [0, 1, 3, 5, 6, 7])
  func `one occurrence is changed alone`(index: Int) throws {
    let day = Self.mondays[index]
    let change = try edit(.thisEvent, at: day) { $0.setText("SUMMARY", to: "One") }
    let (before, after) = (seen(Self.text), seen(change.item ?? []))
    #expect(before.count == after.count)
    let changed = zip(before, after).filter { $0 != $1 }
    #expect(changed.count == 1)
    #expect(changed.first?.1.summary == "One")
    #expect(changed.first?.0.start == changed.first?.1.start)
    #expect(changed.first?.0.end == changed.first?.1.end)
  }

  @Test(arguments: ["20260119", "20260209"])
  func `the occurrence of a range itself is left to the span future`(day: String) throws {
    let name = "2026-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))T09:00:00Z"
    #expect(throws: EditError.rangeOverride(name)) {
      try edit(.thisEvent, at: day) { $0.setText("SUMMARY", to: "One") }
    }
  }

  @Test func `a deletion leaves the range to later ones`() throws {
    let change = try deleteEvent(
      CalendarObject(SyntaxTree(bytes: Self.text)), span: .thisEvent,
      occurrence: try GivenTime("20260119T090000Z"), context: .forTests)
    #expect(change.notes == [.rangeKept("2026-01-19T09:00:00Z")])
    let gone = Set(seen(Self.text)).subtracting(seen(change.item ?? []))
    #expect(gone.map(\.summary) == ["Later"])
    #expect(seen(change.item ?? []).count == 7)
  }

  @Test func `a series that moves takes its ranges along`() throws {
    var edit = EventEdit()
    edit.start = try GivenTime("20260106T110000Z")
    let change = try editEvent(
      CalendarObject(SyntaxTree(bytes: Self.text)), edit, span: .allEvents, context: .forTests)
    let shift = 26 * 3600
    let expected = seen(Self.text).map {
      Happening(
        id: $0.id + shift, start: $0.start + shift, end: $0.end + shift, summary: $0.summary)
    }
    #expect(seen(change.item ?? []) == expected)
  }
}
