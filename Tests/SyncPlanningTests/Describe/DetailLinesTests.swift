import ICalendar
import SyncPlanning
import Testing

/// What stands below a change whose words only count or leave out.
@Suite struct DetailLinesTests {
  /// Lines of an event before and after, and the lines below what is said of them.
  struct Case: Sendable, CustomTestStringConvertible {
    let before: String
    let after: String
    let lines: [String]
    var testDescription: String { lines.joined(separator: "; ") }

    init(_ before: String, _ after: String, _ lines: String...) {
      self.before = before
      self.after = after
      self.lines = lines
    }
  }

  private static let ann = "ATTENDEE;CN=Ann:mailto:ann@x"
  private static let weekly = "DTSTART:20260105T100000 | RRULE:FREQ=WEEKLY"
  private static let long = Array(repeating: "long", count: 20).joined(separator: " ")

  private static func alarm(_ lines: String, at trigger: String = "-PT15M") -> String {
    "A:1 | BEGIN:VALARM | \(lines) | TRIGGER:\(trigger) | END:VALARM"
  }

  static let sets = [
    Case(
      ann, "\(ann) | ATTENDEE;CN=\"Bo Berg\":MAILTO:Bo@x | ATTENDEE:mailto:cy@x",
      "+ Bo Berg <bo@x>", "+ cy@x"),
    Case(ann, "A:1", "- Ann <ann@x>"),
    Case("ATTENDEE:mailto:ann@x", "A:1"),
    Case(
      ann, "ATTENDEE;CN=Anna;ROLE=CHAIR:mailto:ann@x", "  name: Ann → Anna",
      "  role: CHAIR added"),
    Case(
      "ATTENDEE;RSVP=TRUE:mailto:ann@x", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@x",
      "  answer asked for: TRUE removed"),
    Case(
      "ORGANIZER;CN=Otto:mailto:otto@x", "ORGANIZER;CN=Otto Ott;X-A=1:MAILTO:otto@x",
      "  name: Otto → Otto Ott", "  X-A: 1 added"),
    Case(
      alarm("ACTION:DISPLAY"), alarm("ACTION:AUDIO | REPEAT:2"), "  action: DISPLAY → AUDIO",
      "  repetitions: 2 added"),
    Case(alarm("ACTION:DISPLAY"), alarm("ACTION:AUDIO", at: "-PT1H"), "  action: DISPLAY → AUDIO"),
    Case(alarm("ACTION:DISPLAY"), alarm("ACTION:DISPLAY", at: "-PT1H")),
    Case("ATTACH:x/1", "ATTACH:x/2", "+ x/2", "- x/1"),
    Case(
      "A:1", "A:1 | ATTACH;FMTTYPE=image/png;ENCODING=BASE64;VALUE=BINARY:aGVsbG8=",
      "+ image/png, 5 bytes"),
    Case(
      "A:1 | COMMENT:a", "A:1 | COMMENT:a | COMMENT:bring\\nfood | COMMENT:c", "+ bring", "+ food",
      "+ c"),
    Case(
      weekly, "\(weekly) | EXDATE:20260112,20260119,20260126,20260202", "+ 12 January 2026",
      "+ 19 January 2026", "+ 26 January 2026", "+ 2 February 2026"),
    Case("RESOURCES:a,b", "RESOURCES:b,a", "- a, b", "+ b, a"),
    Case("A:1", "A:1 | DESCRIPTION:one\\ntwo", "+ one", "+ two"),
    Case("A:1 | SUMMARY:\(long)", "A:1", "- \(long)"),
    Case("SUMMARY:A", "SUMMARY:B"),
  ]

  private static func notes(_ lines: String...) -> String {
    "DESCRIPTION:" + lines.joined(separator: "\\n")
  }

  static let texts = [
    Case(notes("one", "two", "three"), notes("one", "2", "three"), "- two", "+ 2"),
    Case(notes("one", "two"), notes("one", "two", "three"), "+ three"),
    Case(notes("one", "two", "three"), notes("two", "three"), "- one"),
    Case(
      notes("a", "one", "b", "c", "two", "d"), notes("a", "1", "b", "c", "2", "d"), "- one",
      "+ 1", "…", "- two", "+ 2"),
    Case("SUMMARY:\(long)", "SUMMARY:\(long)er", "- \(long)", "+ \(long)er"),
  ]

  private func lines(_ one: Case) -> [String] {
    let trees = [one.before, one.after].map { lines in
      let text = "BEGIN:VCALENDAR | BEGIN:VEVENT | UID:1 | \(lines) | END:VEVENT | END:VCALENDAR | "
      return SyntaxTree(bytes: Array(text.replacing(" | ", with: "\r\n").utf8))
    }
    return describeChange(from: trees[0], to: trees[1]).flatMap(\.details).map { line in
      switch line.mark {
      case .removed: "- \(line.text)"
      case .added: "+ \(line.text)"
      case .changed: "  \(line.text)"
      case .alike: "…"
      }
    }
  }

  @Test(arguments: sets)
  func `each one that came, went or was changed is named`(one: Case) {
    #expect(lines(one) == one.lines)
  }

  @Test(arguments: texts)
  func `of a text the lines are shown that changed`(one: Case) {
    #expect(lines(one) == one.lines)
  }

  @Test func `of very long texts all lines between the first and the last change are shown`() {
    let old = (0..<900).map(String.init).joined(separator: "\\n")
    let shown = lines(
      Case("DESCRIPTION:start\\n\(old)\\nend", "DESCRIPTION:begin\\n\(old)\\nstop"))
    #expect(shown.count == 2 * 902)
    #expect(!shown.contains("…"))
  }
}
