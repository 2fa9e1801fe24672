import ICalendar
import Testing

@Suite struct ValueTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test(
    arguments: [
      ("P1W", 7, 0, "P1W", []), ("P15DT5H0M20S", 15, 18_020, "P15DT5H0M20S", []),
      ("PT1H", 0, 3600, "PT1H", []), ("-PT15M", 0, -900, "-PT15M", []), ("+P1D", 1, 0, "P1D", []),
      ("PT0S", 0, 0, "PT0S", []), ("P0D", 0, 0, "PT0S", []), ("PT2D", 2, 0, "P2D", [.oddDuration]),
      ("P1W2D", 9, 0, "P9D", [.oddDuration]), ("P1H", 0, 3600, "PT1H", [.oddDuration]),
      ("pt1h", 0, 3600, "PT1H", [.lowerCase]), (" PT1M ", 0, 60, "PT1M", [.surroundingBlanks]),
      ("P1DT", 1, 0, "P1D", [.oddDuration]), ("PT1M1H", 0, 3660, "PT1H1M", [.oddDuration]),
    ] as [(String, Int, Int, String, [ValueNote])])
  func `durations`(
    text: String, days: Int, seconds: Int, printed: String, expected: [ValueNote]
  ) throws {
    var notes: [ValueNote] = []
    let duration = try CivilDuration.read(bytes(text), notes: &notes)
    #expect(duration == CivilDuration(days: days, seconds: seconds))
    #expect(duration.value == printed)
    #expect(notes == expected)
    #expect(try CivilDuration.read(bytes(duration.value), notes: &notes) == duration)
  }

  @Test(arguments: ["", "P", "PT", "1D", "P1", "PD", "P1X", "P-1D", "PT1H ,"])
  func `what is no duration`(text: String) {
    var notes: [ValueNote] = []
    #expect(throws: ValueError.self) { try CivilDuration.read(bytes(text), notes: &notes) }
  }

  @Test func `a duration of many digits is held to ten thousand years`() throws {
    var notes: [ValueNote] = []
    let text = "P" + String(repeating: "9", count: 400) + "W"
    let duration = try CivilDuration.read(bytes(text), notes: &notes)
    #expect(duration.days == CivilDuration.dayLimit)
  }

  @Test(
    arguments: [
      ("+0100", 3600, []), ("-0530", -19_800, []), ("+005736", 3456, []), ("-000001", -1, []),
      ("+5328", 3208, [.oddOffset]), ("+5730", 3450, [.oddOffset]), ("+01:00", 3600, [.oddOffset]),
      ("0100", 3600, [.oddOffset]), ("+01", 3600, [.oddOffset]), ("-0000", 0, []),
    ] as [(String, Int, [ValueNote])])
  func `offsets`(text: String, seconds: Int, expected: [ValueNote]) throws {
    var notes: [ValueNote] = []
    let offset = try UTCOffset.read(bytes(text), notes: &notes)
    #expect(offset.seconds == seconds)
    #expect(notes == expected)
    var again: [ValueNote] = []
    #expect(try UTCOffset.read(bytes(offset.value), notes: &again) == offset)
    #expect(again.isEmpty)
  }

  @Test(arguments: ["", "+", "+1", "+01000000", "+0160", "+9999", "+x100"])
  func `what is no offset`(text: String) {
    var notes: [ValueNote] = []
    #expect(throws: ValueError.notOffset) { try UTCOffset.read(bytes(text), notes: &notes) }
  }

  @Test(
    arguments: [
      ("20260131", nil, "2026-01-31T00:00:00", []),
      ("20260131T235959", nil, "2026-01-31T23:59:59", []),
      ("20260131T235960Z", nil, "2026-01-31T23:59:59", [.leapSecond]),
      ("20260131t080000z", nil, "2026-01-31T08:00:00", [.lowerCase]),
      ("20260131T080000 ", nil, "2026-01-31T08:00:00", [.surroundingBlanks]),
      ("20260131", false, "2026-01-31T00:00:00", [.typeMismatch]),
      ("20260131T080000", true, "2026-01-31T08:00:00", [.typeMismatch]),
    ] as [(String, Bool?, String, [ValueNote])])
  func `dates and times`(
    text: String, isDate: Bool?, civil: String, expected: [ValueNote]
  ) throws {
    var notes: [ValueNote] = []
    let time = try DateTime.read(bytes(text), isDate: isDate, notes: &notes)
    #expect(time.civil.description == civil)
    #expect(notes == expected)
  }

  @Test(arguments: [
    "", "2026", "20260230", "20260001", "20260101T", "20260101T240000", "20260101T0000",
    "20260101T000000ZZ", "20260101 000000", "99990101x", "-0260101",
  ])
  func `what is no date or time`(text: String) {
    var notes: [ValueNote] = []
    #expect(throws: ValueError.self) { try DateTime.read(bytes(text), notes: &notes) }
  }

  @Test func `a zone does not count for a time in UTC`() throws {
    var notes: [ValueNote] = []
    let zone = TimeZoneName("Europe/Vienna")
    let utc = try DateTime.read(bytes("20260101T000000Z"), zone: zone, notes: &notes)
    #expect(utc.zone == nil)
    #expect(notes == [.zoneOnUTC])
    let zoned = try DateTime.read(bytes("20260101T000000"), zone: zone, notes: &notes)
    #expect(zoned.zone == zone)
    #expect(zoned.value == "20260101T000000")
    #expect(utc.value == "20260101T000000Z")
  }

  @Test func `every day of ten thousand years is one more than the day before`() throws {
    var expected = try #require(CivilDate(year: 0, month: 1, day: 1)).daysSince1970
    #expect(expected == -719_528)
    for year in 0...9999 {
      for month in 1...12 {
        let first = try #require(CivilDate(year: year, month: month, day: 1))
        #expect(first.daysSince1970 == expected)
        let next = month == 12 ? (year + 1, 1) : (year, month + 1)
        let last = CivilDate(year: next.0, month: next.1, day: 1).map { $0.daysSince1970 - 1 }
        guard let last else { break }
        #expect(CivilDate(daysSince1970: last)?.month == month)
        expected = last + 1
      }
    }
    #expect(CivilDate(year: 10_000, month: 1, day: 1) == nil)
    #expect(CivilDate(daysSince1970: Int.max) == nil)
  }

  /// Facts of ISO 8601, and of weeks that start on Sunday.
  @Test(arguments: [
    (2026, 1, 1, 2026, 1), (2020, 12, 31, 2020, 53), (2021, 1, 3, 2020, 53), (2021, 1, 4, 2021, 1),
    (2018, 12, 31, 2019, 1), (2024, 12, 30, 2025, 1), (2016, 1, 1, 2015, 53),
  ])
  func `weeks of ISO 8601`(year: Int, month: Int, day: Int, weekYear: Int, number: Int) throws {
    let week = try #require(CivilDate(year: year, month: month, day: day))
      .week(startingOn: .monday)
    #expect(week == (weekYear, number))
  }

  @Test(
    arguments: [
      ("FREQ=DAILY", "FREQ=DAILY", []),
      ("freq=weekly;byday=mo,-1fr", "FREQ=WEEKLY;BYDAY=MO,-1FR", [.lowerCase, .ignoredOrdinal]),
      (" FREQ = MONTHLY ; BYDAY = 1MO , TU ", "FREQ=MONTHLY;BYDAY=1MO,TU", [.surroundingBlanks]),
      ("COUNT=3;INTERVAL=2;FREQ=YEARLY;", "FREQ=YEARLY;COUNT=3;INTERVAL=2", []),
      ("FREQ=DAILY;COUNT=3;COUNT=4", "FREQ=DAILY;COUNT=4", [.repeatedPart]),
      ("FREQ=DAILY;INTERVAL=0", "FREQ=DAILY", [.zeroInterval]),
      ("FREQ=DAILY;BYDAY=", "FREQ=DAILY", [.emptyPart]),
      ("FREQ=DAILY;X-A=b,C", "FREQ=DAILY;X-A=b,C", [.unknownPart]),
      ("FREQ=DAILY;UNTIL=20260101;COUNT=2", "FREQ=DAILY;UNTIL=20260101;COUNT=2", [.countAndUntil]),
      ("FREQ=WEEKLY;BYMONTHDAY=1", "FREQ=WEEKLY;BYMONTHDAY=1", [.misplacedPart]),
      ("FREQ=DAILY;WKST=su;BYSECOND=60", "FREQ=DAILY;BYSECOND=60;WKST=SU", []),
      ("RSCALE=GREGORIAN;FREQ=DAILY;SKIP=OMIT", "FREQ=DAILY", []),
    ] as [(String, String, [ValueNote])])
  func `rules are read as people write them`(
    text: String, printed: String, expected: [ValueNote]
  ) throws {
    var notes: [ValueNote] = []
    let rule = try RecurrenceRule.read(bytes(text), notes: &notes)
    #expect(String(decoding: rule.value, as: UTF8.self) == printed)
    #expect(notes == expected)
    var again: [ValueNote] = []
    #expect(try RecurrenceRule.read(rule.value, notes: &again) == rule)
  }

  @Test(arguments: [
    ("", RuleError.missingFrequency), ("COUNT=3", .missingFrequency),
    ("FREQ=OFTEN", .unknownFrequency), ("FREQ=DAILY;BYHOUR", .notPart(index: 1)),
    ("FREQ=DAILY;BYHOUR=24", .badValue(part: "BYHOUR")),
    ("FREQ=DAILY;BYMONTHDAY=0", .badValue(part: "BYMONTHDAY")),
    ("FREQ=DAILY;BYMONTHDAY=32", .badValue(part: "BYMONTHDAY")),
    ("FREQ=DAILY;BYDAY=54MO", .badValue(part: "BYDAY")),
    ("FREQ=DAILY;BYDAY=0MO", .badValue(part: "BYDAY")),
    ("FREQ=DAILY;BYDAY=M", .badValue(part: "BYDAY")),
    ("FREQ=DAILY;COUNT=0", .badValue(part: "COUNT")),
    ("FREQ=DAILY;COUNT=-1", .badValue(part: "COUNT")),
    ("FREQ=DAILY;INTERVAL=-1", .badValue(part: "INTERVAL")),
    ("FREQ=DAILY;UNTIL=tomorrow", .badValue(part: "UNTIL")),
    ("FREQ=DAILY;BYSETPOS=367", .badValue(part: "BYSETPOS")),
    ("FREQ=DAILY;WKST=XX", .badValue(part: "WKST")),
    ("RSCALE=HEBREW;FREQ=YEARLY", .unsupportedCalendar),
    ("RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD", .unsupportedSkip),
  ])
  func `a rule that cannot be read says why`(text: String, error: RuleError) {
    var notes: [ValueNote] = []
    #expect(throws: error) { try RecurrenceRule.read(bytes(text), notes: &notes) }
    #expect(!error.description.isEmpty)
  }

  @Test func `periods have an end or a duration`() throws {
    var notes: [ValueNote] = []
    let first = try Period.read(bytes("19970101T180000Z/19970102T070000Z"), notes: &notes)
    let second = try Period.read(bytes("19970101T180000Z/PT5H30M"), notes: &notes)
    #expect(first.start == second.start)
    #expect(second.extent == .duration(CivilDuration(days: 0, seconds: 19_800)))
    #expect(throws: ValueError.notPeriod) { try Period.read(bytes("19970101"), notes: &notes) }
    #expect(notes.isEmpty)
  }
}
