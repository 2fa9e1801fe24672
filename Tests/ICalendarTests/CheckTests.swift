import ICalendar
import Testing

/// What `check` finds in texts, without time zones and rules.
@Suite struct CheckTests {
  private func found(_ bytes: [UInt8]) -> [String] {
    SyntaxTree(bytes: bytes).findings.map { "\($0.code.rawValue) \($0.line):\($0.column)" }
  }

  private func found(_ text: String) -> [String] { found(utf8(text)) }

  /// A calendar with nothing wrong but what is put into its event.
  private func event(_ lines: String..., end: String = "\r\n") -> String {
    let all =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//", "BEGIN:VEVENT", "UID:a",
        "DTSTAMP:20260101T000000Z", "DTSTART:20260105T090000Z",
      ] + lines + ["END:VEVENT", "END:VCALENDAR"]
    return all.map { $0 + end }.joined()
  }

  @Test func `nothing is found in what RFC 5545 shows as an example`() {
    #expect(found(event("SUMMARY:Networld+Interop Conference\\, and more\\;\\nx\\\\y")).isEmpty)
    let valid = ["plain-event", "plain-todo", "plain-journal", "recurring-with-override"]
    for name in valid {
      let errors = SyntaxTree(bytes: Fixture.named(name)).findings.filter { $0.severity == .error }
      #expect(errors.isEmpty, "\(name) \(errors)")
    }
  }

  @Test(arguments: [
    ("", ["empty-file 1:1"]), (" \r\n", ["empty-file 1:1"]), ("<html>\n", ["not-icalendar 1:1"]),
    ("BEGIN:VCARD\r\nEND:VCARD\r\n", ["not-icalendar 1:1"]),
  ])
  func `what is no calendar is told so and nothing else`(text: String, expected: [String]) {
    #expect(found(text) == expected)
  }

  @Test func `lines`() {
    #expect(found(event(end: "\n")) == ["bare-line-feed 1:16"])
    #expect(found(event(end: "\r")) == ["bare-carriage-return 1:16"])
    #expect(found("\u{FEFF}" + event()) == ["byte-order-mark 1:1"])
    #expect(found(String(event().dropLast())) == ["missing-line-end 9:14"])
    #expect(found(event("", "SUMMARY:x")) == ["blank-line 8:1"])
    #expect(found(event("SUMMARY:a\u{7}b")) == ["control-character 8:10"])
    let long = "SUMMARY:" + String(repeating: "x", count: 68)
    #expect(found(event(long)) == ["long-line 8:76"])
    #expect(found(event(String(long.dropLast()))).isEmpty)
    let cut = utf8(event("SUMMARY:Caf?x")).split(separator: UInt8(ascii: "?"))
    let folded = Array(cut[0]) + [0xC3, 0x0D, 0x0A, 0x20, 0xA9] + Array(cut[1])
    #expect(found(folded) == ["cut-character 8:13"])
    let latin = Array(cut[0]) + [0xE9] + Array(cut[1])
    #expect(found(latin) == ["invalid-utf-8 8:12"])
  }

  @Test(arguments: [
    ("SUMMARY", "missing-colon 8:8"), ("SUM MARY:x", "bad-name 8:4"),
    ("SUMMARY;X=\"a:b", "unterminated-quote 8:11"), ("SUMMARY;LANGUAGE:x", "bad-parameter 8:9"),
    ("SUMMARY;=de:x", "bad-parameter 8:9"), ("SUMMARY;A=b;X=a\"b\":x", "bad-parameter 8:13"),
    ("SUMMARY:", "empty-value 8:1"), ("SUMMARY:one, two", "bad-escape 8:12"),
    ("LOCATION:one;two", "bad-escape 8:13"), ("DESCRIPTION:C:\\dir", "bad-escape 8:15"),
    ("SUMMARY:a\\", "bad-escape 8:10"), ("DTSTAMP:20260101T000000Z", "repeated-property 8:1"),
    ("dtstart:20260101T000000Z", "repeated-property 8:1"),
    ("CREATED:00011301T000000Z", "bad-timestamp 8:9"),
    ("LAST-MODIFIED:20260101", "bad-timestamp 8:15"), ("SEQUENCE:-1", "bad-number 8:10"),
    ("SEQUENCE:1.5", "bad-number 8:10"), ("PRIORITY:10", "bad-number 8:10"),
    ("GEO:abc", "bad-number 8:5"), ("GEO:48.2", "bad-number 8:5"),
    ("GEO:48.2,16.37", "bad-number 8:5"), ("GEO:48.2;inf", "bad-number 8:5"),
    ("SEQUENCE:99999999999999999999", "bad-number 8:10"), ("STATUS:DONE", "bad-status 8:8"),
    ("BEGIN:VALARM\r\nACTION:DISPLAY\r\nEND:VALARM", "bad-alarm 8:1"),
    (
      "BEGIN:VEVENT\r\nUID:b\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260101\r\nEND:VEVENT",
      "misplaced-component 8:1"
    ),
    ("DURATION:PT1H\r\nDTEND:20260105T100000Z", "end-and-duration 8:1"),
  ])
  func `a line of an event`(line: String, expected: String) {
    #expect(found(event(line)) == [expected])
  }

  @Test func `what has to be there`() {
    let bare = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    #expect(
      found(bare) == [
        "missing-prodid 1:1", "missing-version 1:1", "missing-dtstamp 2:1", "missing-dtstart 2:1",
        "missing-uid 2:1",
      ])
    for uid in ["UID:", "UID: ", "UID: \t ", "UID:\\n "] {
      #expect(found(event().replacing("UID:a", with: uid)) == ["missing-uid 5:1"], "'\(uid)'")
    }
    #expect(
      found("BEGIN:VCALENDAR\r\nVERSION:1.0\r\nPRODID:x\r\nMETHOD:PUBLISH\r\nEND:VCALENDAR\r\n")
        == ["empty-calendar 1:1", "bad-version 2:9", "stored-method 4:1"])
    // RFC 5545 §3.6.1: with METHOD an event may do without a start.
    #expect(
      found(
        event().replacing("DTSTART:20260105T090000Z\r\n", with: "")
          .replacing("PRODID", with: "METHOD:CANCEL\r\nPRODID")) == ["stored-method 3:1"])
  }

  @Test func `components out of place`() {
    let text = event() + event().replacing("UID:a", with: "UID:b")
    #expect(found(text) == ["several-calendars 10:1"])
    let odd = event().replacing("BEGIN:VEVENT", with: "BEGIN:VTHING\r\nEND:VTHING\r\nBEGIN:VEVENT")
    #expect(found(odd) == ["unknown-component 4:1"])
    #expect(found(odd.replacing("VTHING", with: "X-THING")).isEmpty)
    let alarm = event().replacing(
      "BEGIN:VEVENT",
      with: "BEGIN:VALARM\r\nACTION:A\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nBEGIN:VEVENT")
    #expect(found(alarm) == ["misplaced-component 4:1"])
    #expect(found(event().replacing("END:VEVENT\r\n", with: "")) == ["missing-end 4:1"])
    #expect(found(event("END:VTODO")) == ["stray-end 8:1"])
  }

  @Test func `an item has one main component, and is of one kind`() {
    func second(_ kind: String, _ lines: String) -> String {
      event().replacing(
        "END:VCALENDAR",
        with: "BEGIN:\(kind)\r\nUID:a\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260106T090000Z\r\n"
          + "\(lines)END:\(kind)\r\nEND:VCALENDAR")
    }
    #expect(found(second("VEVENT", "")) == ["main-twice 9:1"])
    #expect(found(second("VTODO", "")) == ["main-twice 9:1"])
    #expect(found(second("VTODO", "RECURRENCE-ID:20260106T090000Z\r\n")) == ["main-twice 9:1"])
    #expect(found(second("VEVENT", "RECURRENCE-ID:20260106T090000Z\r\n")).isEmpty)
    #expect(found(event() + event()).contains("main-twice 13:1"))
  }

  @Test func `a text with a million mistakes has a list that ends`() {
    let text = event(String(repeating: "X:\r\n", count: 5000) + "X:1")
    let findings = SyntaxTree(bytes: utf8(text)).findings
    #expect(findings.count == CheckFinding.limit + 1)
    #expect(findings.last?.code == .more)
  }

  @Test func `each code has a message and a severity, and those of notes are the notes' own`() {
    for code in CheckCode.allCases { #expect(!code.message.isEmpty, "\(code)") }
    for note in ValueNote.allCases where note != .endBeforeStart {
      #expect(CheckCode(note).rawValue == note.rawValue)
      #expect(CheckCode(note).severity == .warning)
    }
    for code in Diagnostic.Code.allCases {
      #expect(CheckCode(rawValue: code.rawValue)?.message.isEmpty == false, "\(code)")
    }
  }

  @Test(arguments: Fixture.all)
  func `any text can be checked`(fixture: Fixture) {
    let findings = SyntaxTree(bytes: fixture.bytes).findings
    #expect(findings.allSatisfy { $0.line >= 1 && $0.column >= 1 && !$0.message.isEmpty })
  }
}
