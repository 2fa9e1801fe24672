import EventEditing
import ICalendar
import Testing

/// What an organizer's message about single occurrences makes of the series (RFC 5546).
@Suite struct MessageTests {
  private static let times = """
    DTSTART;TZID=Europe/Vienna:20260105T090000
    DTEND;TZID=Europe/Vienna:20260105T100000
    RRULE:FREQ=WEEKLY;COUNT=4
    """

  private func item(_ components: String...) -> CalendarObject {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"]
    for component in components {
      lines += ["BEGIN:VEVENT", "UID:a", "DTSTAMP:20250101T000000Z"]
      lines += component.split(separator: "\n").map(String.init)
      lines.append("END:VEVENT")
    }
    lines += ["END:VCALENDAR", ""]
    return CalendarObject(SyntaxTree(bytes: Array(lines.joined(separator: "\r\n").utf8)))
  }

  /// The lines of a name, of all components in their order.
  private func lines(_ name: String, of text: [UInt8]?) -> [String] {
    String(decoding: text ?? [], as: UTF8.self).split(separator: "\r\n").map(String.init)
      .filter { $0.hasPrefix(name) }
  }

  @Test func `a cancellation of an occurrence and the later ones is of all of them`() throws {
    let series = item(
      Self.times,
      """
      RECURRENCE-ID;TZID=Europe/Vienna:20260126T090000
      DTSTART;TZID=Europe/Vienna:20260126T150000
      DTEND;TZID=Europe/Vienna:20260126T160000
      """)
    let message = item(
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20260119T080000Z\nSTATUS:CANCELLED\nSEQUENCE:2")
    let text = try cancel(series, by: message, context: .forTests)
    #expect(lines("STATUS", of: text) == ["STATUS:CANCELLED", "STATUS:CANCELLED"])
    #expect(lines("SEQUENCE", of: text) == ["SEQUENCE:2", "SEQUENCE:2"])
    let names = lines("RECURRENCE-ID", of: text)
    #expect(names.count == 2)
    #expect(names.contains("RECURRENCE-ID;TZID=Europe/Vienna:20260126T090000"))
    let ranges = names.filter { $0.contains("RANGE=THISANDFUTURE") }
    #expect(ranges == ["RECURRENCE-ID;TZID=Europe/Vienna;RANGE=THISANDFUTURE:20260119T090000"])
    #expect(lines("RRULE", of: text) == ["RRULE:FREQ=WEEKLY;COUNT=4"])
    // A mail is read twice.
    let once = try #require(text)
    let twice = try cancel(
      CalendarObject(SyntaxTree(bytes: once)), by: message, context: .forTests)
    #expect(twice == once)
  }

  @Test func `one of an occurrence alone leaves the later ones`() throws {
    let message = item("RECURRENCE-ID:20260119T080000Z\nSTATUS:CANCELLED\nSEQUENCE:2")
    let text = try cancel(item(Self.times), by: message, context: .forTests)
    #expect(lines("STATUS", of: text) == ["STATUS:CANCELLED"])
    #expect(lines("SEQUENCE", of: text) == ["SEQUENCE:2"])
    #expect(
      lines("RECURRENCE-ID", of: text) == ["RECURRENCE-ID;TZID=Europe/Vienna:20260119T090000"])
  }

  @Test func `an invitation to an occurrence that was deleted here brings it back`() throws {
    let series = item(
      Self.times + "\nEXDATE;TZID=Europe/Vienna:20260112T090000,20260119T090000")
    let message = item(
      "RECURRENCE-ID:20260112T080000Z\nDTSTART:20260114T140000Z\nDTEND:20260114T150000Z")
    let text = try putOccurrences(message, into: series, context: .forTests)
    #expect(lines("EXDATE", of: text) == ["EXDATE;TZID=Europe/Vienna:20260119T090000"])
    #expect(lines("RECURRENCE-ID", of: text) == ["RECURRENCE-ID:20260112T080000Z"])
  }

  @Test func `a cancellation of it leaves it deleted`() throws {
    let series = item(Self.times + "\nEXDATE;TZID=Europe/Vienna:20260112T090000")
    let message = item(
      "RECURRENCE-ID:20260112T080000Z\nDTSTART:20260112T080000Z\nSTATUS:CANCELLED")
    let text = try putOccurrences(message, into: series, context: .forTests)
    #expect(lines("EXDATE", of: text) == ["EXDATE;TZID=Europe/Vienna:20260112T090000"])
  }

  @Test func `an extra date in another zone brings the definition of that zone`() throws {
    var edit = EventEdit()
    try edit.set("RDATE;TZID=America/New_York=20260107T090000")
    let change = try editEvent(item(Self.times), edit, span: .allEvents, context: .forTests)
    #expect(lines("TZID", of: change.item) == ["TZID:America/New_York"])
  }
}
