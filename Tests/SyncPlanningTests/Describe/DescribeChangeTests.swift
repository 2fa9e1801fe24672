import ICalendar
import SyncPlanning
import TestSupport
import Testing

/// What changed, in words for people.
@Suite struct DescribeChangeTests {
  /// Lines of an event before and after, and what is said of them.
  struct Case: Sendable, CustomTestStringConvertible {
    let before: String
    let after: String
    let words: [String]
    var testDescription: String { words.joined(separator: "; ") }

    init(_ before: String, _ after: String, _ words: String...) {
      self.before = before
      self.after = after
      self.words = words
    }
  }

  private static let ten = "DTSTART:20260105T100000Z"
  private static let zoned = "DTSTART;TZID=Europe/Vienna:20260105T100000"
  private static let fair = "DTSTART;VALUE=DATE:20261201"
  private static let weekly = "\(zoned) | RRULE:FREQ=WEEKLY"

  static let cases = [
    Case(ten, "DTSTART:20260105T110000Z", "start 10:00 UTC → 11:00 UTC on Monday 5 January 2026"),
    Case(
      ten, "DTSTART:20260106T100000Z",
      "start Monday 5 January 2026, 10:00 UTC → Tuesday 6 January 2026, 10:00 UTC"),
    Case(
      ten, "DTSTART;VALUE=DATE:20260105",
      "start Monday 5 January 2026, 10:00 UTC → Monday 5 January 2026"),
    Case(
      zoned, "DTSTART;TZID=Europe/Vienna:20260105T110000",
      "start 10:00 → 11:00 on Monday 5 January 2026"),
    Case(
      "DTSTART:20260105T100000", "DTSTART:20260105T110000",
      "start 10:00 → 11:00 on Monday 5 January 2026"),
    Case(
      "\(fair) | DTEND;VALUE=DATE:20261203", "\(fair) | DTEND;VALUE=DATE:20261204",
      "end Wednesday 2 December 2026 → Thursday 3 December 2026"),
    Case(
      fair, "\(fair) | DTEND;VALUE=DATE:20261204", "end Thursday 3 December 2026 added"),
    Case(
      "\(fair) | DTEND;VALUE=DATE:20261202", "\(fair) | DTEND;VALUE=DATE:20261201",
      "end written differently"),
    Case(
      zoned, "DTSTART:20260106T100000Z",
      "start Monday 5 January 2026, 10:00 (Europe/Vienna) → Tuesday 6 January 2026, 10:00 (UTC)"),
    Case(
      zoned, "DTSTART;TZID=Europe/London:20260105T100000",
      "start 10:00 (Europe/Vienna) → 10:00 (Europe/London) on Monday 5 January 2026"),
    Case(
      "\(ten) | DTEND:20260105T110000Z", "\(ten) | DTEND:20260105T113000Z",
      "end 11:00 UTC → 11:30 UTC on Monday 5 January 2026"),
    Case(ten, "\(ten) | DUE;VALUE=DATE:20260109", "due Friday 9 January 2026 added"),
    Case("\(ten) | DURATION:PT1H", "\(ten) | DURATION:PT1H30M", "duration 1 h → 1 h 30 min"),
    Case(
      ten, "DTSTART:20260230T100000Z",
      "start Monday 5 January 2026, 10:00 UTC → 20260230T100000Z (no such time)"),
    Case(
      "DTSTART:20260105T250000Z", ten,
      "start 20260105T250000Z (no such time) → Monday 5 January 2026, 10:00 UTC"),
    Case(
      "\(ten) | DTEND:soon", "\(ten) | DTEND:later",
      "end soon (no such time) → later (no such time)"),
    Case(ten, "\(ten) | DTEND:soon", "end soon (no such time) added"),
    Case("SUMMARY:A", "SUMMARY:B", "title \"A\" → \"B\""),
    Case("SUMMARY:A\\, b", "X:1", "X 1 added", "title \"A, b\" removed"),
    Case("LOCATION:A", "LOCATION:A | SUMMARY:new", "title \"new\" added"),
    Case(
      "DESCRIPTION:one\\ntwo\\nthree\\nfour", "DESCRIPTION:one\\n2\\n3\\nvier",
      "description changed (3 lines)"),
    Case("DESCRIPTION:short", "DESCRIPTION:brief", "description \"short\" → \"brief\""),
    Case("STATUS:TENTATIVE", "STATUS:CONFIRMED", "status TENTATIVE → CONFIRMED"),
    Case(
      "ATTENDEE:mailto:a@x", "ATTENDEE:mailto:a@x | ATTENDEE:mailto:b@x | ATTENDEE:mailto:c@x",
      "2 attendees added"),
    Case("ATTENDEE:mailto:a@x", "SUMMARY:A", "title \"A\" added", "attendee a@x removed"),
    Case(
      "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:a@x", "ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:%61%40x",
      "attendee a@x: needs-action → accepted"),
    Case("CATEGORIES:A,B", "CATEGORIES:A | CATEGORIES:C", "category C added", "category B removed"),
    Case("COMMENT:a", "COMMENT:a | COMMENT:b", "comment added"),
    Case("X-COLOR:red", "X-COLOR:blue", "X-COLOR red → blue"),
    Case(
      weekly, "\(zoned) | RRULE:FREQ=WEEKLY;BYDAY=TU", "weekly on Monday → weekly on Tuesday"),
    Case(
      weekly, "\(zoned) | RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;COUNT=10",
      "weekly on Monday → every 2 weeks on Monday and Friday 10 times"),
    Case(
      "\(ten) | RRULE:FREQ=WEEKLY", "\(ten) | RRULE:FREQ=DAILY;UNTIL=20260301T100000Z",
      "weekly on Monday → daily until 1 March 2026"),
    // Nobody knows what the clock shows in Vienna at that time: the text does not define it.
    Case(
      weekly, "\(zoned) | RRULE:FREQ=DAILY;UNTIL=20260301T090000Z",
      "weekly on Monday → by the rule FREQ=DAILY;UNTIL=20260301T090000Z"),
    Case(
      zoned, "\(zoned) | RRULE:FREQ=MONTHLY;BYDAY=-1FR",
      "repeats monthly on the last Friday now"),
    Case(
      "\(zoned) | RRULE:FREQ=MONTHLY;BYMONTHDAY=2,-1", zoned,
      "repeats no more (monthly on day 2 and the last day)"),
    Case(weekly, "\(zoned) | RRULE:FREQ=YEARLY", "weekly on Monday → yearly on day 5 of January"),
    Case(
      weekly, "\(zoned) | RRULE:FREQ=YEARLY;BYWEEKNO=1",
      "weekly on Monday → by the rule FREQ=YEARLY;BYWEEKNO=1"),
    Case(weekly, "\(zoned) | RRULE:FREQ=WEEKLY;INTERVAL=1"),
    Case(
      weekly, "\(weekly) | EXDATE;TZID=Europe/Vienna:20260112T100000",
      "occurrence of 12 January 2026 cancelled"),
    Case(
      "\(weekly) | EXDATE;TZID=Europe/Vienna:20260112T100000,20260119T100000",
      "\(weekly) | EXDATE;TZID=Europe/Vienna:20260112T100000",
      "occurrence of 19 January 2026 restored"),
    Case(
      ten, "\(ten) | RDATE;VALUE=PERIOD:20260107T090000Z/PT1H30M",
      "date 7 January 2026, 09:00 for 1 h 30 min added"),
    Case(
      "\(ten) | RDATE;VALUE=PERIOD:20260107T090000Z/20260107T100000Z",
      "\(ten) | RDATE;VALUE=PERIOD:20260107T220000Z/20260108T010000Z",
      "date 7 January 2026, 22:00 to 8 January 2026, 01:00 added",
      "date 7 January 2026, 09:00 to 10:00 removed"),
    Case(
      weekly, "\(weekly) | EXDATE:20260112,20260119,20260126,20260202",
      "4 occurrences cancelled"),
    Case(weekly, "\(weekly) | RDATE:20260107T100000", "date 7 January 2026 added"),
    Case(
      "A:1", "A:1 | BEGIN:VALARM | ACTION:DISPLAY | TRIGGER:-PT15M | END:VALARM",
      "alarm 15 min before the start added"),
    Case(
      "A:1 | BEGIN:VALARM | TRIGGER:-PT15M | END:VALARM",
      "A:1 | BEGIN:VALARM | TRIGGER;RELATED=END:P1DT2H | END:VALARM",
      "alarm 15 min before the start → alarm 1 day 2 h after the end"),
    Case("A:1 | BEGIN:VALARM | TRIGGER:PT0S | END:VALARM", "A:1", "alarm at the start removed"),
    Case(
      "A:1 | BEGIN:VALARM | TRIGGER:PT0S | END:VALARM",
      "A:1 | BEGIN:VALARM | UID:a | X-WR-ALARMUID:a | TRIGGER:PT0S | END:VALARM"),
    Case(
      "A:1 | BEGIN:VALARM | UID:a | TRIGGER:PT0S | END:VALARM",
      "A:1 | BEGIN:VALARM | UID:b | TRIGGER:-PT1H | END:VALARM",
      "alarm at the start → alarm 1 h before the start"),
    Case(
      "SEQUENCE:1 | DTSTAMP:20260101T000000Z | summary:A",
      "SUMMARY:A | SEQUENCE:2 | LAST-MODIFIED:20260102T000000Z | CREATED:20260102T000000Z"),
  ]

