import ICalendar
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What gives way in a merge, in words, before anybody has chosen it.
@Suite struct DescribeLossesTests {
  private static func event(_ lines: String...) -> SyntaxTree {
    let inside = lines.map { "BEGIN:VEVENT | UID:1 | \($0) | END:VEVENT" }
    let text = "BEGIN:VCALENDAR | \(inside.joined(separator: " | ")) | END:VCALENDAR | "
    return SyntaxTree(bytes: Array(text.replacing(" | ", with: "\r\n").utf8))
  }

  /// What a side loses, of what both made of `base`, where one of them is newer.
  private func losses(
    of side: Side, _ base: SyntaxTree?, _ local: SyntaxTree, _ remote: SyntaxTree, newer: Side
  ) throws -> [String] {
    let outcome = merge(
      base: base.map { BothSides($0, $0) }, local: local, remote: remote,
      times: MergeCase.times(newer: newer.rawValue), zones: MergeCase.zones)
    guard case .merged(let merged) = outcome else {
      Issue.record("\(outcome)")
      return []
    }
    let version = side == .local ? local : remote
    return describeLosses(
      of: side, in: merged, from: version,
      own: base.map { describeChange(from: $0, to: version, zones: MergeCase.zones) } ?? [],
      zones: MergeCase.zones
    ).map(\.words)
  }

  @Test func `a title that both changed, and nothing that one side changed alone`() throws {
    let base = Self.event("SUMMARY:A | LOCATION:Here")
    let local = Self.event("SUMMARY:B | LOCATION:Here")
    let remote = Self.event("SUMMARY:C | LOCATION:There")
    #expect(try losses(of: .local, base, local, remote, newer: .remote) == ["title \"B\" → \"C\""])
    #expect(try losses(of: .remote, base, local, remote, newer: .remote).isEmpty)
    #expect(try losses(of: .remote, base, local, remote, newer: .local) == ["title \"C\" → \"B\""])
    #expect(try losses(of: .local, base, local, remote, newer: .local).isEmpty)
  }

  @Test func `of versions that never agreed it is what both have unlike`() throws {
    let (local, remote) = (Self.event("SUMMARY:B | X-A:1"), Self.event("SUMMARY:C"))
    #expect(try losses(of: .local, nil, local, remote, newer: .remote) == ["title \"B\" → \"C\""])
  }

  @Test func `of attendees it is the one whom both changed`() throws {
    func guests(_ a: String, _ rest: String = "") -> SyntaxTree {
      Self.event("ATTENDEE;PARTSTAT=\(a):mailto:a@x\(rest)")
    }
    let (base, local) = (guests("NEEDS-ACTION"), guests("ACCEPTED"))
    let remote = guests("DECLINED", " | ATTENDEE:mailto:b@x")
    #expect(
      try losses(of: .local, base, local, remote, newer: .remote)
        == ["attendee a@x: accepted → declined"])
  }

  @Test func `an occurrence is named by its day, and another one is not told of`() throws {
    func series(_ first: String, _ second: String) -> SyntaxTree {
      func day(_ number: Int, _ title: String) -> String {
        "RECURRENCE-ID:202601\(number)T100000Z | DTSTART:202601\(number)T100000Z"
          + " | SUMMARY:\(title)"
      }
      return Self.event(
        "DTSTART:20260105T100000Z | RRULE:FREQ=WEEKLY | SUMMARY:A", day(12, first),
        day(19, second))
    }
    #expect(
      try losses(
        of: .local, series("B", "B"), series("here", "B"), series("there", "C"), newer: .remote)
        == ["occurrence of 12 January 2026: title \"here\" → \"there\""])
  }

  @Test func `that an occurrence was cancelled gives way to its edit`() throws {
    let main = "DTSTART:20260105T100000Z | RRULE:FREQ=WEEKLY | SUMMARY:A"
    let edited =
      "RECURRENCE-ID:20260112T100000Z | DTSTART:20260112T100000Z | SUMMARY:B"
    #expect(
      try losses(
        of: .local, Self.event(main), Self.event("\(main) | EXDATE:20260112T100000Z"),
        Self.event(main, edited), newer: .remote)
        == ["occurrence of 12 January 2026 restored"])
  }

  @Test func `an occurrence in UTC is found by the day that its series has there`() throws {
    let main = "DTSTART;TZID=Europe/Vienna:20260301T003000 | RRULE:FREQ=DAILY | SUMMARY:A"
    func override(_ title: String) -> String {
      "RECURRENCE-ID:20260304T233000Z | DTSTART:20260304T233000Z | SUMMARY:\(title)"
    }
    let (base, local) = (Self.event(main), Self.event("\(main) | EXDATE:20260304T233000Z"))
    #expect(
      try losses(of: .local, base, local, Self.event(main, override("B")), newer: .remote)
        == ["occurrence of 5 March 2026 restored"])
    #expect(
      try losses(
        of: .local, Self.event(main, override("B")), Self.event(main, override("here")),
        Self.event(main, override("there")), newer: .remote)
        == ["occurrence of 5 March 2026: title \"here\" → \"there\""])
  }
}
