import Foundation
import TestSupport
import Testing

@Suite struct ExampleTests {
  @Test func `the example program shows, adds, moves and ends a series in a folder`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "calgw-example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let known = item([
      "UID:trip", "DTSTART;VALUE=DATE:20260107", "DTEND;VALUE=DATE:20260109", "SUMMARY:Trip",
    ])
    try Data(known.utf8).save(to: folder.appending(path: "trip.ics"))

    let output = Pipe()
    let process = Process()
    process.executableURL = URL(filePath: Checkout.program("EventStoreExample"))
    process.arguments = [folder.path(), "2026-01-05", "Europe/Vienna"]
    process.standardOutput = output
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(
      String(decoding: printed, as: UTF8.self) == """
        before:
          2026-01-07 Trip
        after:
          2026-01-06T09:00:00 Kick-off
          2026-01-07 Trip
        the series has 3 occurrences

        """)

    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    #expect(names.count == 2)
    let made = try #require(names.first { $0 != "trip.ics" })
    let text = try String(contentsOf: folder.appending(path: made), encoding: .utf8)
    // A second before the fourth occurrence, 27 January at nine in Vienna.
    #expect(text.contains("RRULE:FREQ=WEEKLY;UNTIL=20260127T075959Z\r\n"))
    #expect(text.contains("RECURRENCE-ID;TZID=Europe/Vienna:20260113T090000\r\n"))
    #expect(text.contains("DTSTART;TZID=Europe/Vienna:20260113T110000\r\n"))
    #expect(text.contains("TRIGGER:-PT10M\r\n"))
    #expect(
      try String(contentsOf: folder.appending(path: "trip.ics"), encoding: .utf8) == known)
  }
}
