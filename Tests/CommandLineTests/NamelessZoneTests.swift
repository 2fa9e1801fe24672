import Foundation
import TestSupport
import Testing

/// `new` where the zone of TZ is one that tzdata has no name for: a text of POSIX.
@Suite struct NamelessZoneTests {
  private func made(_ zone: String, _ more: String...) async throws -> (
    run: CommandLine.Run, text: String
  ) {
    let calgw = try CommandLine()
    try calgw.write("work/.keep", "")
    let arguments = ["new", "--summary", "X", "--in", "work"] + more
    let program = try calgw.start(arguments, environment: ["TZ": zone])
    let run = await onOwnThread { program.finish() }
    let file = run.output.split(separator: "\n").last.map(String.init) ?? ""
    return (run, (try? String(contentsOfFile: file, encoding: .utf8)) ?? "")
  }

  @Test(arguments: [
    ("UTC0", "20270105T100000Z", "20270105T110000Z"),
    ("JST-9", "20270105T010000Z", "20270105T020000Z"),
    ("<+03>-3", "20270105T070000Z", "20270105T080000Z"),
    ("CET-1CEST,M3.5.0,M10.5.0/3", "20270105T090000Z", "20270105T100000Z"),
    ("CET-1CEST", "20270105T090000Z", "20270105T100000Z"),
  ])
  func `its time is written in UTC`(zone: String, start: String, end: String) async throws {
    let (run, text) = try await made(zone, "--start", "2027-01-05 10:00")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(text.contains("DTSTART:\(start)\r\nDTEND:\(end)\r\n"), "\(text)")
  }

  @Test func `an end is one of its clock, too, and days are its days`() async throws {
    let zone = "CET-1CEST,M3.5.0,M10.5.0/3"
    let hour = try await made(zone, "--start", "2027-01-05 23:30", "--end", "00:15").text
    #expect(hour.contains("DTSTART:20270105T223000Z\r\nDTEND:20270105T231500Z\r\n"), "\(hour)")
    // In that night the clock is set forward.
    let day = try await made(zone, "--start", "2027-03-27 10:00", "--duration", "1d").text
    #expect(day.contains("DTSTART:20270327T090000Z\r\nDTEND:20270328T080000Z\r\n"), "\(day)")
  }

  @Test func `what repeats keeps its days and hours where the offset never changes`() async throws {
    let rule = "FREQ=WEEKLY;BYDAY=MO"
    let (run, text) = try await made("JST-9", "--start", "2027-01-04 08:00", "--rrule", rule)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(text.contains("DTSTART;TZID=Etc/GMT-9:20270104T080000\r\n"), "\(text)")
    let utc = try await made("UTC0", "--start", "2027-01-04 08:00", "--rrule", rule).text
    #expect(utc.contains("DTSTART:20270104T080000Z\r\n"), "\(utc)")
  }

  @Test func `what repeats over changes of the clock stays in UTC, and that is told`() async throws
  {
    let (run, text) = try await made(
      "CET-1CEST", "--start", "2027-01-04 08:00", "--rrule", "FREQ=WEEKLY;BYDAY=MO")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("this repeats at 07:00 UTC"), "\(run.errors)")
    #expect(text.contains("DTSTART:20270104T070000Z\r\n"), "\(text)")
    for (start, rule) in [
      ("2027-01-04 00:30", "FREQ=WEEKLY;BYDAY=MO"), ("2027-01-04 08:00", "FREQ=DAILY;BYHOUR=8,9"),
      ("2027-01-04 10:00", "FREQ=DAILY;UNTIL=20270110T093000"),
      ("2027-01-04 10:10", "FREQ=HOURLY;BYMINUTE=10;COUNT=3"),
      ("2027-01-04 10:00", "FREQ=HOURLY;BYDAY=MO"),
    ] {
      let (run, text) = try await made("CET-1CEST", "--start", start, "--rrule", rule)
      #expect(run.status == 64 && text.isEmpty, "\(text)")
      #expect(run.errors.contains("--tz"), "\(run.errors)")
    }
  }
}
