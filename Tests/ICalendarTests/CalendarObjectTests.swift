import ICalendar
import Testing

@Suite struct CalendarObjectTests {
  private func object(_ source: String) -> CalendarObject {
    CalendarObject(SyntaxTree(bytes: utf8(source)))
  }

  @Test(arguments: [
    (["VEVENT", "X-COMP"], ["VEVENT"]), (["X-COMP"], ["X-COMP"]), (["VTODO", "VPOLL"], ["VTODO"]),
    (["VEVENT", "VFREEBUSY"], ["VEVENT", "VFREEBUSY"]),
  ])
  func `what stands beside an item is no kind of it`(components: [String], kinds: [String]) {
    let lines = components.map { "BEGIN:\($0)\nUID:a\nEND:\($0)" }.joined(separator: "\n")
    #expect(object("BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR\n").kinds == kinds)
  }

  @Test func `the components of all calendars but time zones are the item`() {
    let object = object(
      """
      BEGIN:VCALENDAR
      BEGIN:VTIMEZONE
      TZID:X
      END:VTIMEZONE
      BEGIN:VEVENT
      UID:a
      RECURRENCE-ID:20260101T000000Z
      SUMMARY:override
      LAST-MODIFIED:20260102T000000Z
      END:VEVENT
      BEGIN:vevent
      uid:a
      DTSTART;TZID=X:20260101T000000
      SEQUENCE:3
      Summary:main\\, first\\nline
      LAST-MODIFIED:19700101T000001Z
      END:vevent
      END:VCALENDAR
      BEGIN:VCALENDAR
      BEGIN:VTODO
      UID:b\\;c
      END:VTODO
      BEGIN:VTODO
      UID:
      END:VTODO
      END:VCALENDAR
      """)
    #expect(object.components.map(\.kind) == ["VEVENT", "VEVENT", "VTODO", "VTODO"])
    #expect(object.uids == [utf8("a"), utf8("b;c")])
    #expect(object.componentsWithoutUID.count == 1)
    #expect(object.kinds == ["VEVENT", "VTODO"])
    #expect(object.summary == "main, first\nline")
    #expect(object.lastModified == 1_767_312_000_000)
    #expect(object.components.map(\.isOverride) == [true, false, false, false])
    #expect(object.components[1].sequence == 3)
    #expect(object.components[1].start?.source == utf8("DTSTART;TZID=X:20260101T000000\n"))
    #expect(object.components[0].recurrenceID?.value == utf8("20260101T000000Z"))
  }

  @Test func `without a main component the first summary counts`() {
    let object = CalendarObject(SyntaxTree(bytes: Fixture.named("override-without-main")))
    #expect(object.summary == "Only me")
    #expect(object.lastModified == nil)
    #expect(self.object("").components.isEmpty)
  }

  /// Seconds as `date -u -d … +%s` gives them.
  @Test(arguments: [
    ("19700101T000000Z", 0), ("19691231T235959Z", -1), ("20000229T120000Z", 951_825_600),
    ("20260315T083000Z", 1_773_563_400), ("99991231T235959Z", 253_402_300_799),
    ("00010101T000000Z", -62_135_596_800), ("20161231T235959Z", 1_483_228_799),
    ("19000301T000000Z", -2_203_891_200),
  ])
  func `a UTC date with time is read`(value: String, seconds: Int64) {
    #expect(UTCDateTime(utf8(value))?.millisecondsSince1970 == seconds * 1000)
  }

  @Test func `a leap second is second 59, as in a DateTime`() throws {
    let value = utf8("20161231T235960Z")
    var notes: [ValueNote] = []
    let civil = try DateTime.read(value, notes: &notes).civil
    #expect(UTCDateTime(value)?.millisecondsSince1970 == 1_483_228_799_000)
    #expect(civil.secondsSince1970 == 1_483_228_799)
  }

  @Test(arguments: [
    (0, "19700101T000000Z"), (-1, "19691231T235959Z"), (253_402_300_799, "99991231T235959Z"),
  ])
  func `a UTC date with time is written`(seconds: Int, value: String) {
    #expect(UTCDateTime(secondsSince1970: seconds)?.value == value)
  }

  @Test(arguments: [Int.min, Int.max, 253_402_300_800, -62_167_219_201])
  func `a second outside of the years 0 to 9999 is none`(seconds: Int) {
    #expect(UTCDateTime(secondsSince1970: seconds) == nil)
  }

  @Test(arguments: [
    "", "20260101", "20260101T000000", "20260101T000000z", "20261301T000000Z", "20260001T000000Z",
    "20260230T000000Z", "20260100T000000Z", "19000229T000000Z", "20260101T240000Z",
    "20260101T006000Z", "20260101T000061Z", "2026-1-1T000000Z", "+0260101T000000Z",
    "20260101 000000Z", "20260101T000000ZZ", "٢0260101T00000Z", "20260431T000000Z",
  ])
  func `what is no UTC date with time is not read`(value: String) {
    #expect(UTCDateTime(utf8(value)) == nil)
  }

  @Test(arguments: [
    (#"a\,b\;c\\d\ne\Nf"#, "a,b;c\\d\ne\nf"), (#"\\n"#, #"\n"#), (#"a\"#, #"a\"#),
    (#"\:\x"#, #"\:\x"#), ("plain", "plain"), ("", ""),
  ])
  func `a text is unescaped`(escaped: String, plain: String) {
    #expect(TextValue(escaped: utf8(escaped)).text == plain)
  }

  @Test(arguments: [
    ("a,b;c\\d\ne", #"a\,b\;c\\d\ne"#), ("a\r\nb\rc", #"a\nb\nc"#), (#"\n"#, #"\\n"#),
    ("x:\"y\"", "x:\"y\""),
  ])
  func `a text is escaped`(plain: String, escaped: String) {
    #expect(TextValue(text: plain).escaped == utf8(escaped))
  }
}
