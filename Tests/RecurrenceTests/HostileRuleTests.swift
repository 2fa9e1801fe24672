import ICalendar
import Recurrence
import Testing

/// Rules from outside that are made to be slow, large or to trap.
@Suite struct HostileRuleTests {
  private func expansion(
    _ start: String, _ rule: String, window: ClosedRange<Int> = Int.min...Int.max
  ) throws -> RuleExpansion {
    var notes: [ValueNote] = []
    return RuleExpansion(
      try RecurrenceRule.read(Array(rule.utf8), notes: &notes),
      start: try DateTime.read(Array(start.utf8), notes: &notes), window: window)
  }

  private func texts(_ expansion: RuleExpansion, _ count: Int) -> [String] {
    expansion.prefix(count).compactMap {
      CivilDateTime(secondsSince1970: $0)?.description
    }
  }

  @Test(arguments: [
    ("20260101", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", ExpansionLimit.wholeCalendarSearched),
    ("20260101", "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=31", .wholeCalendarSearched),
    ("20260101", "FREQ=WEEKLY;BYMONTHDAY=31;BYMONTH=6", .wholeCalendarSearched),
    ("20260101", "FREQ=DAILY;BYMONTH=4;BYMONTHDAY=31", .wholeCalendarSearched),
    ("20260101", "FREQ=MONTHLY;BYSETPOS=5", .wholeCalendarSearched),
    ("20260101T000000", "FREQ=SECONDLY;BYSETPOS=2", .wholeCalendarSearched),
    ("20260101T000000", "FREQ=HOURLY;INTERVAL=2;BYHOUR=1", .stepsMissTheClock),
    ("20260101T000000", "FREQ=MINUTELY;INTERVAL=60;BYMINUTE=30", .stepsMissTheClock),
    ("20260101T000000", "FREQ=SECONDLY;INTERVAL=86400;BYSECOND=1", .stepsMissTheClock),
    ("20260101T000000", "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30", .stepsWithoutOccurrence),
    ("20260101T000000", "FREQ=HOURLY;BYYEARDAY=366;BYMONTH=1", .stepsWithoutOccurrence),
  ])
  func `a rule that never matches ends with a limit`(
    start: String, rule: String, limit: ExpansionLimit
  ) throws {
    var expansion = try expansion(start, rule)
    #expect(expansion.next() != nil, "DTSTART")
    #expect(expansion.next() == nil)
    #expect(expansion.end == .limit(limit) || expansion.end == .calendarEnd)
    #expect(!limit.reason.isEmpty)
  }

  @Test func `steps that miss the clock for long still meet it`() throws {
    // 86,401 seconds drift a second a day: 09:00:01 comes after 9 hours' worth of days.
    let rule = "FREQ=SECONDLY;INTERVAL=86401;BYHOUR=0;BYMINUTE=1;BYSECOND=0"
    #expect(
      texts(try expansion("20260101T000000", rule), 2) == [
        "2026-01-01T00:00:00", "2026-03-02T00:01:00",
      ])
  }

  @Test(arguments: [
    "INTERVAL=9223372036854775808", "INTERVAL=99999999999999999999999999",
    "INTERVAL=1099511627776", "INTERVAL=4611686018427387904",
  ])
  func `huge intervals lead nowhere`(interval: String) throws {
    for frequency in RecurrenceRule.Frequency.allCases {
      let rule = "FREQ=\(frequency.word);\(interval);BYMONTH=1,2;BYDAY=MO,TU,WE,TH,FR,SA,SU"
      var expansion = try expansion("20260101T000000", rule)
      #expect(expansion.next() != nil)
      while expansion.next() != nil {}
      #expect(expansion.end == .calendarEnd)
      var far = try self.expansion(
        "20260101T000000", rule + ";COUNT=99999999999999999999", window: 200_000_000_000...Int.max)
      #expect(far.next() == nil)
    }
  }

