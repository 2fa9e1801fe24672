import EventEditing
import ICalendar
import Recurrence
import TestSupport
import Testing

/// The table of docs/spans.md: how a rule follows a start that moves.
@Suite struct RuleTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let rule: String
    /// Old and new start, as `20260105T090000`.
    let start: String
    let moved: String
    /// Nil where the days of the rule stay.
    let becomes: String?

    init(_ rule: String, _ start: String, _ moved: String, _ becomes: String?) {
      self.rule = rule
      self.start = start
      self.moved = moved
      self.becomes = becomes
    }

    var testDescription: String { "\(rule) from \(start) to \(moved)" }
  }

  static let rows = [
    Row("FREQ=WEEKLY", "20260105T090000", "20260106T100000", "FREQ=WEEKLY"),
    Row("FREQ=WEEKLY;BYDAY=MO", "20260105T090000", "20260106T090000", "FREQ=WEEKLY;BYDAY=TU"),
    Row("FREQ=WEEKLY;BYDAY=MO", "20260105T090000", "20260112T090000", "FREQ=WEEKLY;BYDAY=MO"),
    Row(
      "FREQ=WEEKLY;BYDAY=MO,WE", "20260105T090000", "20260106T090000", "FREQ=WEEKLY;BYDAY=TU,TH"),
    Row(
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU", "20260105T090000", "20260106T090000",
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,MO;WKST=TU"),
    Row(
      "FREQ=WEEKLY;BYDAY=MO;INTERVAL=2", "20260105T090000", "20260104T090000",
      "FREQ=WEEKLY;BYDAY=SU;INTERVAL=2"),
    Row(
      "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "20260105T090000", "20260106T090000",
      "FREQ=DAILY;BYDAY=TU,WE,TH,FR,SA"),
    Row(
      "FREQ=HOURLY;INTERVAL=4;BYDAY=SA", "20260103T080000", "20260104T080000",
      "FREQ=HOURLY;INTERVAL=4;BYDAY=SU"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=15", "20260115T090000", "20260117T090000",
      "FREQ=MONTHLY;BYMONTHDAY=17"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=-1", "20260131T090000", "20260130T090000",
      "FREQ=MONTHLY;BYMONTHDAY=-2"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=-1", "20260131T090000", "20260201T090000",
      "FREQ=MONTHLY;BYMONTHDAY=1"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=-1", "20260131T090000", "20260203T090000",
      "FREQ=MONTHLY;BYMONTHDAY=3"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=-3", "20260129T090000", "20260130T090000",
      "FREQ=MONTHLY;BYMONTHDAY=-2"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=1", "20260301T090000", "20260228T090000",
      "FREQ=MONTHLY;BYMONTHDAY=-1"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=2", "20260302T090000", "20260227T090000",
      "FREQ=MONTHLY;BYMONTHDAY=-2"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=15", "20260315T090000", "20260228T090000",
      "FREQ=MONTHLY;BYMONTHDAY=28"),
    Row(
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "20260228T090000", "20260301T090000",
      "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1"),
    Row(
      "FREQ=MONTHLY;BYMONTHDAY=1,15", "20260101T090000", "20260102T090000",
      "FREQ=MONTHLY;BYMONTHDAY=2,16"),
    Row(
      "FREQ=MONTHLY;BYDAY=1MO", "20260105T090000", "20260113T090000", "FREQ=MONTHLY;BYDAY=2TU"),
    Row(
      "FREQ=MONTHLY;BYDAY=4TH", "20260122T090000", "20260129T090000", "FREQ=MONTHLY;BYDAY=-1TH"),
    Row(
      "FREQ=MONTHLY;BYDAY=-1FR", "20260130T090000", "20260129T090000",
      "FREQ=MONTHLY;BYDAY=-1TH"),
    // 1 February 2026 is the first Sunday, and the fourth from the end; 31 January the last
    // Saturday. dateutil gives the new rules the day that is asked for.
    Row(
      "FREQ=MONTHLY;BYDAY=-1FR", "20260130T090000", "20260201T090000", "FREQ=MONTHLY;BYDAY=1SU"),
    Row(
      "FREQ=MONTHLY;BYDAY=-1FR", "20260130T090000", "20260210T090000", "FREQ=MONTHLY;BYDAY=2TU"),
    Row(
      "FREQ=MONTHLY;BYDAY=-1FR", "20260130T090000", "20260226T090000",
      "FREQ=MONTHLY;BYDAY=-1TH"),
    Row(
      "FREQ=MONTHLY;BYDAY=-2FR", "20260123T090000", "20260122T090000",
      "FREQ=MONTHLY;BYDAY=-2TH"),
    Row(
      "FREQ=MONTHLY;BYDAY=1MO", "20260202T090000", "20260131T090000", "FREQ=MONTHLY;BYDAY=-1SA"),
    Row(
      "FREQ=MONTHLY;BYDAY=1MO", "20260302T090000", "20260228T090000", "FREQ=MONTHLY;BYDAY=-1SA"),
    Row(
      "FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1", "20260130T090000", "20260201T090000",
      "FREQ=MONTHLY;BYDAY=SU;BYSETPOS=1"),
    Row(
      "FREQ=YEARLY;BYMONTH=1;BYDAY=-1FR", "20260130T090000", "20260201T090000",
      "FREQ=YEARLY;BYMONTH=2;BYDAY=1SU"),
    Row(
      "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=2", "20260112T090000", "20260113T090000",
      "FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2"),
    Row(
      "FREQ=MONTHLY;BYDAY=1MO,3MO", "20260202T090000", "20260203T090000",
      "FREQ=MONTHLY;BYDAY=1TU,3TU"),
    Row(
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", "20260213T090000", "20260214T090000",
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=14"),
    Row(
      "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=31", "20260331T090000", "20260401T090000",
      "FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=1"),
    Row(
      "FREQ=YEARLY;BYYEARDAY=100", "20260410T090000", "20260412T090000",
      "FREQ=YEARLY;BYYEARDAY=102"),
    Row(
      "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "20260511T090000", "20260519T090000",
      "FREQ=YEARLY;BYWEEKNO=21;BYDAY=TU"),
    Row("FREQ=DAILY;BYHOUR=9,14", "20260105T090000", "20260105T103000", "FREQ=DAILY;BYHOUR=10,15"),
    Row(
      "FREQ=DAILY;BYHOUR=23;BYMINUTE=30", "20260105T233000", "20260106T003000",
      "FREQ=DAILY;BYHOUR=0;BYMINUTE=30"),
    Row("FREQ=DAILY;BYHOUR=9,23", "20260105T090000", "20260105T110000", nil),
    Row("FREQ=HOURLY;BYDAY=MO", "20260105T090000", "20260105T083000", nil),
    Row(
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "20260130T090000", "20260129T090000", nil),
    Row("FREQ=MONTHLY;BYMONTHDAY=1,31", "20260101T090000", "20260102T090000", nil),
    Row("FREQ=YEARLY;BYMONTH=1,7", "20260105T090000", "20260205T090000", nil),
    Row("FREQ=YEARLY;BYWEEKNO=1,20;BYDAY=MO", "20260511T090000", "20260518T090000", nil),
  ]

  private func item(_ row: Row, end: String, exclusion: String) -> [UInt8] {
    itemText(seriesLines(row.rule + end, from: row.start + "Z") + ["EXDATE:\(exclusion)"])
  }

  @Test(arguments: rows)
  func `a rule follows the start as the table says`(row: Row) throws {
    let text = item(row, end: "", exclusion: "20200101T000000Z")
    let change = try moveSeries(text, to: row.moved + "Z")
    let rule = try #require(change.rule)
    #expect((change.rulesKept > 0) == (row.becomes == nil))
    if let becomes = row.becomes {
      #expect(rule == becomes)
      #expect(
        change.notes.contains { if case .ruleChanged = $0 { true } else { false } }
          == (becomes != row.rule))
    }
  }

  /// With COUNT and with UNTIL at the last occurrence: as many as before, whichever is left out.
  @Test(arguments: rows)
  func `a moved series has as many occurrences and leaves out as many`(row: Row) throws {
    let whole = Happening.all(in: item(row, end: ";COUNT=9", exclusion: "20200101T000000Z"))
    try #require(whole.count == 9)
    for excluded in whole.indices {
      for isCounted in [true, false] {
        let name = try #require(
          CivilDateTime(secondsSince1970: whole[excluded].id).map { DateTime.utc($0).value })
        let last = try #require(
          CivilDateTime(secondsSince1970: whole[8].id).map { DateTime.utc($0).value })
        let text = item(
          row, end: isCounted ? ";COUNT=9" : ";UNTIL=\(last)", exclusion: name)
        let change = try moveSeries(text, to: row.moved + "Z")
        let moved = Happening.all(in: try #require(change.item))
        #expect(moved.count == 8, "without \(name): \(moved) \(change.notes)")
        guard excluded > 0 else { continue }
        let start = try GivenTime(row.moved + "Z")
        #expect(moved.first.map { .instant($0.start) } == start)
      }
    }
  }

  /// RFC 5545 §3.3.10: with whole days they are ignored.
  @Test func `times of day that a rule of whole days has do not come to life`() throws {
    let text = itemText(seriesLines("FREQ=DAILY;COUNT=2;BYHOUR=9,10;BYMINUTE=5", from: "20270101"))
    let change = try moveSeries(text, to: "20270101T100000")
    #expect(change.rule == "FREQ=DAILY;COUNT=2")
    #expect(
      change.notes.map(\.description) == [
        "the rule follows the new start: FREQ=DAILY;COUNT=2;BYHOUR=9,10;BYMINUTE=5 is now "
          + "FREQ=DAILY;COUNT=2"
      ])
    let moved = Happening.all(in: try #require(change.item))
    #expect(moved.map(\.start) == [1_798_797_600, 1_798_884_000])
  }

  @Test func `a rule that can neither follow nor stay is refused`() throws {
    let row = Row(
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=1MO,3MO", "20260105T090000", "20260203T090000", nil)
    var edit = EventEdit()
    edit.start = try GivenTime(row.moved + "Z")
    let object = CalendarObject(
      SyntaxTree(bytes: item(row, end: "", exclusion: "20200101T000000Z")))
    #expect(throws: EditError.cannotFollow(rule: Array(row.rule.utf8))) {
      try editEvent(object, edit, span: .allEvents, context: .forTests)
    }
    edit.recurrence = .rule(Array("FREQ=MONTHLY;BYDAY=1TU".utf8))
    #expect(try editEvent(object, edit, span: .allEvents, context: .forTests).item != nil)
  }
}
