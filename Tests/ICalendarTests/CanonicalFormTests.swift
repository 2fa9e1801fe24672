import ICalendar
import TestSupport
import Testing

@Suite struct CanonicalFormTests {
  /// Two ways to write the inside of a VEVENT, one line each; ` | ` is a line end.
  struct Pair: Sendable, CustomTestStringConvertible {
    let what: String
    let left: String
    let right: String
    var testDescription: String { what }

    init(_ what: String, _ left: String, _ right: String) {
      self.what = what
      self.left = left
      self.right = right
    }
  }

  private func event(_ inside: String) -> [UInt8] {
    canonical("BEGIN:VCALENDAR | BEGIN:VEVENT | \(inside) | END:VEVENT | END:VCALENDAR")
  }

  private func canonical(_ source: String) -> [UInt8] {
    let lines = utf8(source.split(separator: " | ").joined(separator: "\r\n") + "\r\n")
    return canonicalForm(of: SyntaxTree(bytes: lines))
  }

  static let same = [
    Pair("folds", "SUMMARY:Dentist", "SUMM |  ARY:Den | \u{9}tist"),
    Pair("case of a property's name", "SUMMARY:x", "summary:x"),
    Pair("case of a parameter's name", "DTSTART;TZID=A:1", "DTSTART;tzid=A:1"),
    Pair("order of lines of two names", "SUMMARY:x | LOCATION:y", "LOCATION:y | SUMMARY:x"),
    Pair("DTSTAMP", "DTSTAMP:20260101T000000Z | SUMMARY:x", "SUMMARY:x"),
    Pair("order of parameters", "A;B=1;C=2:x", "A;C=2;B=1:x"),
    Pair("quotes that are not needed", "A;CN=Jane:x", "A;CN=\"Jane\":x"),
    Pair("quotes around nothing", "A;CN=:x", "A;CN=\"\":x"),
    Pair("blanks at the end of a line", "SUMMARY:x", "SUMMARY:x \u{9}"),
    Pair("order of rule parts", "RRULE:FREQ=DAILY;COUNT=3", "RRULE:COUNT=3;FREQ=DAILY"),
    Pair("minutes for hours", "DURATION:PT60M", "DURATION:PT1H"),
    Pair("zeros in a length", "TRIGGER:-PT30M", "TRIGGER:-P0DT0H30M0S"),
    Pair("weeks for days", "DURATION:P1W", "DURATION:P7D"),
    Pair("case of an address's scheme", "ATTENDEE;CN=A:mailto:a@b", "ATTENDEE;CN=A:MAILTO:a@b"),
    Pair("case of rule keywords", "RRULE:FREQ=WEEKLY;BYDAY=MO", "RRULE:freq=weekly;byday=mo"),
    Pair(
      "default type of DTSTART", "DTSTART:20260101T000000",
      "DTSTART;VALUE=DATE-TIME:20260101T000000"),
    Pair("default type beside a zone", "DTSTART;TZID=A:1", "DTSTART;VALUE=\"date-time\";TZID=A:1"),
    Pair("default type of SUMMARY", "SUMMARY:x", "SUMMARY;VALUE=TEXT:x"),
    Pair("default type of TRIGGER", "TRIGGER:-PT5M", "TRIGGER;VALUE=DURATION:-PT5M"),
    Pair("case of a line break", #"SUMMARY:a\Nb\\\Nc"#, #"SUMMARY:a\nb\\\nc"#),
    Pair("case of a line break in an X- line", #"X-A;VALUE=TEXT:a\N"#, #"X-A:a\n"#),
    Pair("default type of an X- line", "X-A:x", "X-A;VALUE=TEXT:x"),
    Pair(
      "order of sub-components of two kinds",
      "BEGIN:VALARM | END:VALARM | BEGIN:X-A | END:X-A",
      "BEGIN:X-A | END:X-A | BEGIN:VALARM | END:VALARM"),
    Pair(
      "a line between sub-components", "BEGIN:VALARM | END:VALARM | A:1",
      "A:1 | BEGIN:VALARM | END:VALARM"),
    Pair(
      "order of alarms with UIDs",
      "BEGIN:VALARM | UID:1 | END:VALARM | BEGIN:VALARM | UID:2 | END:VALARM",
      "BEGIN:VALARM | UID:2 | END:VALARM | BEGIN:VALARM | UID:1 | END:VALARM"),
  ]

  @Test(arguments: same)
  func `does not count`(pair: Pair) {
    #expect(event(pair.left) == event(pair.right))
  }

  static let different = [
    Pair("a letter of a value", "SUMMARY:x", "SUMMARY:X"),
    Pair("case of a letter after a backslash", #"SUMMARY:a\\N"#, #"SUMMARY:a\\n"#),
    Pair("case of a break in what is no text", #"URL:a\N"#, #"URL:a\n"#),
    Pair("blanks in front of a value", "SUMMARY:x", "SUMMARY: x"),
    Pair("a line", "SUMMARY:x", "SUMMARY:x | COMMENT:y"),
    Pair("order of lines of one name", "COMMENT:a | COMMENT:b", "COMMENT:b | COMMENT:a"),
    Pair("one line twice", "COMMENT:a", "COMMENT:a | COMMENT:a"),
    Pair("an X- line", "SUMMARY:x", "SUMMARY:x | X-A:"),
    Pair("a parameter", "A;B=1:x", "A:x"),
    Pair("case of a parameter's value", "A;B=a:x", "A;B=A:x"),
    Pair("order of parameters of one name", "A;B=1;B=2:x", "A;B=2;B=1:x"),
    Pair("order of a parameter's values", "A;B=1,2:x", "A;B=2,1:x"),
    Pair("a comma inside quotes", "A;B=1,2:x", "A;B=\"1,2\":x"),
    Pair("a semicolon inside quotes", "A;B=\"1;C=2\":x", "A;B=1;C=2:x"),
    Pair("type that is no default", "DTSTART;VALUE=DATE:20260101", "DTSTART:20260101"),
    Pair("another property's default type", "TRIGGER;VALUE=DATE-TIME:1", "TRIGGER:1"),
    Pair("LAST-MODIFIED", "LAST-MODIFIED:20260101T000000Z", "LAST-MODIFIED:20260102T000000Z"),
    Pair("SEQUENCE", "SEQUENCE:0", "SEQUENCE:1"),
    Pair("CREATED", "CREATED:20260101T000000Z", "X:1"),
    Pair(
      "order in a list of rule days", "RRULE:FREQ=DAILY;BYDAY=MO,TU", "RRULE:FREQ=DAILY;BYDAY=TU,MO"
    ),
    Pair("case of a part that is no rule's", "RRULE:FREQ=DAILY;X-A=b", "RRULE:FREQ=DAILY;X-A=B"),
    Pair("a day and 24 hours (RFC 5545 §3.3.6)", "DURATION:P1D", "DURATION:PT24H"),
    Pair("a length's sign", "TRIGGER:-PT5M", "TRIGGER:PT5M"),
    Pair("a length beyond all limits", "DURATION:P9000000D", "DURATION:P9000001D"),
    Pair("a length that is none", "DURATION:PT", "DURATION:P"),
    Pair("case of an address", "ORGANIZER:mailto:a@b", "ORGANIZER:mailto:A@b"),
    Pair("a length in a text", "COMMENT:PT60M", "COMMENT:PT1H"),
    Pair("escapes", "SUMMARY:a,b", "SUMMARY:a\\,b"),
    Pair("Unicode normalisation", "SUMMARY:\u{E9}", "SUMMARY:e\u{301}"),
    Pair(
      "order of alarms without UIDs",
      "BEGIN:VALARM | A:1 | END:VALARM | BEGIN:VALARM | A:2 | END:VALARM",
      "BEGIN:VALARM | A:2 | END:VALARM | BEGIN:VALARM | A:1 | END:VALARM"),
    Pair(
      "which alarm a line belongs to",
      "BEGIN:VALARM | A:1 | B:1 | END:VALARM | BEGIN:VALARM | END:VALARM",
      "BEGIN:VALARM | A:1 | END:VALARM | BEGIN:VALARM | B:1 | END:VALARM"),
    Pair("event or alarm", "A:1 | BEGIN:VALARM | END:VALARM", "BEGIN:VALARM | A:1 | END:VALARM"),
    Pair("a line that cannot be read", "NO COLON", "NO  COLON"),
    Pair("order of lines that cannot be read", "NO A | NO B", "NO B | NO A"),
    Pair("a parameter that cannot be read", "A;B;C:1", "A;C;B:1"),
    Pair("a quote inside a value", "A;B=x\"y\":1", "A;B=xy:1"),
    Pair("a missing END", "BEGIN:VALARM | END:VALARM", "BEGIN:VALARM"),
    Pair("a stray END", "A:1", "A:1 | END:X"),
    Pair("where a stray END is", "A:1 | END:X | B:2", "A:1 | B:2 | END:X"),
  ]

  @Test(arguments: different)
  func `counts`(pair: Pair) {
    #expect(event(pair.left) != event(pair.right))
  }

  static let sameCalendars = [
    Pair("PRODID", "BEGIN:VCALENDAR | PRODID:a | END:VCALENDAR", "BEGIN:VCALENDAR | END:VCALENDAR"),
    Pair(
      "the default of CALSCALE", "BEGIN:VCALENDAR | CALSCALE:gregorian | END:VCALENDAR",
      "BEGIN:VCALENDAR | END:VCALENDAR"),
    Pair(
      "a VERSION that is not said", "BEGIN:VCALENDAR | VERSION:2.0 | END:VCALENDAR",
      "BEGIN:VCALENDAR | END:VCALENDAR"),
    Pair(
      "case of a component's name", "BEGIN:VCALENDAR | END:VCALENDAR",
      "begin:vcalendar | End:vcalendar "),
    Pair("a byte order mark", "BEGIN:A | END:A", "\u{FEFF}BEGIN:A | END:A"),
    Pair(
      "order of overrides",
      "BEGIN:VEVENT | UID:1 | RECURRENCE-ID:1 | END:VEVENT | BEGIN:VEVENT | UID:1 | END:VEVENT",
      "BEGIN:VEVENT | UID:1 | END:VEVENT | BEGIN:VEVENT | RECURRENCE-ID:1 | UID:1 | END:VEVENT"),
    Pair(
      "order of time zones",
      "BEGIN:VTIMEZONE | TZID:A | END:VTIMEZONE | BEGIN:VTIMEZONE | TZID:B | END:VTIMEZONE",
      "BEGIN:VTIMEZONE | TZID:B | END:VTIMEZONE | BEGIN:VTIMEZONE | TZID:A | END:VTIMEZONE"),
  ]

  @Test(arguments: sameCalendars)
  func `does not count in a calendar`(pair: Pair) {
    #expect(canonical(pair.left) == canonical(pair.right))
  }

  static let differentCalendars = [
    Pair(
      "METHOD", "BEGIN:VCALENDAR | METHOD:REQUEST | END:VCALENDAR",
      "BEGIN:VCALENDAR | END:VCALENDAR"),
    Pair(
      "VERSION", "BEGIN:VCALENDAR | VERSION:1.0 | END:VCALENDAR",
      "BEGIN:VCALENDAR | VERSION:2.0 | END:VCALENDAR"),
    Pair(
      "VERSION 1.0", "BEGIN:VCALENDAR | VERSION:1.0 | END:VCALENDAR",
      "BEGIN:VCALENDAR | END:VCALENDAR"),
    Pair(
      "VERSION elsewhere", "BEGIN:VEVENT | VERSION:2.0 | END:VEVENT", "BEGIN:VEVENT | END:VEVENT"),
    Pair(
      "another CALSCALE", "BEGIN:VCALENDAR | CALSCALE:X | END:VCALENDAR",
      "BEGIN:VCALENDAR | END:VCALENDAR"),
    Pair("PRODID elsewhere", "BEGIN:VEVENT | PRODID:a | END:VEVENT", "BEGIN:VEVENT | END:VEVENT"),
    Pair(
      "one calendar or two",
      "BEGIN:VCALENDAR | BEGIN:A | END:A | BEGIN:B | END:B | END:VCALENDAR",
      "BEGIN:VCALENDAR | BEGIN:A | END:A | END:VCALENDAR"
        + " | BEGIN:VCALENDAR | BEGIN:B | END:B | END:VCALENDAR"
    ),
    Pair(
      "order of components of one identity",
      "BEGIN:VEVENT | UID:1 | A:1 | END:VEVENT | BEGIN:VEVENT | UID:1 | A:2 | END:VEVENT",
      "BEGIN:VEVENT | UID:1 | A:2 | END:VEVENT | BEGIN:VEVENT | UID:1 | A:1 | END:VEVENT"),
    Pair(
      "text of a time zone",
      "BEGIN:VTIMEZONE | TZID:A | X:1 | END:VTIMEZONE",
      "BEGIN:VTIMEZONE | TZID:A | X:2 | END:VTIMEZONE"),
    Pair("a brace is no border", "BEGIN:A | END:A", "{A | }"),
    Pair("text outside", "BEGIN:A | END:A | hello", "BEGIN:A | END:A"),
  ]

  @Test(arguments: differentCalendars)
  func `counts in a calendar`(pair: Pair) {
    #expect(canonical(pair.left) != canonical(pair.right))
  }

  @Test(arguments: [
    "line-ends-cr", "line-ends-lf", "byte-order-mark", "blank-lines-everywhere",
    "no-final-line-end",
  ])
  func `how a file is laid out does not count`(name: String) {
    let plain = SyntaxTree(bytes: Fixture.named("plain-event"))
    #expect(canonicalForm(of: SyntaxTree(bytes: Fixture.named(name))) == canonicalForm(of: plain))
  }

  @Test func `deep levels that are kept as lines keep their order`() {
    func deep(_ inside: String) -> [UInt8] {
      let levels = SyntaxTree.depthLimit
      let opening = String(repeating: "BEGIN:X | ", count: levels)
      return canonical(opening + inside + String(repeating: " | END:X", count: levels))
    }
    let one = deep("BEGIN:A | P:1 | END:A | BEGIN:B | Q:1 | END:B")
    let other = deep("BEGIN:A | Q:1 | END:A | BEGIN:B | P:1 | END:B")
    #expect(one != other)
  }

  @Test func `components can be left out, as known time zones`() {
    let tree = SyntaxTree(bytes: Fixture.named("recurring-with-override"))
    let without = canonicalForm(of: tree) { $0.isNamed("VTIMEZONE") }
    #expect(!text(without).contains("TZOFFSETTO"))
    #expect(text(without).contains("SUMMARY:Standup\n"))
  }

  /// The form itself, so that a change of the rule cannot go unnoticed: `canonicalVersion` rises
  /// with it.
  @Test func `version 4 of the form is this`() {
    let source = """
      begin:vcalendar
      version:2.0
      prodid:x
      begin:vevent
      uid:1
      summary;language=de;altrep="cid:a":Hallo,
        Welt
      odd line
      begin:valarm
      end:valarm
      exdate;q:1
      end:vevent
      end:vcalendar
      """
    let form = """
      {VCALENDAR
      {VEVENT
      ?odd line
      EXDATE?;q:1
      SUMMARY;ALTREP="cid:a";LANGUAGE="de":Hallo, Welt
      UID:1
      {VALARM
      }
      }
      }

      """
    #expect(text(canonicalForm(of: SyntaxTree(bytes: utf8(source)))) == form)
    #expect(canonicalVersion == 4)
  }
}
