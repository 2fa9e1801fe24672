import ICalendar
import Recurrence
import Testing

/// The words for a rule, and that there are none where words would say something else.
struct RuleInWordsTests {
  /// DTSTART is Monday 5 January 2026, 09:00.
  private func words(_ rule: String, isAllDay: Bool = false) throws -> String? {
    var notes: [ValueNote] = []
    let date = try #require(CivilDate(year: 2026, month: 1, day: 5))
    let start =
      isAllDay
      ? CivilDateTime(startOf: date) : CivilDateTime(date, hour: 9, minute: 0, second: 0)
    return RuleInWords(
      rule: try RecurrenceRule.read(Array(rule.utf8), notes: &notes), start: try #require(start),
      isAllDay: isAllDay,
      // One hour east of Greenwich.
      wall: { CivilDateTime(secondsSince1970: $0.secondsSince1970 + 3600) }
    ).text
  }

  @Test(arguments: [
    ("FREQ=DAILY", "daily"),
    ("FREQ=DAILY;INTERVAL=3;COUNT=5", "every 3 days 5 times"),
    ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "daily on weekdays (Monday to Friday)"),
    ("FREQ=DAILY;BYMONTH=1,2", "daily in January and February"),
    ("FREQ=WEEKLY", "weekly on Monday"),
    ("FREQ=WEEKLY;BYDAY=WE,MO", "weekly on Monday and Wednesday"),
    ("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU", "every 2 weeks on Tuesday"),
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU",
      "every 2 weeks on Tuesday and Sunday (weeks start on Sunday)"
    ),
    ("FREQ=MONTHLY", "monthly on day 5"),
    ("FREQ=MONTHLY;BYMONTHDAY=1,15", "monthly on day 1 and 15"),
    ("FREQ=MONTHLY;BYMONTHDAY=-1", "monthly on the last day"),
    ("FREQ=MONTHLY;BYMONTHDAY=-2", "monthly on the 2nd last day"),
    ("FREQ=MONTHLY;BYDAY=2TU", "monthly on the second Tuesday"),
    ("FREQ=MONTHLY;BYDAY=-1FR", "monthly on the last Friday"),
    ("FREQ=MONTHLY;BYDAY=TU,-1FR", nil),
    ("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "monthly on day 13 if it is a Friday"),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
      "monthly on the last weekday (Monday to Friday)"
    ),
    ("FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1", "monthly on the first Saturday or Sunday"),
    ("FREQ=YEARLY", "yearly on day 5 of January"),
    ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25", "yearly on day 25 of December"),
    ("FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "yearly on the last Sunday of March"),
    ("FREQ=YEARLY;BYDAY=20MO", "yearly on the 20th Monday of the year"),
    ("FREQ=YEARLY;BYYEARDAY=100", "yearly on day 100 of the year"),
    ("FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", nil),
    ("FREQ=HOURLY;INTERVAL=2", "every 2 hours"),
    ("FREQ=HOURLY;BYDAY=MO", nil),
    ("FREQ=DAILY;BYHOUR=9,17", "daily at 09:00 and 17:00"),
    ("FREQ=DAILY;BYHOUR=9;BYSECOND=1,2", nil),
    ("FREQ=WEEKLY;COUNT=1", "weekly on Monday once"),
    ("FREQ=WEEKLY;COUNT=3;UNTIL=20260301T000000Z", nil),
    ("FREQ=WEEKLY;RSCALE=GREGORIAN;X-PART=1", nil),
  ])
  func `a rule in words`(rule: String, expected: String?) throws {
    #expect(try words(rule) == expected)
  }

  @Test(arguments: [
    // 08:00 UTC is 09:00 there: the occurrence of that day counts.
    ("FREQ=WEEKLY;UNTIL=20260202T080000Z", "weekly on Monday until 2 February 2026"),
    ("FREQ=WEEKLY;UNTIL=20260202T075959Z", "weekly on Monday until 2 February 2026, 08:59:59"),
    // Midnight there is the end of the day before in UTC.
    ("FREQ=WEEKLY;UNTIL=20260201T230000Z", "weekly on Monday until 2 February 2026, 00:00"),
    // A date is its midnight for a timed event, so the day itself does not count.
    ("FREQ=WEEKLY;UNTIL=20260202", "weekly on Monday until 2 February 2026, 00:00"),
  ])
  func `the end says whether its day counts`(rule: String, expected: String) throws {
    #expect(try words(rule) == expected)
  }

  @Test func `of whole days a date is the last day`() throws {
    #expect(
      try words("FREQ=WEEKLY;UNTIL=20260202", isAllDay: true)
        == "weekly on Monday until 2 February 2026")
    #expect(try words("FREQ=DAILY;BYHOUR=9", isAllDay: true) == "daily")
  }
}
