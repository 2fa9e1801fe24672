import EventEditing
import ICalendar
import Testing

/// Rules that cannot follow a new start: their other occurrences stay, or the edit is refused.
///
/// The dates are those that python-dateutil 2.9 gives the rules (`list(rrulestr(rule, dtstart))`),
/// with the first one moved.
@Suite struct KeptRuleTests {
  struct Move: CustomTestStringConvertible, Sendable {
    let rule: String
    let start: String
    let moved: String
    /// What takes place after it, as `2026-01-01T09:00:00`.
    var gives: [String] = []

    var testDescription: String { "\(rule) from \(start) to \(moved)" }
  }

  private static let workday = "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"

  private func item(_ rule: String, from start: String, _ more: [String] = []) -> CalendarObject {
    let text = itemText(seriesLines(rule, from: start), beside: more)
    return CalendarObject(SyntaxTree(bytes: text))
  }

  private func starts(_ text: [UInt8]?) -> [String] {
    Happening.all(in: text ?? []).map { happening in
      CivilDateTime(secondsSince1970: happening.start).map { "\($0)" } ?? ""
    }
  }

  private func isRefused(
    _ object: CalendarObject, _ edit: EventEdit, _ span: Span, at occurrence: GivenTime? = nil
  ) -> Bool {
    do throws(EditError) {
      _ = try editEvent(object, edit, span: span, occurrence: occurrence, context: .forTests)
      return false
    } catch {
      guard case .cannotFollow = error else { return false }
      return error.description.contains("the span this")
    }
  }

