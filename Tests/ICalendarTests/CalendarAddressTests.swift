import ICalendar
import Testing

/// Which addresses of attendees are one person's.
@Suite struct CalendarAddressTests {
  @Test(arguments: [
    ("mailto:ann@example.org", "MAILTO:Ann@Example.ORG", true),
    ("mailto:ann@example.org", "mailto:%61nn@example%2Eorg", true),
    ("mailto:ann@example.org", "mailto:ann%40example.org", true),
    ("mailto:ann+cal@example.org", "mailto:ann%2bcal@example.org", true),
    ("mailto:ann%20b@example.org", "mailto:ann b@example.org", false),
    ("mailto:\u{E4}nn@example.org", "mailto:%C3%A4nn@example.org", true),
    ("mailto:ann@example.org", "mailto:anna@example.org", false),
    ("mailto:ann@example.org", "https://example.org/ann", false),
    // Decoded once.
    ("mailto:%2561nn@example.org", "mailto:ann@example.org", false),
    ("mailto:100%", "mailto:100%25", true), ("mailto:a%4", "MAILTO:A%4", true),
    ("/principals/%7eann/", "/principals/~Ann/", true),
    // A slash within a name is no separator of a path.
    ("/principals/a%2Fb/", "/principals/a/b/", false),
    ("/principals/a%2fb/", "/principals/a%2Fb/", true), ("", "", true),
  ])
  func `spellings of one address have one key`(one: String, other: String, isOne: Bool) {
    let keys = [one, other].map { CalendarAddress.key(of: $0.utf8) }
    #expect((keys[0] == keys[1]) == isOne, "\(keys.map { String(decoding: $0, as: UTF8.self) })")
  }

  @Test func `a server's spelling of addresses is no edit of a person`() {
    func item(_ lines: String...) -> SyntaxTree {
      let all = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u"] + lines
      return SyntaxTree(
        bytes: Array((all + ["END:VEVENT", "END:VCALENDAR", ""]).joined(separator: "\r\n").utf8))
    }
    let ours = item(
      "ORGANIZER:mailto:ann@example.org", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org")
    let theirs = item(
      "ORGANIZER:MAILTO:Ann@Example.org", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:b%6Fb@example.org")
    let answered = item(
      "ORGANIZER:mailto:ann@example.org", "ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.org")
    #expect(essence(of: ours) == essence(of: theirs))
    #expect(essence(of: ours) != essence(of: answered))
  }
}
