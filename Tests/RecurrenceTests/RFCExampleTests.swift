import Testing

/// The examples of RFC 5545 §3.8.5.3, in its order: a first word on each, DTSTART and RRULE. Those
/// in a zone are in America/New_York.
@Suite struct RFCExampleTests {
  static let examples = [
    ("daily, 10 times", "19970902T090000", "FREQ=DAILY;COUNT=10"),
    ("daily until December 24", "19970902T090000", "FREQ=DAILY;UNTIL=19971224T000000Z"),
    ("every other day", "19970902T090000", "FREQ=DAILY;INTERVAL=2"),
    ("every 10 days, 5 times", "19970902T090000", "FREQ=DAILY;INTERVAL=10;COUNT=5"),
    (
      "every day in January", "19980101T090000",
      "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA"
    ),
    ("or", "19980101T090000", "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1"),
    ("weekly, 10 times", "19970902T090000", "FREQ=WEEKLY;COUNT=10"),
    ("weekly until December 24", "19970902T090000", "FREQ=WEEKLY;UNTIL=19971224T000000Z"),
    ("every other week", "19970902T090000", "FREQ=WEEKLY;INTERVAL=2;WKST=SU"),
    (
      "Tuesday and Thursday for five weeks", "19970902T090000",
      "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH"
    ),
    ("or", "19970902T090000", "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH"),
    (
      "every other week on three days", "19970901T090000",
      "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR"
    ),
    (
      "every other week on two days, 8 times", "19970902T090000",
      "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH"
    ),
    ("first Friday, 10 times", "19970905T090000", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR"),
    (
      "first Friday until December 24", "19970905T090000",
      "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR"
    ),
    (
      "first and last Sunday of every other month", "19970907T090000",
      "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU"
    ),
    ("second-to-last Monday", "19970922T090000", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO"),
    ("third-to-the-last day", "19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3"),
    ("2nd and 15th", "19970902T090000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15"),
    ("first and last day", "19970930T090000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1"),
    (
      "every 18 months", "19970910T090000",
      "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15"
    ),
    ("every Tuesday, every other month", "19970902T090000", "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU"),
    ("June and July", "19970610T090000", "FREQ=YEARLY;COUNT=10;BYMONTH=6,7"),
    ("every other year", "19970310T090000", "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3"),
    (
      "every third year", "19970101T090000",
      "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200"
    ),
    ("20th Monday", "19970519T090000", "FREQ=YEARLY;BYDAY=20MO"),
    ("Monday of week 20", "19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO"),
    ("Thursdays in March", "19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH"),
    ("Thursdays in summer", "19970605T090000", "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8"),
    ("Friday the 13th", "19970902T090000", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13"),
    (
      "Saturday after the first Sunday", "19970913T090000",
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13"
    ),
    (
      "Election Day", "19961105T090000",
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8"
    ),
    ("third instance", "19970904T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3"),
    ("second-to-last weekday", "19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2"),
    ("every 3 hours", "19970902T090000", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z"),
    ("every 15 minutes", "19970902T090000", "FREQ=MINUTELY;INTERVAL=15;COUNT=6"),
    ("every hour and a half", "19970902T090000", "FREQ=MINUTELY;INTERVAL=90;COUNT=4"),
    (
      "every 20 minutes", "19970902T090000",
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40"
    ),
    ("or", "19970902T090000", "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16"),
    ("weeks from Monday", "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO"),
    ("weeks from Sunday", "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU"),
    ("February 30", "20070115T090000", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5"),
  ]

  @Test func `every example of the RFC has its dates in a fixture`() throws {
    let fixtures = try RuleFixture.all(in: "rfc5545-3.8.5.3.rrule")
    let expected = Self.examples.map { _, start, rule in
      ["DTSTART;TZID=America/New_York:" + start, "RRULE:" + rule]
    }
    let found = fixtures.filter { !$0.name.hasSuffix("as-meant") }.map { fixture in
      fixture.components[0].filter { !$0.hasPrefix("EXDATE") }
    }
    #expect(found.map { $0.sorted() } == expected.map { $0.sorted() })
    #expect(Self.examples.count == 42)
    for fixture in fixtures { #expect(fixture.expected.count >= 2, "\(fixture.name)") }
  }
}
