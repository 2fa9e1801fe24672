import Foundation
import ICalendar
import Recurrence
import TestSupport
import Testing

@Suite struct TimeZoneDefinitionTests {
  private func definitions(_ text: String) -> [TimeZoneDefinition] {
    var findings: [ScheduleFinding] = []
    let calendar = "BEGIN:VCALENDAR\r\n\(text)END:VCALENDAR\r\n"
    let read = TimeZoneDefinition.all(
      in: SyntaxTree(bytes: Array(calendar.utf8)), findings: &findings)
    #expect(findings.isEmpty)
    return read
  }

  private static let start = 1_767_225_600  // 2026-01-01T00:00:00Z

  static let names: [String] = {
    let folder = URL(filePath: "/usr/share/zoneinfo/")
    let table = (try? String(contentsOf: folder.appending(path: "zone1970.tab"), encoding: .utf8))
    let lines = table?.split(separator: "\n").filter { !$0.hasPrefix("#") } ?? []
    return lines.map { String($0.split(separator: "\t")[2]) }
  }()

  @Test func `a written definition gives the offsets of its zone, for every zone`() throws {
    try #require(Self.names.count > 200, "zone1970.tab is part of tzdata")
    for name in Self.names {
      let zone = try #require(ZoneCatalog.system.zone(named: name))
      let text = zone.definitionText(from: Self.start)
      let read = try #require(definitions(text).first?.zone(), "\(name)")
      // Morocco and Western Sahara follow the moon and are listed up to 2087; the others go on.
      var wrong: [Int] = []
      for instant in stride(from: Self.start, to: Self.start + 60 * 31_556_952, by: 43_201 * 9)
      where read.offset(at: instant) != zone.offset(at: instant) {
        wrong.append(instant)
      }
      #expect(wrong.isEmpty, "\(name) \(wrong.prefix(3)) \(text)")
      #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    }
  }

  @Test func `a definition may start in the past`() throws {
    let zone = try #require(ZoneCatalog.system.zone(named: "Europe/Vienna"))
    let from = 157_766_400  // 1975-01-01, years before Austria had summer time again
    let read = try #require(definitions(zone.definitionText(from: from)).first?.zone())
    for instant in stride(from: from, to: Self.start, by: 43_201)
    where read.offset(at: instant) != zone.offset(at: instant) {
      Issue.record("\(instant)")
      break
    }
  }

  @Test func `Vienna is written with the two rules that people know`() throws {
    let zone = try #require(ZoneCatalog.system.zone(named: "Europe/Vienna"))
    let text = zone.definitionText(from: Self.start)
    #expect(
      text
        == """
        BEGIN:VTIMEZONE
        TZID:Europe/Vienna
        BEGIN:DAYLIGHT
        DTSTART:19960331T020000
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        TZNAME:CEST
        RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
        END:DAYLIGHT
        BEGIN:STANDARD
        DTSTART:19961027T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        TZNAME:CET
        RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
        END:STANDARD
        END:VTIMEZONE

        """.replacingOccurrences(of: "\n", with: "\r\n"))
  }

  /// New York as Outlook and old programs write it: rules with an end, dates, and rules without
  /// one.
  private let newYork = """
    BEGIN:VTIMEZONE
    TZID:Somewhere
    BEGIN:DAYLIGHT
    DTSTART:20000402T020000
    RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4;UNTIL=20060402T070000Z
    TZOFFSETFROM:-0500
    TZOFFSETTO:-0400
    TZNAME:EDT
    END:DAYLIGHT
    BEGIN:STANDARD
    DTSTART:20001029T020000
    RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20061029T060000Z
    TZOFFSETFROM:-0400
    TZOFFSETTO:-0500
    TZNAME:EST
    END:STANDARD
    BEGIN:DAYLIGHT
    DTSTART:20070311T020000
    RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3
    TZOFFSETFROM:-0500
    TZOFFSETTO:-0400
    END:DAYLIGHT
    BEGIN:STANDARD
    DTSTART:20071104T020000
    RRULE:FREQ=YEARLY;BYMONTHDAY=1,2,3,4,5,6,7;BYDAY=SU;BYMONTH=11
    TZOFFSETFROM:-0400
    TZOFFSETTO:-0500
    END:STANDARD
    END:VTIMEZONE

    """

  @Test func `a definition with several rules is read like the zone that it describes`() throws {
    let read = try #require(definitions(newYork).first?.zone())
    let zone = try #require(ZoneCatalog.system.zone(named: "America/New_York"))
    let end = 7_258_118_400  // 2200-01-01
    for instant in stride(from: 955_000_000, to: end, by: 86_399 * 3)
    where read.offset(at: instant) != zone.offset(at: instant) {
      Issue.record("\(instant)")
      break
    }
  }

  @Test func `RDATE lists onsets, and before the first one TZOFFSETFROM holds`() throws {
    let text = """
      BEGIN:VTIMEZONE
      TZID:X
      BEGIN:STANDARD
      DTSTART:20260101T000000
      RDATE:20270101T000000
      TZOFFSETFROM:+0300
      TZOFFSETTO:+0200
      END:STANDARD
      BEGIN:DAYLIGHT
      DTSTART:20260601T000000
      TZOFFSETFROM:+0200
      TZOFFSETTO:+0300
      END:DAYLIGHT
      END:VTIMEZONE

      """
    let zone = try #require(definitions(text).first?.zone())
    let offsets = ["20250601", "20260301", "20260701", "20270301", "20500101"].map { day in
      var notes: [ValueNote] = []
      let time = try? DateTime.read(Array("\(day)T120000".utf8), notes: &notes)
      return zone.offset(at: time?.civil.secondsSince1970 ?? 0) / 3600
    }
    #expect(offsets == [3, 2, 3, 2, 2])
  }

  @Test func `hostile definitions are bounded`() throws {
    let rules = ["FREQ=SECONDLY", "FREQ=DAILY;INTERVAL=1", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"]
    for rule in rules {
      let text = """
        BEGIN:VTIMEZONE
        TZID:X
        BEGIN:STANDARD
        DTSTART:00010101T000000
        RRULE:\(rule)
        TZOFFSETFROM:+0000
        TZOFFSETTO:+0100
        END:STANDARD
        END:VTIMEZONE

        """
      let zone = try #require(definitions(text).first?.zone())
      #expect(zone.offset(at: Self.start) == 3600)
    }
  }
}
