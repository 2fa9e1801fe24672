import EventEditing
import Testing

/// Rules of months and years that follow a start and have other dates then: a note names them.
///
/// The dates are those that python-dateutil 2.9 gives the rule before and after the move
/// (`list(rrulestr(rule, dtstart))`).
@Suite struct MovedDatesTests {
  struct Move: CustomTestStringConvertible, Sendable {
    let rule: String
    let start: String
    let moved: String
    /// The rule that it becomes.
    let becomes: String
    var lost: [String] = []
    var added: [String] = []

    var testDescription: String { "\(rule) from \(start) to \(moved)" }
  }

  static let moves = [
    // 28 January, February, March, April and May; 30 January, March, April and May.
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=28;UNTIL=20260528", start: "20260128", moved: "20260130",
      becomes: "FREQ=MONTHLY;BYMONTHDAY=30;UNTIL=20260530", lost: ["2026-02-28"]),
    Move(
      rule: "FREQ=MONTHLY;UNTIL=20260528", start: "20260128", moved: "20260130",
      becomes: "FREQ=MONTHLY;UNTIL=20260530", lost: ["2026-02-28"]),
    // 31 January, March, May and July; the 1st of February to August.
    Move(
      rule: "FREQ=MONTHLY;UNTIL=20260731T220000Z", start: "20260131T090000Z",
      moved: "20260201T090000Z", becomes: "FREQ=MONTHLY;UNTIL=20260801T090000Z",
      added: ["2026-03-01T09:00:00Z", "2026-05-01T09:00:00Z", "2026-07-01T09:00:00Z"]),
    // With COUNT=4: the 1st of February to May.
    Move(
      rule: "FREQ=MONTHLY;COUNT=4", start: "20260131T090000Z", moved: "20260201T090000Z",
      becomes: "FREQ=MONTHLY;COUNT=4", lost: ["2026-05-31T09:00:00Z", "2026-07-31T09:00:00Z"],
      added: ["2026-03-01T09:00:00Z", "2026-05-01T09:00:00Z"]),
    // 12, 19 and 26 January 2026, 4, 11, 18 and 25 January 2027; 22 and 29 January 2026, 7, 14, 21
    // and 28 January 2027.
    Move(
      rule: "FREQ=YEARLY;BYMONTH=1;BYDAY=MO;UNTIL=20270125T080000Z", start: "20260112T080000Z",
      moved: "20260122T080000Z",
      becomes: "FREQ=YEARLY;BYMONTH=1;BYDAY=TH;UNTIL=20270128T080000Z",
      lost: ["2026-01-26T08:00:00Z"]),
    Move(
      rule: "FREQ=MONTHLY;BYMONTHDAY=15;UNTIL=20260515", start: "20260115", moved: "20260117",
      becomes: "FREQ=MONTHLY;BYMONTHDAY=17;UNTIL=20260517"),
  ]

  private func edited(_ rule: String, from start: String, to moved: String, _ more: [String] = [])
    throws -> LinkedChange
  {
    try moveSeries(itemText(seriesLines(rule, from: start) + more), to: moved)
  }

  private func dates(_ change: LinkedChange) -> (lost: [String], added: [String]) {
    var dates: (lost: [String], added: [String]) = ([], [])
    for note in change.notes {
      if case .occurrencesLost(let names) = note { dates.lost += names }
      if case .occurrencesAdded(let names) = note { dates.added += names }
    }
    return dates
  }

  @Test(arguments: moves)
  func `what a moved rule loses or has beyond is named`(move: Move) throws {
    let change = try edited(move.rule, from: move.start, to: move.moved)
    #expect(change.rule == move.becomes)
    let (lost, added) = dates(change)
    #expect(lost == move.lost)
    #expect(added == move.added)
  }

  @Test func `of a series without an end the first ones are named`() throws {
    let change = try edited("FREQ=MONTHLY;BYMONTHDAY=28", from: "20260128", to: "20260130")
    #expect(
      change.notes.map(\.description) == [
        "the rule follows the new start: FREQ=MONTHLY;BYMONTHDAY=28 is now "
          + "FREQ=MONTHLY;BYMONTHDAY=30",
        "the moved series has nothing in the place of 2026-02-28, 2027-02-28, 2028-02-28 "
          + "and later ones",
      ])
    // Leap days alone: each year from 2029 on but every fourth has no counterpart.
    let leap = try edited("FREQ=YEARLY", from: "20280301", to: "20280229")
    #expect(dates(leap).lost.prefix(4) == ["2029-03-01", "2030-03-01", "2031-03-01", "2033-03-01"])
    #expect(dates(leap).added.isEmpty)
  }

  @Test func `what was deleted before is not lost`() throws {
    let change = try edited(
      "FREQ=MONTHLY;COUNT=3", from: "20260128", to: "20260130",
      ["EXDATE;VALUE=DATE:20260228"])
    let (lost, added) = dates(change)
    #expect(lost.isEmpty)
    #expect(added == ["2026-04-30"])
  }
}