  @Test func `the calendar ends with year 9999 and starts with year 0`() throws {
    var last = try expansion("99991230T235959", "FREQ=DAILY")
    #expect(texts(last, 5) == ["9999-12-30T23:59:59", "9999-12-31T23:59:59"])
    while last.next() != nil {}
    #expect(last.end == .calendarEnd)
    #expect(texts(try expansion("00000101", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO"), 2).count == 2)
    for frequency in RecurrenceRule.Frequency.allCases {
      let rule = "FREQ=\(frequency.word);BYDAY=MO,SU;BYMONTH=1,12;BYSETPOS=-1,1"
      #expect(texts(try expansion("00000101T000000", rule), 3).count <= 3)
      #expect(texts(try expansion("99991231T235959", rule), 3) == ["9999-12-31T23:59:59"])
    }
  }

  @Test func `a period of 31 million occurrences costs nothing`() throws {
    let hours = (0..<24).map(String.init).joined(separator: ",")
    let sixty = (0..<60).map(String.init).joined(separator: ",")
    let rule =
      "FREQ=YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE,TH,FR,SA,SU;"
      + "BYHOUR=\(hours);BYMINUTE=\(sixty);BYSECOND=\(sixty)"
    #expect(
      texts(try expansion("20260101T000000", rule + ";BYSETPOS=-1,366,2"), 4) == [
        "2026-01-01T00:00:00", "2026-01-01T00:00:01", "2026-01-01T00:06:05",
        "2026-12-31T23:59:59",
      ])
    // 1 January 2046 is 7,305 days after the start.
    let far = 20 * 365 * 86_400 + 5 * 86_400
    let start = 1_767_225_600
    let window = (start + far)...Int.max
    let left = far + 2
    let counted = texts(
      try expansion("20260101T000000", rule + ";COUNT=\(left)", window: window), 5)
    #expect(counted == ["2046-01-01T00:00:00", "2046-01-01T00:00:01"])
  }

  @Test(arguments: [
    ("FREQ=SECONDLY", 20_000), ("FREQ=SECONDLY;INTERVAL=7", 100_000),
    ("FREQ=SECONDLY;INTERVAL=7;BYHOUR=3,5;BYSECOND=1,2,3", 2_000_000),
    ("FREQ=MINUTELY;INTERVAL=61;BYHOUR=1,2,9", 8_000_000),
    ("FREQ=HOURLY;INTERVAL=5;BYDAY=MO,WE", 8_000_000),
    ("FREQ=SECONDLY;INTERVAL=997;BYMONTH=3,4;BYHOUR=7", 9_000_000),
    ("FREQ=MINUTELY;INTERVAL=7;BYSECOND=1,5,9;BYSETPOS=-1", 2_000_000),
    ("FREQ=MINUTELY;INTERVAL=7;BYHOUR=1;BYSECOND=1,5,9;BYSETPOS=-1,1", 8_000_000),
    ("FREQ=DAILY;BYDAY=MO,FR;BYHOUR=1,2", 80_000_000),
    ("FREQ=WEEKLY;INTERVAL=3;BYDAY=TU,SU;WKST=SU", 300_000_000),
    ("FREQ=WEEKLY;INTERVAL=2", 300_000_000), ("FREQ=DAILY;INTERVAL=3", 80_000_000),
    ("FREQ=MONTHLY;BYMONTHDAY=31,-1", 800_000_000),
    ("FREQ=YEARLY;BYWEEKNO=1,53,-1;BYDAY=MO,SU", 3_000_000_000),
    ("FREQ=MONTHLY;BYDAY=1MO,-1FR;BYSETPOS=2", 800_000_000),
    ("FREQ=SECONDLY;INTERVAL=90000;BYHOUR=3,4", 80_000_000),
  ])
  func `a window far from the start has what walking there gives`(
    rule: String, span: Int
  ) throws {
    let start = 1_767_225_600 + 5400
    let walked = try expansion("20260101T013000", rule, window: Int.min...(start + span))
    let all = Array(walked)
    #expect(all.count > 5)
    for part in [1, span / 97, span / 10, span / 2 + 1, span - span / 50, span - 1] {
      for count in [nil, all.count, max(1, all.count / 2), 1_000_000_000] {
        let from = start + part
        let ending = count.map { ";COUNT=\($0)" } ?? ""
        let expected = all.prefix(count ?? all.count).filter { $0 >= from }
        let found = try expansion(
          "20260101T013000", rule + ending, window: from...(start + span))
        #expect(Array(found) == expected, "\(ending) from \(part)")
      }
    }
  }

  @Test(arguments: [
    ("FREQ=DAILY;COUNT=10", "20260105T090000", 4), ("FREQ=DAILY;COUNT=3", "20260105T090000", 3),
    ("FREQ=DAILY;COUNT=10", "20260101T090000", 0), ("FREQ=DAILY;COUNT=10", "20250101T090000", 0),
    ("FREQ=WEEKLY;BYDAY=MO;COUNT=5", "20260112T090000", 2),
    ("FREQ=SECONDLY;COUNT=4000000000", "20460101T090000", 631_152_000),
  ])
  func `what COUNT has counted before a split`(rule: String, split: String, count: Int) throws {
    var notes: [ValueNote] = []
    let start = try DateTime.read(Array("20260101T090000".utf8), notes: &notes)
    let time = try DateTime.read(Array(split.utf8), notes: &notes).civil
    let rule = try RecurrenceRule.read(Array(rule.utf8), notes: &notes)
    #expect(RuleExpansion.counted(of: rule, start: start, before: time) == count)
  }

  @Test func `no text makes the reader trap`() {
    let pieces = [
      "FREQ=", "DAILY", ";", "=", ",", "BYDAY", "-", "+", "99999999999999999999", "0", "MO", " ",
      "UNTIL=", "2026", "0101T", "\u{FF}", "BYSETPOS=-366", "\r\n", "COUNT=", "é", "RSCALE=",
      "FREQ=SECONDLY;", "BYHOUR=23,", "BYWEEKNO=-53;", "INTERVAL=",
    ]
    var state: UInt64 = 42
    for _ in 0..<20_000 {
      var text = ""
      for _ in 0..<(state % 9) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += pieces[Int(state >> 33) % pieces.count]
      }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      var notes: [ValueNote] = []
      let bytes = Array(text.utf8)
      if let rule = try? RecurrenceRule.read(bytes, notes: &notes),
        let date = CivilDate(year: 2026, month: 1, day: 31)
      {
        let expansion = RuleExpansion(rule, start: .floating(CivilDateTime(startOf: date)))
        #expect(expansion.prefix(3).first(where: { _ in true }) != nil)
      }
      _ = try? DateTime.read(bytes, notes: &notes)
      _ = try? CivilDuration.read(bytes, notes: &notes)
      _ = try? UTCOffset.read(bytes, notes: &notes)
      _ = try? Period.read(bytes, notes: &notes)
    }
  }

  @Test func `a range that begins a thousand years after a rule of seconds is found at once`()
    throws
  {
    let override = """
      BEGIN:VEVENT
      UID:a
      RECURRENCE-ID;RANGE=THISANDFUTURE:30260101T000000Z
      DTSTART:30260101T000001Z
      END:VEVENT

      """
    let set = try set("RRULE:FREQ=SECONDLY", override)
    let first = 33_324_134_400  // date -d 3026-01-01T00:00:00Z +%s
    let found = set.occurrences(in: OccurrenceWindow(from: first - 2, to: first + 4))
    #expect(found.map(\.start.instant) == [-2, -1, 1, 2, 3].map { first + $0 })
  }

  private func set(_ lines: String, _ more: String = "") throws -> RecurrenceSet {
    let text = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:a
      DTSTART:20260101T000000Z
      \(lines)
      END:VEVENT
      \(more)END:VCALENDAR

      """
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: Array(text.utf8)))
    let set = RecurrenceSet(object, catalog: .empty, findings: &findings)
    #expect(findings.isEmpty)
    return set
  }
}
