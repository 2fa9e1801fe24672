import EventEditing
import ICalendar
import TestSupport
import Testing

/// Splits of series at every place, and of what they made.
@Suite struct SplitTests {
  /// Content lines, with bars between them.
  private static let series = """
    DTSTART:20260105T090000Z|\
    DTEND:20260105T100000Z|\
    RRULE:FREQ=DAILY;COUNT=12|\
    EXDATE:20260107T090000Z
    DTSTART;TZID=Europe/Vienna:20260322T023000|\
    DURATION:PT30M|\
    RRULE:FREQ=DAILY;COUNT=14
    DTSTART;TZID=Europe/Vienna:20261020T023000|\
    DURATION:PT30M|\
    RRULE:FREQ=DAILY;UNTIL=20261101T013000Z
    DTSTART;TZID=Europe/Vienna:20260328T210000|\
    RRULE:FREQ=MINUTELY;INTERVAL=30;COUNT=24
    DTSTART;VALUE=DATE:20240131|\
    RRULE:FREQ=MONTHLY;COUNT=9|\
    RDATE;VALUE=DATE:20240215,20250301
    DTSTART;VALUE=DATE:20240229|\
    RRULE:FREQ=YEARLY;COUNT=5
    DTSTART:20260105T090000|\
    RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU;COUNT=11
    DTSTART:20260101T090000|\
    RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=6
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=WEEKLY;COUNT=6|\
    RRULE:FREQ=MONTHLY;COUNT=4
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=6|\
    RDATE:20260113T150000Z,20260210T080000Z
    DTSTART:20260105T090000Z|\
    RDATE:20260106T110000Z,20260107T090000Z|\
    RDATE;VALUE=PERIOD:20260203T090000Z/PT3H
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=DAILY;COUNT=15|\
    EXRULE:FREQ=DAILY;INTERVAL=3;COUNT=4
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=DAILY;BYHOUR=9,17;BYSETPOS=2;COUNT=5
    DTSTART:20260130T090000Z|\
    RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=7
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=HOURLY;INTERVAL=5;BYMINUTE=0,30;COUNT=13
    DTSTART;TZID=Pacific/Apia:20111226T120000|\
    RRULE:FREQ=DAILY;COUNT=12
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=DAILY;INTERVAL=2;COUNT=6|\
    RRULE:FREQ=DAILY;INTERVAL=3;COUNT=5
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=DAILY;COUNT=8;UNTIL=20260110T090000Z
    DTSTART:20260105T090000Z|\
    RRULE:FREQ=DAILY;UNTIL=20260110
    """.split(separator: "\n").map(String.init)

  private func item(_ lines: String) -> [UInt8] {
    itemText(lines.split(separator: "|").map(String.init) + ["SUMMARY:Series"])
  }

  private func split(_ text: [UInt8], at name: GivenTime, uid: String) throws -> LinkedChange {
    var edit = EventEdit()
    edit.setText("SUMMARY", to: uid)
    var context = EditContext.forTests
    context.newUID = Array(uid.utf8)
    return try editEvent(
      CalendarObject(SyntaxTree(bytes: text)), edit, span: .futureEvents, occurrence: name,
      context: context)
  }

  /// The names of the occurrences of a text, as a person gives them.
  private func names(_ text: [UInt8]) throws -> [(name: GivenTime, id: Int)] {
    let isFloating = String(decoding: text, as: UTF8.self).contains("DTSTART:20260105T090000\r")
    return try Happening.all(in: text).map { happening in
      let civil = try #require(CivilDateTime(secondsSince1970: happening.id))
      let isDate = String(decoding: text, as: UTF8.self).contains("DTSTART;VALUE=DATE")
      if isDate { return (.date(civil.date), happening.id) }
      return (isFloating ? .wall(civil) : .instant(happening.id), happening.id)
    }
  }

  @Test(arguments: series)
  func `a split anywhere loses nothing and gives nothing twice`(lines: String) throws {
    let text = item(lines)
    let whole = Happening.all(in: text)
    #expect(whole.count > 2)
    for (name, id) in try names(text) {
      let change = try split(text, at: name, uid: "new")
      let earlier = Happening.all(in: change.item ?? [])
      let later = change.created.map { Happening.all(in: $0.text) } ?? []
      let expected = whole.map { happening -> Happening in
        var changed = happening
        if happening.id >= id { changed.summary = "new" }
        return changed
      }
      #expect((earlier + later).sorted() == expected, "\(name)")
      #expect(earlier.allSatisfy { $0.id < id } || change.created == nil)
    }
  }

  @Test(arguments: series)
  func `a part can be split again`(lines: String) throws {
    var parts = [item(lines)]
    let whole = Happening.all(in: parts[0])
    // At the second occurrence of what is left, as long as there is one.
    while let (name, _) = try names(parts[parts.count - 1]).dropFirst().first {
      let change = try split(parts[parts.count - 1], at: name, uid: "part \(parts.count)")
      guard let item = change.item, let created = change.created else {
        Issue.record("no split at \(name) of part \(parts.count - 1)")
        return
      }
      parts[parts.count - 1] = item
      parts.append(created.text)
    }
    let all = parts.map { Happening.all(in: $0) }
    #expect(all.dropLast().allSatisfy { $0.count == 1 })
    #expect(all.flatMap { $0 }.sorted().map(\.id) == whole.map(\.id))
    #expect(all.flatMap { $0 }.sorted().map(\.end) == whole.map(\.end))
    for (index, part) in parts.enumerated().dropFirst() {
      let text = String(decoding: part, as: UTF8.self)
      #expect(text.contains("UID:part \(index)\r\n"))
      #expect(
        text.contains("RELATED-TO;RELTYPE=SIBLING:\(index == 1 ? "old" : "part \(index - 1)")"))
    }
  }

  @Test func `a series by the hour that goes on for ever is split far away at once`() throws {
    let text = item("DTSTART:19700101T000000Z|RRULE:FREQ=SECONDLY;COUNT=1000000000")
    let name = try GivenTime("20010101T000000Z")
    let change = try split(text, at: name, uid: "new")
    // Days from 1970 to 2001, by 86,400.
    #expect(String(decoding: change.item ?? [], as: UTF8.self).contains("COUNT=978307200\r\n"))
    let created = String(decoding: change.created?.text ?? [], as: UTF8.self)
    #expect(created.contains("COUNT=21692800\r\n"))
  }
}