  private static func tree(_ components: String...) -> SyntaxTree { tree(components) }

  static func tree(_ components: [String]) -> SyntaxTree {
    let inside = components.map { lines in
      lines.hasPrefix("BEGIN:") ? lines : "BEGIN:VEVENT | UID:1 | \(lines) | END:VEVENT"
    }
    let text = "BEGIN:VCALENDAR | \(inside.joined(separator: " | ")) | END:VCALENDAR | "
    return SyntaxTree(bytes: Array(text.replacing(" | ", with: "\r\n").utf8))
  }

  private func words(_ before: SyntaxTree, _ after: SyntaxTree) -> [String] {
    describeChange(from: before, to: after).map(\.words)
  }

  @Test(arguments: cases)
  func `a change is said in words`(one: Case) {
    #expect(words(Self.tree(one.before), Self.tree(one.after)) == one.words)
  }

  private static func occurrence(_ day: Int, _ start: String, _ rest: String = "SUMMARY:A")
    -> String
  {
    "RECURRENCE-ID;TZID=Europe/Vienna:202601\(day)T100000"
      + " | DTSTART;TZID=Europe/Vienna:202601\(start)00 | \(rest)"
  }

  @Test func `occurrences are named by their day`() {
    let main = "\(Self.weekly) | SUMMARY:A"
    let series = Self.tree(main)
    #expect(
      words(series, Self.tree(main, Self.occurrence(12, "13T1400")))
        == ["occurrence of 12 January 2026 moved to Tuesday 13 January 2026, 14:00"])
    #expect(
      words(series, Self.tree(main, Self.occurrence(12, "12T1000", "SUMMARY:B")))
        == ["occurrence of 12 January 2026: title \"A\" → \"B\""])
    let moved = Self.tree(main, Self.occurrence(19, "19T1400"), Self.occurrence(12, "12T1400"))
    #expect(
      words(moved, Self.tree(main, Self.occurrence(12, "12T1500"), Self.occurrence(19, "19T1400")))
        == ["occurrence of 12 January 2026: start 14:00 → 15:00 on Monday 12 January 2026"])
    #expect(
      words(moved, series) == [
        "occurrence of 12 January 2026 is like the others again",
        "occurrence of 19 January 2026 is like the others again",
      ])
  }

  @Test func `of an occurrence that becomes one of its own the end is told, too`() {
    let end = "DTEND;TZID=Europe/Vienna:202601"
    let main = "\(Self.weekly) | \(end)05T110000 | SUMMARY:A"
    func told(_ start: String, _ rest: String) -> [String] {
      words(Self.tree(main), Self.tree(main, Self.occurrence(12, start, rest + " | SUMMARY:A")))
    }
    #expect(
      told("12T1000", "\(end)12T130000")
        == ["occurrence of 12 January 2026: end 11:00 → 13:00 on Monday 12 January 2026"])
    #expect(
      told("12T1200", "\(end)12T150000") == [
        "occurrence of 12 January 2026 moved to Monday 12 January 2026, 12:00",
        "occurrence of 12 January 2026: lasts 1 h → 3 h",
      ])
    #expect(
      told("12T1000", "\(end)12T110000")
        == ["occurrence of 12 January 2026 written out, as the series has it"])
    let later = Self.occurrence(12, "12T1200", "\(end)12T130000 | SUMMARY:A").replacing(
      "RECURRENCE-ID;", with: "RECURRENCE-ID;RANGE=THISANDFUTURE;")
    #expect(
      words(Self.tree(main), Self.tree(main, later)) == [
        "occurrence of 12 January 2026 and all later ones moved to Monday 12 January 2026, 12:00"
      ])
  }

  @Test func `an occurrence that moves with its series is the same one`() {
    func series(_ start: String, _ override: String, _ own: String, _ rest: String = "SUMMARY:B")
      -> SyntaxTree
    {
      Self.tree(
        "DTSTART:20260105T\(start)0000Z | RRULE:FREQ=WEEKLY | SUMMARY:A",
        "RECURRENCE-ID:20260112T\(override)0000Z | DTSTART:20260112T\(own)0000Z | \(rest)")
    }
    let moved = "start 09:00 UTC → 10:00 UTC on Monday 5 January 2026"
    #expect(words(series("09", "09", "12"), series("10", "10", "13")) == [moved])
    #expect(
      words(series("09", "09", "12"), series("10", "10", "13", "SUMMARY:C")) == [
        moved, "occurrence of 12 January 2026: title \"B\" → \"C\"",
      ])
    #expect(words(series("09", "09", "12"), series("10", "10", "12")) == [moved])
  }

  @Test func `occurrences that move by a day with a daily series are the same ones`() {
    func main(_ day: Int) -> String {
      "DTSTART:202601\(day)T090000Z | RRULE:FREQ=DAILY | SUMMARY:A"
    }
    func occurrence(_ day: Int, _ title: String) -> String {
      "RECURRENCE-ID:202601\(day)T090000Z | DTSTART:202601\(day)T090000Z | SUMMARY:\(title)"
    }
    let before = Self.tree(main(12), occurrence(14, "B"), occurrence(15, "C"))
    let after = Self.tree(main(13), occurrence(15, "B"), occurrence(16, "C"))
    #expect(words(before, after) == words(Self.tree(main(12)), Self.tree(main(13))))
  }

  @Test(arguments: [
    (";TZID=Europe/Vienna:20260105T110000", ";TZID=Europe/Vienna:20260112T110000,20260119T110000"),
    (";TZID=Europe/Vienna:20260106T100000", ";TZID=Europe/Vienna:20260113T100000,20260120T100000"),
    (";TZID=Europe/Vienna:20260112T100000", ";TZID=Europe/Vienna:20260119T100000,20260126T100000"),
    (";TZID=Europe/London:20260105T100000", ";TZID=Europe/London:20260112T100000,20260119T100000"),
    (";VALUE=DATE:20260105", ";VALUE=DATE:20260112,20260119"),
  ])
  func `of the dates that move with their series nothing is said`(start: String, dates: String) {
    for name in ["EXDATE", "RDATE"] {
      let before = Self.tree(
        "\(Self.weekly) | \(name);TZID=Europe/Vienna:20260112T100000,20260119T100000")
      let after = Self.tree("DTSTART\(start) | RRULE:FREQ=WEEKLY | \(name)\(dates)")
      for told in [words(before, after), words(after, before)] {
        #expect(told.count == 1 && told.allSatisfy { $0.hasPrefix("start ") }, "\(told)")
      }
    }
  }

  @Test func `what is cancelled or restored beside a move is said`() {
    let exception = "EXDATE;TZID=Europe/Vienna:202601"
    let before = Self.tree("\(Self.weekly) | \(exception)12T100000,20260119T100000")
    let after = Self.tree(
      "DTSTART;TZID=Europe/Vienna:20260105T110000 | RRULE:FREQ=WEEKLY"
        + " | \(exception)12T110000,20260126T110000")
    #expect(
      words(before, after) == [
        "start 10:00 → 11:00 on Monday 5 January 2026",
        "occurrence of 26 January 2026 cancelled", "occurrence of 19 January 2026 restored",
      ])
  }

  @Test func `another UID of an alarm is told as what does not count`() {
    let alarm = "A:1 | BEGIN:VALARM | TRIGGER:PT0S | END:VALARM"
    let named = "A:1 | BEGIN:VALARM | UID:a | TRIGGER:PT0S | END:VALARM"
    #expect(
      describeTouch(from: Self.tree(alarm), to: Self.tree(named))?.words
        == "only its revision data (UID of an alarm)")
  }

  @Test func `an override in another spelling is the same one`() {
    let zone = """
      BEGIN:VTIMEZONE | TZID:Europe/Vienna | BEGIN:STANDARD | DTSTART:19700101T000000\
       | TZOFFSETFROM:+0100 | TZOFFSETTO:+0100 | END:STANDARD | END:VTIMEZONE
      """
    let main = "\(Self.weekly) | SUMMARY:A"
    let override = Self.occurrence(12, "12T1400")
    let spelt = override.replacing(
      "RECURRENCE-ID;TZID=Europe/Vienna:20260112T100000", with: "RECURRENCE-ID:20260112T090000Z")
    #expect(words(Self.tree(zone, main, override), Self.tree(zone, main, spelt)).isEmpty)
    #expect(
      words(Self.tree(main), Self.tree(zone, main))
        == ["definition of the time zone Europe/Vienna added"])
  }

  @Test func `a difference has the names and texts that scripts need`() throws {
    let before = Self.tree("BEGIN:VTODO | UID:1 | PERCENT-COMPLETE:50 | END:VTODO")
    let after = Self.tree("BEGIN:VTODO | UID:1 | PERCENT-COMPLETE:100 | END:VTODO")
    let difference = try #require(describeChange(from: before, to: after).first)
    #expect(
      difference
        == PropertyDifference(
          component: "VTODO", property: "PERCENT-COMPLETE", before: "50", after: "100",
          words: "percent done 50 → 100"))
  }

  @Test(arguments: [
    ("VEVENT", "VTODO", "an event → a task"), ("VTODO", "VEVENT", "a task → an event"),
    ("VJOURNAL", "VTODO", "a note → a task"), ("VEVENT", "VFREEBUSY", "an event → VFREEBUSY"),
  ])
  func `an item of another kind is said once`(was: String, isNow: String, told: String) throws {
    func item(_ kind: String, _ lines: String) -> SyntaxTree {
      Self.tree("BEGIN:\(kind) | UID:1 | \(lines) | END:\(kind)")
    }
    let differences = describeChange(
      from: item(was, "SUMMARY:A"), to: item(isNow, "SUMMARY:A | DUE:20260105T100000Z"))
    let one = try #require(differences.first)
    #expect(differences.count == 1 && one.words == told && one.component == isNow)
    #expect(one.property.isEmpty && told == "\(one.before ?? "") → \(one.after ?? "")")
  }

  @Test func `what cannot be read is said to have changed, and nothing more`() {
    let whole = Self.tree("A:1")
    let cut = SyntaxTree(bytes: Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\n".utf8))
    #expect(describeChange(from: cut, to: cut).isEmpty)
    #expect(describeChange(from: whole, to: cut).count == 1)
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `the same content has nothing to tell, and any other has`(seed: UInt64) {
    var edits = RandomEdits(seed: seed &+ 400)
    let item = SyntaxTree(bytes: makeEvent(number: Int(seed % 12), seed: seed))
    #expect(describeChange(from: item, to: edits.rewritten(item)).isEmpty)
    let edited = edits.edited(item)
    if essence(of: edited) != essence(of: item) {
      #expect(!describeChange(from: item, to: edited).isEmpty, "seed \(seed)")
    }
    _ = describeChange(from: item, to: edits.broken(edited))
  }
}
