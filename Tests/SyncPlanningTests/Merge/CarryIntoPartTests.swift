import ICalendar
import SyncModel
import SyncPlanning
import Testing

/// A daily training was split on the fifth day, and from there on has another title. Meanwhile the
/// other side changed the whole of it.
@Suite struct CarryIntoPartTests {
  private static let whole = ["DESCRIPTION:far", "SUMMARY:Training"]
  private static let part = ["DESCRIPTION:far", "SUMMARY:Swimming"]
  private static let alarm = ["BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT9M", "END:VALARM"]
  private static let override = [
    "END:VEVENT", "BEGIN:VEVENT", "UID:later", "DTSTAMP:20260101T000000Z",
    "RECURRENCE-ID:20260308T100000Z", "DTSTART:20260308T120000Z", "SUMMARY:Late",
  ]

  /// What the other side made of the whole; what the part then has, or nothing where it stays.
  private static let rows: [(what: String, changed: [String], carried: [String]?)] = [
    ("nothing", whole, nil),
    ("a place", whole + ["LOCATION:Hall"], part + ["LOCATION:Hall"]),
    (
      "an attendee", whole + ["ATTENDEE:mailto:ann@example.org"],
      part + ["ATTENDEE:mailto:ann@example.org"]
    ),
    ("an alarm", whole + alarm, part + alarm),
    ("no description", ["SUMMARY:Training"], ["SUMMARY:Swimming"]),
    ("an occurrence cancelled", whole + ["EXDATE:20260303T100000Z"], nil),
    ("nothing but that it was touched", whole + ["SEQUENCE:4"], nil),
  ]

  private static func tree(_ uid: String, _ times: [String], _ lines: [String]) -> SyntaxTree {
    let start = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20260101T000000Z",
    ]
    let text = start + times + lines + ["END:VEVENT", "END:VCALENDAR", ""]
    return SyntaxTree(bytes: Array(text.joined(separator: "\r\n").utf8))
  }

  private static func series(_ lines: [String]) -> SyntaxTree {
    tree("whole", ["DTSTART:20260302T100000Z", "RRULE:FREQ=DAILY;COUNT=10"], lines)
  }

  private static func later(_ lines: [String]) -> SyntaxTree {
    tree(
      "later",
      [
        "DTSTART:20260306T110000Z", "RRULE:FREQ=DAILY;COUNT=6",
        "RELATED-TO;RELTYPE=SIBLING:whole",
      ], lines)
  }

  private func carry(
    _ changed: [String], into part: SyntaxTree, on side: Side, newer: Side = .remote
  ) -> SyntaxTree? {
    let base = Self.series(Self.whole)
    let (early, late) = (Instant(seconds: 1_767_225_600), Instant(seconds: 1_767_312_000))
    let times =
      newer == .local
      ? EditTimes(local: late, remote: early) : EditTimes(local: early, remote: late)
    return carryIntoPart(
      part, splitOn: side, since: BothSides(base, base), changed: Self.series(changed),
      times: times, zones: .ownDefinitions
    ).map(SyntaxTree.init(bytes:))
  }

  private func lines(_ tree: SyntaxTree?) -> [String]? {
    tree.map { String(decoding: $0.bytes, as: UTF8.self).split(separator: "\r\n") }?
      .map(String.init).sorted()
  }

  @Test(arguments: rows)
  func `the part gets what was changed of the whole`(
    what: String, changed: [String], carried: [String]?
  ) {
    for side in Side.allCases {
      let result = carry(changed, into: Self.later(Self.part), on: side)
      #expect(lines(result) == lines(carried.map(Self.later)), "\(what)")
      if let result {
        #expect(carry(changed, into: result, on: side) == nil, "\(what), again")
      }
    }
  }

  @Test func `a title that both gave is that of the later edit`() {
    let other = ["DESCRIPTION:far", "SUMMARY:Running"]
    for side in Side.allCases {
      let part = Self.later(Self.part)
      #expect(carry(other, into: part, on: side, newer: side) == nil)
      let result = carry(other, into: part, on: side, newer: side.opposite)
      #expect(lines(result) == lines(Self.later(other)))
    }
  }

  @Test func `what the part changed of one occurrence stays`() {
    let part = Self.later(Self.part + Self.override)
    let result = carry(Self.whole + ["LOCATION:Hall"], into: part, on: .local)
    #expect(lines(result) == lines(Self.later(Self.part + ["LOCATION:Hall"] + Self.override)))
  }
}
