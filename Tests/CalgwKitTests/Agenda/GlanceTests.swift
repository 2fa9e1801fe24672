import CalgwKit
import ICalendar
import Recurrence
import TestSupport
import Testing

/// The look that leaves files out must never leave out an occurrence, nor a broken file.
@Suite struct GlanceTests {
  /// The week from Monday 2026-01-05 on, in UTC.
  private static let week = OccurrenceWindow(from: 1_767_571_200, to: 1_768_176_000)
  private static let glance = Glance(days: 20_458...20_465)

  private func mayOccur(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { Self.glance.mayOccur($0) }
  }

  private func event(_ lines: String) -> String {
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n\(lines)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
  }

  @Test func `the days of the glance are those of the window`() {
    #expect(CivilDate(daysSince1970: 20_458)?.description == "2026-01-05")
    #expect(CivilDateTime(secondsSince1970: Self.week.from)?.description == "2026-01-05T00:00:00")
    #expect(Self.week.to - Self.week.from == 7 * 86_400)
  }

  @Test(arguments: [
    "DTSTART:20250101T100000Z\r\nDTEND:20250101T110000Z", "DTSTART;VALUE=DATE:20270101",
    "DTSTART;TZID=Europe/Vienna:20250101T100000", "SUMMARY:nothing is said about time",
    "DTSTART:20250101T100000Z\r\nDTEND:20250101T110000Z\r\nRRULE:FREQ=DAILY;UNTIL=20250601T000000Z",
    "DTSTART:20270101T100000Z\r\nRRULE:FREQ=DAILY", "DTSTART:20270101T100000Z\r\nDURATION:PT1H",
    "DTSTART:20250101T100000Z\r\nBEGIN:VALARM\r\nDURATION:PT5M\r\nEND:VALARM",
    "DTSTART:20250101T100000Z\r\nDESCRIPTION:text that is\r\n  folded",
  ])
  func `what is far away is left out`(lines: String) {
    #expect(!mayOccur(event(lines)))
    let zone =
      "BEGIN:VTIMEZONE\r\nTZID:X\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
      + "RRULE:FREQ=YEARLY\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
    #expect(!mayOccur(event(lines).replacing("BEGIN:VEVENT", with: zone + "BEGIN:VEVENT")))
    #expect(!mayOccur(event(lines).replacing("\r\n", with: "\n")))
  }

  @Test(arguments: [
    "DTSTART:20260107T100000Z", "DTSTART:20251201T100000Z\r\nDTEND:20260301T100000Z",
    "DTSTART:20200101T100000Z\r\nRRULE:FREQ=DAILY", "DTSTART:20200101T100000Z\r\nDURATION:P9999D",
    "DTSTART:20200101T100000Z\r\nRDATE:20260107T100000Z",
    "DTSTART:20200101T100000Z\r\nrrule:FREQ=DAILY", "DT\r\n START:20260107T100000Z",
    "DTSTART:202\r\n 60107T100000Z", "DTSTART;X=\":20200101\":20260107T100000Z",
    "DTSTART:20200101T100000Z\r\nR\r\n RULE:FREQ=DAILY",
    "DTSTART:20200101T100000Z\r\nRRULE:FREQ=DAILY;UNTIL=2020\r\n 0101;X=1",
    "DTSTART:20200101T100000Z\r\nRRULE:FREQ=DAILY;UNTIL=20200101;UNTIL=20300101",
    "DTSTART:20200101T100000Z\r\nRECURRENCE-ID;RANGE=THISANDFUTURE:20200101T100000Z",
    "DTSTART: 20260107", "DTSTART:20200101T100000Z\rRRULE:FREQ=DAILY",
    "DTSTART:20251231\r\nDTEND:20260101\r\nRRULE:FREQ=DAILY;UNTIL=20260103",
  ])
  func `what may be near, or is odd, is read`(lines: String) {
    #expect(mayOccur(event(lines)))
  }

  @Test func `a file that is broken is read, so that it is told`() {
    let far = event("DTSTART:20250101T100000Z")
    #expect(!mayOccur(far))
    for count in stride(from: 1, to: far.utf8.count - 2, by: 1) {
      let cut = Array(far.utf8.prefix(count))
      #expect(cut.withUnsafeBufferPointer { Self.glance.mayOccur($0) }, "\(count)")
    }
    #expect(mayOccur(""))
    #expect(mayOccur("x" + far))
    #expect(mayOccur(far + "x\r\n"))
    #expect(mayOccur(far.replacing("END:VEVENT", with: "END:VTODO")))
  }

  /// Lines that make dates near and far, in any order, whole and odd.
  private static let pieces = [
    "DTSTART:20250101T100000Z", "DTSTART;VALUE=DATE:20251230", "DTSTART:20260103T230000Z",
    "DTSTART;TZID=Pacific/Kiritimati:20260112T120000", "DTSTART;TZID=Pacific/Niue:20260104T130000",
    "DTSTART:20250601T000000", "DTEND:20250102T100000Z", "DTEND;VALUE=DATE:20260105",
    "DTEND:20260103T000000Z", "DUE:20260106T000000Z", "DURATION:P3D", "DURATION:-P3D",
    "RRULE:FREQ=WEEKLY", "RRULE:FREQ=MONTHLY;UNTIL=20251231", "RRULE:FREQ=DAILY;COUNT=400",
    "RRULE:FREQ=DAILY;UNTIL=20260102T000000Z", "RDATE:20260106T000000Z", "EXDATE:20260105",
    "RECURRENCE-ID:20250108T100000Z", "RECURRENCE-ID;RANGE=THISANDFUTURE:20250108T100000Z",
    "SUMMARY:x", "DESCRIPTION:a\r\n b", "X-Y;Z=\"a:b\":c", "", "BEGIN:VALARM\r\nTRIGGER:-PT5M",
    "END:VALARM", "END:VEVENT\r\nBEGIN:VEVENT\r\nUID:a", "END:VEVENT\r\nBEGIN:VTODO\r\nUID:b",
  ]

  @Test(arguments: 0..<40) func `no occurrence is ever left out`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let window = AgendaWindow(Self.week, includesCancelled: true, placement: .utc)
    let calendar = AgendaCalendar(name: "")
    var left = 0
    for _ in 0..<250 {
      let count = Int.random(in: 1...6, using: &random)
      let lines = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }
      var text = event(lines.joined(separator: "\r\n"))
      if lines.last?.contains("VTODO") == true {
        text = text.replacing("END:VEVENT\r\nEND:VCAL", with: "END:VTODO\r\nEND:VCAL")
      }
      if mayOccur(text) { continue }
      left += 1
      let tree = SyntaxTree(bytes: Array(text.utf8))
      #expect(tree.wholeness == .whole, "\(text)")
      let series = ItemSeries.all(
        in: CalendarObject(tree), of: EventFile(path: [], calendar: calendar),
        catalog: .system, placement: .utc)
      #expect(FileExpansion(series, window).entries.isEmpty, "\(text)")
    }
    #expect(left > 0, "nothing was left out, so nothing was tried")
  }
}