  static let lossy = [
    // dateutil: 2 to 5 January come before the new start, or at it.
    Move(rule: "FREQ=DAILY;BYMONTH=1,2;COUNT=5", start: "20260101", moved: "20260108"),
    Move(rule: "FREQ=DAILY;BYMONTH=1,2", start: "20260101", moved: "20260102"),
    // 15 January does, or is where the first one would go.
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=6", start: "20260101T090000",
      moved: "20260120T090000"),
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=6", start: "20260101T090000",
      moved: "20260115T090000"),
    // 1 January 23:00 and both of 2 January do.
    Move(
      rule: "FREQ=DAILY;BYHOUR=9,23;COUNT=6", start: "20260101T090000", moved: "20260103T110000"),
    // 27 February does.
    Move(rule: workday + ";COUNT=6", start: "20260130T090000", moved: "20260301T090000"),
    // From 10 November on, dateutil has 28 November and 31 December too.
    Move(
      rule: workday + ";UNTIL=20260630T070000", start: "20260130T070000", moved: "20251110T070000"),
    // Every second hour from 9:00 is none from 8:30.
    Move(
      rule: "FREQ=HOURLY;INTERVAL=2;BYDAY=MO", start: "20260105T090000", moved: "20260105T083000"),
  ]

  @Test(arguments: lossy)
  func `a start that would leave others behind, or add some, is refused`(move: Move) throws {
    var edit = EventEdit()
    edit.start = try GivenTime(move.moved)
    #expect(isRefused(item(move.rule, from: move.start), edit, .allEvents))
  }

  static let gentle = [
    Move(
      rule: "FREQ=DAILY;BYMONTH=1,2;COUNT=5", start: "20260101", moved: "20251231",
      gives: ["2025-12-31", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05"]
        .map { $0 + "T00:00:00" }),
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,20;COUNT=3", start: "20260101T090000",
      moved: "20260110T100000",
      gives: ["2026-01-10", "2026-01-20", "2026-02-01"].map { $0 + "T10:00:00" }),
    Move(
      rule: "FREQ=DAILY;BYHOUR=9,23;COUNT=4", start: "20260101T090000", moved: "20260101T220000",
      gives: [
        "2026-01-01T22:00:00", "2026-01-01T23:00:00", "2026-01-02T09:00:00", "2026-01-02T23:00:00",
      ]),
    // UNTIL stays with the days and times.
    Move(
      rule: "FREQ=DAILY;BYHOUR=9,23;UNTIL=20260102T100000", start: "20260101T090000",
      moved: "20260101T220000",
      gives: ["2026-01-01T22:00:00", "2026-01-01T23:00:00", "2026-01-02T09:00:00"]),
    // Days that DTSTART gave the rule are written out.
    Move(
      rule: "FREQ=YEARLY;BYMONTH=1,7;COUNT=4", start: "20260105T090000", moved: "20260207T090000",
      gives: ["2026-02-07", "2026-07-05", "2027-01-05", "2027-07-05"].map { $0 + "T09:00:00" }),
    Move(
      rule: "FREQ=WEEKLY;BYHOUR=9,23;COUNT=4", start: "20260105T090000", moved: "20260104T110000",
      gives: [
        "2026-01-04T11:00:00", "2026-01-05T23:00:00", "2026-01-12T09:00:00", "2026-01-12T23:00:00",
      ]),
    // The rule ends before what would be next.
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=1", start: "20260101T090000",
      moved: "20260320T090000", gives: ["2026-03-20T09:00:00"]),
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=1,15;UNTIL=20260110T090000", start: "20260101T090000",
      moved: "20260320T090000", gives: ["2026-03-20T09:00:00"]),
  ]

  @Test(arguments: gentle)
  func `a start between its neighbours leaves the others as they are`(move: Move) throws {
    let change = try moveSeries(
      itemText(seriesLines(move.rule, from: move.start)), to: move.moved)
    #expect(starts(change.item) == move.gives)
    #expect(change.rulesKept == 1)
  }

  /// dateutil: 30 January, 27 February, 31 March, 30 April, 29 May, 30 June.
  @Test func `the later part of a split does not give again what the earlier one has`() throws {
    let object = item(Self.workday + ";COUNT=6", from: "20260130T090000")
    let name = try GivenTime("20260430T090000")
    var edit = EventEdit()
    for day in ["20260216", "20260330", "20260331", "20260529"] {
      edit.start = try GivenTime(day + "T090000")
      #expect(isRefused(object, edit, .futureEvents, at: name), "\(day)")
    }
    edit.start = try GivenTime("20260429T090000")
    let change = try editEvent(
      object, edit, span: .futureEvents, occurrence: name, context: .forTests)
    #expect(
      starts(change.item) == ["2026-01-30", "2026-02-27", "2026-03-31"].map { $0 + "T09:00:00" })
    #expect(
      starts(change.created?.text)
        == ["2026-04-29", "2026-05-29", "2026-06-30"].map { $0 + "T09:00:00" })
  }

  @Test func `an override of what stays does too, and none is left outside`() throws {
    let override = [
      "BEGIN:VEVENT", "UID:old", "RECURRENCE-ID:20260115T090000", "DTSTART:20260116T090000",
      "SUMMARY:Moved", "END:VEVENT",
    ]
    let object = item("FREQ=MONTHLY;BYMONTHDAY=1,15", from: "20260101T090000", override)
    var edit = EventEdit()
    edit.start = try GivenTime("20260120T090000")
    #expect(isRefused(object, edit, .allEvents))
    edit.start = try GivenTime("20251230T090000")
    let change = try editEvent(object, edit, span: .allEvents, context: .forTests)
    let text = String(decoding: change.item ?? [], as: UTF8.self)
    #expect(text.contains("RECURRENCE-ID:20260115T090000"), "\(text)")
  }

  @Test func `a note says what stays`() throws {
    let series = seriesLines("FREQ=DAILY;BYHOUR=9,23", from: "20260101T090000")
    let change = try moveSeries(itemText(series), to: "20260101T110000")
    #expect(
      change.notes.map(\.description) == [
        "the days and times of the rule FREQ=DAILY;BYHOUR=9,23 cannot follow the new start and "
          + "stay; only the first occurrence moved (give a new rule to change that)"
      ])
  }

  @Test func `a rule of what is left out that stays says so`() throws {
    let rule = Self.workday
    let series = seriesLines("FREQ=DAILY;COUNT=9", from: "20260105T090000")
    let change = try moveSeries(itemText(series + ["EXRULE:\(rule)"]), to: "20260106T090000")
    #expect(change.notes == [.exclusionRuleKept(Array(rule.utf8))])
  }
}
