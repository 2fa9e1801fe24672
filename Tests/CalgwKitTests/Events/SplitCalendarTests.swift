import CalgwKit
import ICalendar
import SyncModel
import TestSupport
import Testing

/// A text of many items is taken apart without a change of any.
struct SplitCalendarTests {
  private func split(_ text: [UInt8], into calendar: String = "work") throws -> [SplitItem] {
    CalendarSplitter(SyntaxTree(bytes: text), calendar: calendar, digest: sha256).items()
      .compactMap { try? $0.get() }
  }

  private func lines(_ item: SplitItem) -> [String] {
    String(decoding: item.data.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  private static let vienna = [
    "BEGIN:VTIMEZONE", "TZID:Europe/Vienna", "BEGIN:STANDARD", "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
  ]

  @Test func `a main component and its overrides stay together, wherever they stand`() throws {
    let text = calendarText(
      "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20260112T090000Z", "END:VEVENT",
      "BEGIN:VEVENT", "UID:b", "END:VEVENT",
      "BEGIN:VEVENT", "UID:a", "RRULE:FREQ=DAILY", "END:VEVENT")
    let items = try split(text)
    #expect(items.map(\.uid.text) == ["a", "b"])
    #expect(
      lines(items[0]) == [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:a",
        "RECURRENCE-ID:20260112T090000Z", "END:VEVENT", "BEGIN:VEVENT", "UID:a",
        "RRULE:FREQ=DAILY", "END:VEVENT", "END:VCALENDAR",
      ])
  }

  @Test func `an item takes the time zones that it names, and no other`() throws {
    let event = ["BEGIN:VEVENT", "UID:a", "DTSTART;TZID=\"Europe/Vienna\":20260105T090000"]
    let other = ["END:VEVENT", "BEGIN:VEVENT", "UID:b", "DTSTART:20260105T090000Z", "END:VEVENT"]
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0"] + Self.vienna
    let all = head + event + other + ["END:VCALENDAR", ""]
    let items = try split(Array(all.joined(separator: "\r\n").utf8))
    #expect(lines(items[0]).contains("TZID:Europe/Vienna"))
    #expect(!lines(items[1]).contains("BEGIN:VTIMEZONE"))
  }

  @Test func `a name of a zone means what the item's own calendar says`() throws {
    func calendar(_ uid: String, _ offset: String, _ name: String, _ more: String) -> String {
      (["BEGIN:VCALENDAR", "VERSION:2.0"]
        + Self.vienna.map {
          $0.replacing("Europe/Vienna", with: name).replacing("+0100", with: offset)
        } + [
          "BEGIN:VEVENT", "UID:\(uid)", "\(more);TZID=\(name):20260105T090000", "END:VEVENT",
          "END:VCALENDAR", "",
        ]).joined(separator: "\r\n")
    }
    let lab = { calendar($0, $1, "Lab", $2) }
    let two = try split(Array((lab("a", "+0100", "DTSTART") + lab("b", "+0500", "DTSTART")).utf8))
    #expect(two.map { lines($0).contains("TZOFFSETTO:+0500") } == [false, true])
    #expect(two.map { lines($0).contains("TZOFFSETTO:+0100") } == [true, false])

    func refusals(_ text: String) -> [String] {
      CalendarSplitter(SyntaxTree(bytes: Array(text.utf8)), calendar: "work", digest: sha256)
        .items().compactMap {
          guard case .failure(let refusal) = $0 else { return nil }
          return refusal.uid.text
        }
    }
    let series = lab("a", "+0100", "DTSTART")
    #expect(refusals(series + lab("a", "+0500", "RECURRENCE-ID")) == ["a"])
    #expect(refusals(series + lab("a", "+0100", "RECURRENCE-ID")).isEmpty)
    // It means the same everywhere.
    let known = calendar("a", "+0100", "Europe/Vienna", "DTSTART")
    #expect(refusals(known + calendar("a", "+0200", "Europe/Vienna", "RECURRENCE-ID")).isEmpty)
  }

  @Test func `what belongs to the calendar is left out, METHOD above all`() throws {
    let items = try split(
      calendarText(
        "METHOD:PUBLISH", "X-WR-CALNAME:Holidays", "CALSCALE:GREGORIAN", "BEGIN:VEVENT", "UID:a",
        "X-OWN:kept", "END:VEVENT"))
    let text = lines(try #require(items.first))
    #expect(text.contains("CALSCALE:GREGORIAN"))
    #expect(text.contains("X-OWN:kept"))
    #expect(!text.contains { $0.hasPrefix("METHOD") || $0.hasPrefix("X-WR") })
  }

  @Test func `an event without a UID gets the same one each time it is imported`() throws {
    let text = calendarText(
      "BEGIN:VEVENT", "DTSTART;VALUE=DATE:20260501", "SUMMARY:Labour Day", "END:VEVENT")
    let first = try #require(try split(text).first)
    #expect(first.isUIDMade)
    #expect(try split(text).map(\.uid) == [first.uid])
    #expect(try split(text, into: "home").map(\.uid) != [first.uid])
    #expect(lines(first).contains("UID:\(first.uid.text)"))
    // What was imported is an item like any other, and the same content.
    #expect(try ItemText(first.data.bytes, file: "").uid == first.uid)
  }

  @Test func `unlike events of one title and time are two, equal ones are one`() throws {
    func event(_ place: String) -> [String] {
      ["BEGIN:VEVENT", "DTSTART:20260501T090000Z", "SUMMARY:A", "LOCATION:\(place)", "END:VEVENT"]
    }
    let all =
      ["BEGIN:VCALENDAR"] + event("x") + event("y") + event("x") + ["END:VCALENDAR", ""]
    let items = try split(Array(all.joined(separator: "\r\n").utf8))
    #expect(items.count == 2)
    #expect(Set(items.map(\.uid)).count == 2)
  }

  @Test func `two different events of one UID are left out, and the rest is not`() throws {
    let text = calendarText(
      "BEGIN:VEVENT", "UID:q", "DTSTART:20260105T090000Z", "SUMMARY:Dentist", "END:VEVENT",
      "BEGIN:VEVENT", "UID:q", "DTSTART:20260209T140000Z", "SUMMARY:Choir", "END:VEVENT",
      "BEGIN:VEVENT", "UID:r", "DTSTART:20260105T090000Z", "END:VEVENT",
      "BEGIN:VEVENT", "UID:s", "DTSTART:20260105T090000Z", "END:VEVENT",
      "BEGIN:VTODO", "UID:s", "RECURRENCE-ID:20260105T090000Z", "END:VTODO")
    let results = CalendarSplitter(SyntaxTree(bytes: text), calendar: "work", digest: sha256)
      .items()
    #expect(try split(text).map(\.uid.text) == ["r"])
    guard case .failure(let refusal) = results[0] else {
      Issue.record("two events in one item")
      return
    }
    #expect(refusal.uid.text == "q")
    #expect(refusal.reason.contains("(\"Dentist\", \"Choir\")"), "\(refusal.reason)")
  }

  @Test func `copies that times and counters alone tell apart are one, the newest`() throws {
    func event(_ more: String...) -> [String] {
      ["BEGIN:VEVENT", "UID:a", "DTSTART:20260501T090000Z"] + more + ["SUMMARY:A", "END:VEVENT"]
    }
    let all =
      ["BEGIN:VCALENDAR"] + event("DTSTAMP:20260101T000000Z", "SEQUENCE:1")
      + event("DTSTAMP:20260102T000000Z", "SEQUENCE:2", "CREATED:20250101T000000Z")
      + event("DTSTAMP:20260103T000000Z") + ["END:VCALENDAR", ""]
    let items = try split(Array(all.joined(separator: "\r\n").utf8))
    try #require(items.count == 1)
    let found = lines(items[0])
    #expect(found.count { $0 == "BEGIN:VEVENT" } == 1)
    #expect(found.contains("SEQUENCE:2"))
  }

  @Test func `folded and escaped UIDs are found by a look at the bytes`() {
    let uid = "a,b\\c-" + String(repeating: "0123456789", count: 9)
    let line = Array("UID:a\\,b\\\\c-".utf8) + Array(String(repeating: "0123456789", count: 9).utf8)
    for fold in 4...line.count {
      let text = line[..<fold] + Array("\r\n ".utf8) + line[fold...]
      #expect(mayMention(Array(uid.utf8), in: Array(text)), "folded at \(fold)")
    }
    #expect(!mayMention(Array("other".utf8), in: line))
    #expect(!mayMention(Array("0123x".utf8), in: line))
  }
}
