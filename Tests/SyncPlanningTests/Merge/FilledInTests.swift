import ICalendar
import SyncModel
import SyncPlanning
import Testing

/// A choir rehearses each week. One side's program writes anew what it has: nobody edited that.
@Suite struct FilledInTests {
  private static let bob = "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org"
  private static let carol = "ATTENDEE;PARTSTAT=ACCEPTED:mailto:carol@example.org"
  private static let lines = [
    "SUMMARY:Choir", "CATEGORIES:Music,Church", "ORGANIZER:mailto:alice@example.org", bob, carol,
  ]
  private static let time = ["DTSTART:20260105T090000Z", "DTEND:20260105T100000Z"]
  private static let rule = ["RRULE:FREQ=WEEKLY;COUNT=10"]
  private static let date = ["RECURRENCE-ID:20260112T090000Z"]
  private static let otherTime = ["DTSTART:20260112T110000Z", "DTEND:20260112T120000Z"]

  private static func item(_ parts: [String]...) -> SyntaxTree {
    let events = parts.flatMap { part in
      ["BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z"] + part + ["END:VEVENT"]
    }
    let text =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//EN"] + events
      + ["END:VCALENDAR", ""]
    return SyntaxTree(bytes: Array(text.joined(separator: "\r\n").utf8))
  }

  private static func series(_ lines: [String] = Self.lines) -> [String] { time + rule + lines }

  private static func occurrence(_ lines: [String] = Self.lines) -> [String] {
    date + otherTime + lines
  }

  /// What comes out for both sides; nil for a conflict.
  private func merged(
    _ base: SyntaxTree, _ edited: SyntaxTree, _ writtenAnew: SyntaxTree, on side: Side
  ) -> MergedTexts? {
    let (local, remote) = side == .local ? (writtenAnew, edited) : (edited, writtenAnew)
    let outcome = merge(
      base: BothSides(base, base), local: local, remote: remote,
      times: EditTimes(local: nil, remote: nil))
    guard case .merged(let texts) = outcome else { return nil }
    return texts
  }

  private func text(_ bytes: [UInt8]?) -> String {
    bytes.map { String(decoding: $0, as: UTF8.self) } ?? "a conflict"
  }

  // MARK: The series and the occurrence that is moved

  /// A line of the series, what a program makes of it, and what the other side does; nil for none.
  private static let respelt: [(line: String?, anew: [String], edited: String?)] = [
    (nil, ["STATUS:CONFIRMED"], "STATUS:CANCELLED"),
    (nil, ["CLASS:PUBLIC"], "CLASS:PRIVATE"),
    (nil, ["TRANSP:OPAQUE"], "TRANSP:TRANSPARENT"),
    (nil, ["PRIORITY:0"], "PRIORITY:1"),
    (nil, ["URL:"], "URL:https://example.org/choir"),
    ("SUMMARY:Choir", ["SUMMARY;LANGUAGE=en:Choir"], "SUMMARY:Rehearsal"),
    ("SUMMARY:Choir", ["SUMMARY;X-NOTE=1:Choir"], "SUMMARY:Rehearsal"),
    (
      "CATEGORIES:Music,Church", ["CATEGORIES:Church", "CATEGORIES:Music"],
      "CATEGORIES:Music,Church,Winter"
    ),
    (carol, ["ATTENDEE;CUTYPE=INDIVIDUAL;PARTSTAT=ACCEPTED:mailto:carol@example.org"], nil),
    (carol, ["ATTENDEE;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:carol@example.org"], nil),
    (carol, ["ATTENDEE;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0:mailto:carol@example.org"], nil),
    (carol, ["ATTENDEE;CN=Carol;PARTSTAT=ACCEPTED:mailto:carol@example.org"], nil),
  ]

  private func replacing(_ line: String?, by new: [String]) -> [String] {
    guard let line else { return Self.lines + new }
    return Self.lines.flatMap { $0 == line ? new : [$0] }
  }

