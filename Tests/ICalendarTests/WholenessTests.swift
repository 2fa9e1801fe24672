import ICalendar
import TestSupport
import Testing

@Suite struct WholenessTests {
  static let expected: [(String, Wholeness)] = [
    ("plain-event", .whole), ("line-ends-cr", .whole), ("no-final-line-end", .whole),
    ("byte-order-mark", .whole), ("byte-order-mark-twice", .whole), ("fold-inside-begin", .whole),
    ("calendars-several", .whole), ("nul-and-controls", .whole), ("blanks-only-lines", .whole),
    ("missing-colon", .whole), ("unterminated-quote", .whole), ("text-after-calendar", .whole),
    ("content-lines-before-calendar", .whole), ("calendar-empty", .whole),
    ("trailing-blanks", .whole), ("nested-70-deep", .whole), ("names-lower-case", .whole),
    ("fold-inside-character", .whole),
    ("empty", .empty), ("only-blanks", .empty), ("only-byte-order-mark", .empty),
    ("unclosed-calendar", .cutOff(line: 1)), ("unclosed-event", .cutOff(line: 4)),
    ("cut-off-in-line", .cutOff(line: 1)), ("cut-off-in-begin", .cutOff(line: 1)),
    ("ends-crossed", .cutOff(line: 4)), ("stray-end", .strayEnd(line: 11)),
    ("begin-with-parameter", .strayEnd(line: 6)),
    ("not-utf8-latin1", .notUTF8(line: 6)), ("not-utf8-surrogate", .notUTF8(line: 6)),
    ("text-before-calendar", .notCalendar(line: 1)), ("vcard-instead", .notCalendar(line: 1)),
    ("html-instead", .notCalendar(line: 1)),
    ("conflict-markers", .conflictMarker(line: 9)),
    ("conflict-markers-around", .conflictMarker(line: 1)),
    ("text-like-conflict-markers", .whole),
  ]

  @Test(arguments: expected)
  func `a file is whole or says what it lacks`(name: String, wholeness: Wholeness) {
    #expect(SyntaxTree(bytes: Fixture.named(name)).wholeness == wholeness)
  }

  /// What a reader may see of a file while it is written.
  @Test(arguments: 0..<6)
  func `a beginning of a calendar is empty or cut off, never whole`(number: Int) {
    let bytes = makeEvent(number: number, seed: 7)
    #expect(SyntaxTree(bytes: bytes).wholeness == .whole)
    for count in 0..<(bytes.count - 2) {
      let wholeness = SyntaxTree(bytes: Array(bytes.prefix(count))).wholeness
      switch wholeness {
      case .empty: #expect(count == 0)
      case .cutOff: break
      case .whole, .notCalendar, .conflictMarker, .strayEnd, .notUTF8, .tooLarge:
        Issue.record("\(wholeness) after \(count) bytes of event \(number)")
      }
    }
  }
}
