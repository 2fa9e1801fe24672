import CalgwKit
import Testing

/// The mistakes that an editor brings in, each with its line.
struct CheckEditedTextTests {
  private static let lines = [
    "BEGIN:VEVENT", "UID:a", "DTSTART:20260105T090000Z", "DTEND:20260105T100000Z",
    "RRULE:FREQ=DAILY", "SUMMARY:Stand-up", "END:VEVENT",
  ]

  private static func text(_ lines: [String]) -> [UInt8] {
    let all = ["BEGIN:VCALENDAR", "VERSION:2.0"] + lines + ["END:VCALENDAR", ""]
    return Array(all.joined(separator: "\r\n").utf8)
  }

  private func mistake(_ change: (inout [String]) -> Void) throws -> TextMistake? {
    var lines = Self.lines
    change(&lines)
    return try foundItem(Self.text(Self.lines)).firstMistake(in: Self.text(lines))
  }

  @Test func `a good edit has none`() throws {
    #expect(try mistake { $0[5] = "SUMMARY:Daily" } == nil)
    #expect(try mistake { $0.insert("X-NEW:1", at: 2) } == nil)
  }

  @Test(arguments: [
    (6, "END:VEVEN", 3), (5, "SUMMARY Stand-up", 8), (1, "UID:b", 4), (1, "X-NONE:", 3),
    (2, "DTSTART:2026-01-05", 5), (4, "RRULE:FREQ=DAYLY", 7), (3, "DTEND:20260105T080000Z", 6),
  ])
  func `a mistake is told with its line`(place: Int, text: String, line: Int) throws {
    let found = try mistake { $0[place] = text }
    #expect(found?.line == line, "\(found?.message ?? "no mistake")")
  }

  @Test func `an event that is gone, without a start or there twice is one`() throws {
    #expect(try mistake { $0 = [] }?.message.contains("no event") == true)
    #expect(try mistake { $0.remove(at: 2) }?.message.contains("DTSTART") == true)
    #expect(try mistake { $0 += Self.lines }?.line == 10)
  }

  @Test func `what was wrong before may stay so`() throws {
    let odd = ["BEGIN:VEVENT", "UID:a", "DTSTART:tomorrow", "no colon", "END:VEVENT"]
    var edited = odd
    edited.insert("SUMMARY:New", at: 2)
    #expect(try foundItem(Self.text(odd)).firstMistake(in: Self.text(edited)) == nil)
  }
}
