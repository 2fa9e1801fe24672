import ICalendar
import TestSupport
import Testing

/// PITFALLS E4: nothing traps, and ten times the text takes about ten times as long.
@Suite(.serialized) struct HostileSizeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Int) -> [UInt8]
  }

  private static func wrapped(_ bytes: [UInt8]) -> [UInt8] {
    utf8("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n") + bytes + utf8("\nEND:VEVENT\nEND:VCALENDAR\n")
  }

  private static func many(_ text: String, _ count: Int) -> [UInt8] {
    utf8(String(repeating: text, count: count))
  }

  static let cases = [
    Case(testDescription: "one long line") { wrapped(utf8("DESCRIPTION:") + many(" x", $0 / 2)) },
    Case(testDescription: "one line of folds") { wrapped(utf8("A:") + many("\r\n x", $0 / 4)) },
    Case(testDescription: "one line of blank folds") {
      wrapped(utf8("A:1") + many("\n\n ", $0 / 3))
    },
    Case(testDescription: "many properties") { wrapped(many("X-A:1\n", $0 / 6)) },
    Case(testDescription: "many names") { size in
      wrapped((0..<(size / 12)).flatMap { utf8("X-LONGNAME\($0):1\n") })
    },
    Case(testDescription: "many parameters") {
      wrapped(utf8("A") + many(";B=\"c\"", $0 / 6) + utf8(":1"))
    },
    Case(testDescription: "many values") {
      wrapped(utf8("A;B=c") + many(",\"c\"", $0 / 4) + utf8(":1"))
    },
    Case(testDescription: "open quotes") { wrapped(many("A;B=\"c:1\n", $0 / 9)) },
    Case(testDescription: "nested components") { many("BEGIN:X\n", $0 / 8) },
    Case(testDescription: "unclosed components") {
      wrapped(many("BEGIN:X\nBEGIN:Y\nEND:X\n", $0 / 22))
    },
    Case(testDescription: "stray ends") { wrapped(many("END:X\n", $0 / 6)) },
    Case(testDescription: "components") { wrapped(many("BEGIN:VALARM\nEND:VALARM\n", $0 / 24)) },
    Case(testDescription: "blank lines") { wrapped(many("\n", $0)) },
    Case(testDescription: "carriage returns") { wrapped(many("\r", $0)) },
    Case(testDescription: "blanks") { many(" ", $0) },
    Case(testDescription: "rule parts") { wrapped(utf8("RRULE:") + many("BYDAY=MO;", $0 / 9)) },
    Case(testDescription: "not UTF-8") { wrapped([UInt8](repeating: 0x80, count: $0)) },
    Case(testDescription: "lines not UTF-8") { size in
      wrapped((0..<(size / 4)).flatMap { _ in [0x41, 0x3A, 0xFF, 0x0A] as [UInt8] })
    },
    Case(testDescription: "uids") { size in
      wrapped([]) + (0..<(size / 70)).flatMap { number in wrapped(utf8("X:\(number)")) }
    },
  ]

  @Test(arguments: cases)
  func `time grows with the size and not faster`(one: Case) {
    let small = time(one.make(30_000))
    let large = time(one.make(300_000))
    // Ten times the text; forty times leaves room for a busy machine, quadratic would be hundred.
    #expect(large < max(small, .milliseconds(8)) * 40, "\(small) and \(large)")
  }

  @Test func `ten megabytes in a line, a million lines, ten thousand levels are read`() {
    let line = Self.wrapped(utf8("X:") + [UInt8](repeating: 0x61, count: 10_000_000))
    #expect(SyntaxTree(bytes: line).wholeness == .whole)
    #expect(canonicalForm(of: SyntaxTree(bytes: line)).count > 10_000_000)
    let lines = Self.wrapped(Self.many("X:1\n", 1_000_000))
    let tree = SyntaxTree(bytes: lines)
    #expect(tree.calendars.first?.components.first?.lines.count == 1_000_001)
    let nested = Self.many("BEGIN:X\n", 10_000) + Self.many("END:X\n", 10_000)
    #expect(SyntaxTree(bytes: nested).bytes == nested)
    #expect(SyntaxTree(bytes: nested).wholeness == .notCalendar(line: 1))
  }

  private func time(_ bytes: [UInt8]) -> Duration {
    leastThreadTime {
      let tree = SyntaxTree(bytes: bytes)
      #expect(tree.bytes.count == bytes.count)
      _ = tree.diagnostics
      _ = tree.wholeness
      _ = CalendarObject(tree).uids
      _ = tree.root.lines.first?.parameters.count
      _ = canonicalForm(of: tree)
      _ = wireForm(of: bytes)
    }
  }
}
