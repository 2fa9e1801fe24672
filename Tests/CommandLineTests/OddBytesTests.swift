import Foundation
import TestSupport
import Testing

/// A calendar in one file of which a line is not UTF-8.
@Suite struct OddBytesTests {
  private func component(_ uid: String, _ summary: String) -> String {
    "BEGIN:VEVENT\nUID:\(uid)\nDTSTAMP:20260101T000000Z\nDTSTART:20270101T090000Z\n"
      + "SUMMARY:\(summary)\nEND:VEVENT\n"
  }

  /// A text in Windows-1252.
  private func latin(_ parts: String...) -> Data {
    let text =
      "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//y//EN\n" + parts.joined() + "END:VCALENDAR\n"
    return Data(text.unicodeScalars.map { UInt8($0.value) })
  }

  @Test func `its item waits for its mend, and the others are synced`() async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.one]\nlocal = \"~/calendars\"\nremote = { file = \"~/all.ics\" }\n"
        + "calendar = \".\"\n")
    try calgw.write("calendars/new.ics", event("new", "New"))
    let file = URL(filePath: calgw.home + "/all.ics")
    let odd = component("odd", "Grüße")
    try latin(odd, component("b", "B"), component("c", "C")).save(to: file)
    let first = try await calgw("sync")
    #expect(first.status == 1, "\(first.output) \(first.errors)")
    #expect(first.errors.contains("not UTF-8, in line 8"), "\(first.errors)")
    #expect(calgw.exists("calendars/b.ics"))
    #expect(!calgw.exists("calendars/odd.ics"))
    var text = try Data(contentsOf: file)
    #expect(text.firstRange(of: Data("SUMMARY:New".utf8)) != nil)
    let title = try #require(text.firstRange(of: Data([0x47, 0x72, 0xFC, 0xDF, 0x65])))

    // One deletion from either side.
    let gone = try #require(text.firstRange(of: Data(component("b", "B").utf8)))
    text.removeSubrange(gone)
    try text.save(to: file)
    try FileManager.default.removeItem(atPath: calgw.home + "/calendars/c.ics")
    let second = try await calgw("sync")
    #expect(second.status == 1, "\(second.output) \(second.errors)")
    #expect(!calgw.exists("calendars/b.ics"))
    text = try Data(contentsOf: file)
    #expect(text.firstRange(of: Data("UID:c".utf8)) == nil)

    text.replaceSubrange(title, with: Data("Gruesse".utf8))
    try text.save(to: file)
    let last = try await calgw("sync")
    #expect(last.status == 0, "\(last.output) \(last.errors)")
    #expect(calgw.exists("calendars/odd.ics"))
  }
}