  @Test func `an edit of the series reaches the occurrence that was moved and written anew`() {
    for row in Self.respelt {
      for side in Side.allCases {
        let edited = replacing(row.line, by: row.edited.map { [$0] } ?? [])
        let anew = replacing(row.line, by: row.anew)
        let texts = merged(
          Self.item(Self.series()), Self.item(Self.series(edited)),
          Self.item(Self.series(anew), Self.occurrence(anew)), on: side)
        let expected = Self.item(Self.series(edited), Self.occurrence(edited))
        #expect(sorted(texts?.local) == sorted(expected.bytes), "\(row.anew), \(side)")
        #expect(texts?.local == texts?.remote)
        #expect(texts?.lost == [])
      }
    }
  }

  private func sorted(_ bytes: [UInt8]?) -> [String] {
    text(bytes).split(separator: "\r\n").map(String.init).sorted()
  }

  // MARK: The occurrence alone

  /// A line of an occurrence, and what programs and servers make of it.
  private static let marked: [(line: String, anew: [String])] = [
    (bob, ["ATTENDEE;EMAIL=bob@example.org;PARTSTAT=ACCEPTED:mailto:bob@example.org"]),
    (bob, ["ATTENDEE;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0:mailto:bob@example.org"]),
    (bob, ["ATTENDEE;PARTSTAT=ACCEPTED;X-NUM-GUESTS=0:mailto:bob@example.org"]),
    (bob, ["ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:mailto:bob@example.org"]),
    (
      "ORGANIZER:mailto:alice@example.org",
      ["ORGANIZER;EMAIL=alice@example.org:mailto:alice@example.org"]
    ),
    ("SUMMARY:Choir", ["SUMMARY;LANGUAGE=en:Choir"]),
    (carol, [carol, "BEGIN:VALARM", "ACTION:NONE", "TRIGGER:PT0S", "END:VALARM"]),
  ]

  @Test func `an occurrence that was cancelled does not come back for what is filled in`() {
    let base = Self.item(Self.series(), Self.occurrence())
    let cancelled = Self.item(Self.series() + ["EXDATE:20260112T090000Z"])
    let ended = Self.item(Self.time + ["RRULE:FREQ=WEEKLY;COUNT=1"] + Self.lines)
    for row in Self.marked {
      let marked = Self.item(Self.series(), Self.occurrence(replacing(row.line, by: row.anew)))
      for side in Side.allCases {
        for edited in [cancelled, ended] {
          let texts = merged(base, edited, marked, on: side)
          #expect(sorted(texts?.local) == sorted(edited.bytes), "\(row.anew), \(side)")
          #expect(sorted(texts?.remote) == sorted(edited.bytes), "\(row.anew), \(side)")
          #expect(texts?.lost == [])
        }
      }
    }
  }

  @Test func `a series is moved with its occurrence whatever is filled in there`() {
    let base = Self.item(Self.series(), Self.occurrence())
    let moved = Self.item(
      ["DTSTART:20260105T100000Z", "DTEND:20260105T110000Z"] + Self.rule + Self.lines,
      ["RECURRENCE-ID:20260112T100000Z"] + Self.otherTime + Self.lines)
    for row in Self.marked {
      let marked = Self.item(Self.series(), Self.occurrence(replacing(row.line, by: row.anew)))
      for side in Side.allCases {
        let texts = merged(base, moved, marked, on: side)
        let lines = sorted(texts?.local)
        #expect(lines.contains("RECURRENCE-ID:20260112T100000Z"), "\(row.anew), \(side)")
        #expect(!lines.contains("RECURRENCE-ID:20260112T090000Z"), "\(row.anew), \(side)")
      }
    }
  }

  @Test func `an answer to an occurrence outlives that it is cancelled`() {
    let answer = "ATTENDEE;PARTSTAT=DECLINED;SCHEDULE-STATUS=2.0:mailto:bob@example.org"
    let texts = merged(
      Self.item(Self.series(), Self.occurrence()),
      Self.item(Self.series() + ["EXDATE:20260112T090000Z"]),
      Self.item(Self.series(), Self.occurrence(replacing(Self.bob, by: [answer]))), on: .remote)
    let lines = sorted(texts?.local)
    #expect(lines.contains(answer))
    #expect(texts?.lost.map(\.name) == ["EXDATE"])
  }
}
