import ICalendar
import Recurrence
import TestSupport
import Testing

/// Items from outside that are made to be slow: many of everything that recurs.
@Suite(.serialized) struct HostileSetTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var event = ["DTSTART:20260101T090000Z", "RRULE:FREQ=HOURLY"]
    var overrides: [String] = []
    var zone: [String] = []

    var text: String {
      let main = ["BEGIN:VEVENT", "UID:1"] + event + ["END:VEVENT"]
      let lines = ["BEGIN:VCALENDAR"] + zone + main + overrides + ["END:VCALENDAR", ""]
      return lines.joined(separator: "\n")
    }
  }

  private static let start = 1_767_258_000

  private static func times(_ name: String, _ count: Int) -> [String] {
    (0..<count).compactMap {
      CivilDateTime(secondsSince1970: start + $0 * 7200)
        .map { name + DateTime.utc($0).value }
    }
  }

  private static func overrides(_ range: String, _ count: Int) -> [String] {
    zip(times("RECURRENCE-ID\(range):", count), times("DTSTART:", count + 1).dropFirst())
      .flatMap { ["BEGIN:VEVENT", "UID:1", $0, $1, "END:VEVENT"] }
  }

  private static func zone(_ rule: String, _ count: Int) -> [String] {
    let observances = (0..<count).flatMap {
      [
        "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0\($0 % 10)00", "RRULE:" + rule, "END:STANDARD",
      ]
    }
    return ["BEGIN:VTIMEZONE", "TZID:X"] + observances + ["END:VTIMEZONE"]
  }

  private static let utc = "DTSTART:20260101T090000Z"
  private static let zoned = ["DTSTART;TZID=X:20260101T090000", "RRULE:FREQ=DAILY"]

  static let cases = [
    Case(
      testDescription: "rules",
      event: [utc] + (1...10_000).map { "RRULE:FREQ=DAILY;INTERVAL=\($0)" }),
    Case(
      testDescription: "rules that never match",
      event: [utc]
        + Array(repeating: "RRULE:FREQ=SECONDLY;BYMONTHDAY=30;BYMONTH=2", count: 10_000)),
    Case(
      testDescription: "daily rules that never match",
      event: [utc] + Array(repeating: "RRULE:FREQ=DAILY;BYMONTHDAY=31;BYMONTH=4", count: 10_000)),
    Case(
      testDescription: "exclusion rules",
      event: [utc, "RRULE:FREQ=HOURLY"]
        + (1...10_000).map { "EXRULE:FREQ=MINUTELY;INTERVAL=\($0 + 60)" }),
    Case(
      testDescription: "EXDATE",
      event: [utc, "RRULE:FREQ=HOURLY"] + times("EXDATE:", 100_000)),
    Case(testDescription: "RDATE", event: [utc] + times("RDATE:", 100_000)),
    Case(testDescription: "overrides", overrides: overrides("", 10_000)),
    Case(testDescription: "ranges", overrides: overrides(";RANGE=THISANDFUTURE", 10_000)),
    Case(
      testDescription: "observances", event: zoned,
      zone: zone("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", 10_000)),
    Case(
      testDescription: "observances that never come", event: zoned,
      zone: zone("FREQ=SECONDLY;BYMONTHDAY=30;BYMONTH=2", 10_000)),
    Case(
      testDescription: "a zone that is defined ten thousand times", event: zoned,
      zone: Array(repeating: zone("FREQ=DAILY", 1), count: 10_000).flatMap { $0 }),
  ]

  /// Far above what each takes (a tenth of a second in a release build), and far below what a time
  /// that grows with the square would be.
  private static let patience = Duration.seconds(20)

  @Test(arguments: cases)
  func `many of one thing end in time`(one: Case) {
    let bytes = Array(one.text.utf8)
    for window in [
      OccurrenceWindow.all, OccurrenceWindow(from: Self.start, to: Self.start + 86_400),
    ] {
      var count = 0
      let time = threadTime {
        var findings: [ScheduleFinding] = []
        let object = CalendarObject(SyntaxTree(bytes: bytes))
        let set = RecurrenceSet(object, catalog: .system, findings: &findings)
        for _ in set.occurrences(in: window).prefix(10_000) { count += 1 }
      }
      #expect(count > 0)
      #expect(time < Self.patience, "\(window)")
    }
  }

  @Test func `rules beyond the limit are found and left out`() {
    let more = (1...25).map { "RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=\($0);COUNT=2" }
    let one = Case(testDescription: "", event: [Self.utc] + more)
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: Array(one.text.utf8)))
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    #expect(findings.map(\.kind) == Array(repeating: .repeated, count: 5))
    #expect(findings.map(\.line) == [25, 26, 27, 28, 29])
    // DTSTART, and one of each rule.
    #expect(Array(set.occurrences(in: .all)).count == 1 + Schedule.ruleLimit)
  }

  @Test(arguments: ["HOURLY", "SECONDLY"])
  func `a search among occurrences that are all excluded ends`(frequency: String) {
    let rules = ["RRULE:FREQ=\(frequency)", "EXRULE:FREQ=\(frequency);INTERVAL=1"]
    let one = Case(testDescription: "", event: [Self.utc] + rules)
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: Array(one.text.utf8)))
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    var found = set.occurrences(in: .all)
    #expect(found.next() == nil)
    #expect(found.limits == [.allExcluded])
    #expect(found.next() == nil)
  }

  @Test func `an exclusion rule is found again after years of its steps`() {
    let rules = ["RRULE:FREQ=YEARLY", "EXRULE:FREQ=SECONDLY;INTERVAL=7"]
    let one = Case(testDescription: "", event: [Self.utc] + rules)
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: Array(one.text.utf8)))
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    let days = (0..<100).map { year in
      (Gregorian.day(year: 2026 + year, month: 1, day: 1)
        - Gregorian.day(year: 2026, month: 1, day: 1))
    }
    // Seven divides the seconds only where it divides the days.
    let expected = days.filter { ($0 * 86_400) % 7 != 0 }.map { Self.start + $0 * 86_400 }
    let found = set.occurrences(in: .all).prefix(expected.count).map(\.start.instant)
    #expect(Array(found) == expected)
  }

  @Test func `ranges beyond the limit count for one occurrence`() {
    let one = Case(testDescription: "", overrides: Self.overrides(";RANGE=THISANDFUTURE", 103))
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: Array(one.text.utf8)))
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    #expect(set.problems == [.rangeLeftOut(100), .rangeLeftOut(101), .rangeLeftOut(102)])
  }
}
