import ICalendar
import SyncPlanning
import TestSupport
import Testing

/// Which occurrence something is said of, and once.
@Suite struct DescribeOccurrencesTests {
  private static let nightly = "DTSTART;TZID=Europe/Vienna:20260301T003000 | RRULE:FREQ=DAILY"
  private static let weekly = "DTSTART;TZID=Europe/Vienna:20260302T100000 | RRULE:FREQ=WEEKLY"

  private func words(_ before: [String], _ after: [String]) -> [String] {
    describeChange(
      from: DescribeChangeTests.tree(before), to: DescribeChangeTests.tree(after),
      zones: MergeCase.zones
    ).map(\.words)
  }

  /// What is said in UTC is on the day before in Vienna.
  @Test(arguments: [
    ("EXDATE:20260304T233000Z", "occurrence of 5 March 2026 cancelled"),
    ("EXDATE;TZID=Europe/Vienna:20260305T003000", "occurrence of 5 March 2026 cancelled"),
    ("EXDATE;VALUE=DATE:20260305", "occurrence of 5 March 2026 cancelled"),
    ("RDATE:20260304T234500Z", "date 5 March 2026 added"),
  ])
  func `a date is that of the wall of its series`(line: String, told: String) {
    #expect(words([Self.nightly], ["\(Self.nightly) | \(line)"]) == [told])
  }

  @Test(arguments: [
    "RECURRENCE-ID:20260304T233000Z | DTSTART:20260304T233000Z",
    "RECURRENCE-ID;TZID=Europe/Vienna:20260305T003000 | DTSTART:20260304T233000Z",
  ])
  func `an override has the day of the wall of its series`(times: String) {
    let main = "\(Self.nightly) | SUMMARY:A"
    #expect(
      words([main], [main, "\(times) | SUMMARY:B"])
        == ["occurrence of 5 March 2026: title \"A\" → \"B\""])
  }

  @Test func `in a zone that nobody knows it is the day as written`() {
    let main = "DTSTART;TZID=Nowhere:20260301T003000 | RRULE:FREQ=DAILY"
    #expect(
      words([main], ["\(main) | EXDATE:20260304T233000Z"])
        == ["occurrence of 4 March 2026 cancelled"])
  }

  @Test func `in summer, too, a series that goes to the zone of its wall takes its dates along`() {
    let before = "DTSTART:20260302T090000Z | RRULE:FREQ=WEEKLY | EXDATE:20260706T090000Z"
    let after = "\(Self.weekly) | EXDATE;TZID=Europe/Vienna:20260706T100000"
    #expect(
      words([before], [after])
        == ["start 09:00 (UTC) → 10:00 (Europe/Vienna) on Monday 2 March 2026"])
  }

  @Test func `a series of whole days takes its overrides along`() {
    let override = "RECURRENCE-ID;TZID=Europe/Vienna:20260309T100000"
    let days = "DTSTART;VALUE=DATE:20260302 | RRULE:FREQ=WEEKLY"
    #expect(
      words(
        [Self.weekly, "\(override) | DTSTART;TZID=Europe/Vienna:20260309T100000 | SUMMARY:B"],
        [days, "RECURRENCE-ID;VALUE=DATE:20260309 | DTSTART;VALUE=DATE:20260309 | SUMMARY:B"])
        == ["start Monday 2 March 2026, 10:00 → Monday 2 March 2026"])
  }

  /// It is not like the others again.
  @Test(arguments: [
    "EXDATE;TZID=Europe/Vienna:20260309T100000", "EXDATE:20260309T090000Z",
    "EXDATE;VALUE=DATE:20260309",
  ])
  func `of an occurrence of its own that is cancelled no more is said`(line: String) {
    func series(_ rest: String, _ hour: String = "10") -> String {
      "DTSTART;TZID=Europe/Vienna:20260302T\(hour)0000 | RRULE:FREQ=WEEKLY\(rest)"
    }
    let cancelled = "occurrence of 9 March 2026 cancelled"
    func override(_ day: String, _ range: String = "") -> String {
      "RECURRENCE-ID\(range);TZID=Europe/Vienna:202603\(day)T100000 | SUMMARY:B"
    }
    #expect(words([series(""), override("09")], [series(" | \(line)")]) == [cancelled])
    let moved = line.replacing("T10", with: "T12").replacing("T09", with: "T11")
    #expect(
      words([series(""), override("09")], [series(" | \(moved)", "12")])
        == ["start 10:00 → 12:00 on Monday 2 March 2026", cancelled])
    #expect(
      words([series(""), override("16")], [series(" | \(line)")])
        == [cancelled, "occurrence of 16 March 2026 is like the others again"])
    #expect(
      words([series(""), override("09", ";RANGE=THISANDFUTURE")], [series(" | \(line)")]) == [
        cancelled, "occurrence of 9 March 2026 and all later ones is like the others again",
      ])
  }
}
