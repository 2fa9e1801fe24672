import Foundation
import Testing

/// Calendars that were joined into one file: each has its own meaning of a time zone's name, as the
/// "Customized Time Zone" of Outlook.
@Suite struct UnlikeZonesTests {
  /// A calendar with one event on 2027-01-04 at 9 in the zone `X/Y`.
  private func calendar(_ uid: String, _ offset: String, _ lines: String...) -> String {
    ([
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", "BEGIN:VTIMEZONE", "TZID:X/Y",
      "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:\(offset)",
      "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20260101T000000Z", "DTSTART;TZID=X/Y:20270104T090000", "SUMMARY:Of \(uid)",
    ] + lines + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  /// A series, and one occurrence of it in a calendar with another meaning; and an event.
  private var torn: String {
    calendar("a", "+0100", "RRULE:FREQ=DAILY;COUNT=3")
      + calendar("a", "+0500", "RECURRENCE-ID;TZID=X/Y:20270105T090000") + calendar("b", "+0500")
  }

  private static let year = ["--from", "2027-01-01", "--to", "2028-01-01"]

  @Test func `each event is written and listed in the zone of its own calendar`() async throws {
    let calgw = try CommandLine()
    try calgw.write("two.ics", calendar("a", "+0100") + calendar("b", "+0500"))
    try calgw.write("cal/.keep", "")
    let put = try await calgw("import", "two.ics", "--in", "cal")
    #expect(put.status == 0, "\(put.errors)")
    for (uid, offset) in [("a", "+0100"), ("b", "+0500")] {
      let text = try String(contentsOfFile: calgw.home + "/cal/\(uid).ics", encoding: .utf8)
      #expect(text.contains("TZOFFSETTO:\(offset)\r\n"), "\(text)")
    }
    for words in [["expand"], ["list"]] {
      let run = try await calgw.run(words + ["two.ics", "--json"] + Self.year)
      let starts = run.output.matches(of: /"start":"([^"]*)"/).map { String($0.1) }
      #expect(
        starts.sorted() == ["2027-01-04T09:00:00+01:00", "2027-01-04T09:00:00+05:00"],
        "\(words) \(run.output)")
    }
    let check = try await calgw.run(["check", "two.ics", "--json"])
    #expect(check.output.contains("unlike-vtimezones"), "\(check.output)")
  }

  @Test func `an event that needs two meanings is named, and the rest goes on`() async throws {
    let calgw = try CommandLine()
    try calgw.write("torn.ics", torn)
    try calgw.write("cal/.keep", "")
    let put = try await calgw("import", "torn.ics", "--in", "cal", "--json")
    #expect(put.status == 1)
    #expect(put.output.contains("two time zones of the name X/Y"), "\(put.output)")
    let files = try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/cal")
    #expect(files.filter { $0.hasSuffix(".ics") } == ["b.ics"])
    let list = try await calgw.run(["expand", "torn.ics"] + Self.year)
    #expect(list.status == 1)
    #expect(list.output.contains("Of b"))
    #expect(!list.output.contains("Of a"))
    #expect(list.errors.contains("two time zones of the name X/Y"), "\(list.errors)")
  }
}
