import ICalendar
import TestSupport
import Testing

@Suite struct CarryChangeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let old: String
    let new: String
    let other: String
    let result: String

    init(_ what: String, old: String, new: String, onto other: String, gives result: String) {
      testDescription = what
      self.old = old
      self.new = new
      self.other = other
      self.result = result
    }
  }

  private static func calendar(_ inside: String, _ ending: String) -> SyntaxTree {
    let source =
      "BEGIN:VCALENDAR | BEGIN:VEVENT | UID:1 | \(inside) | END:VEVENT | END:VCALENDAR | "
    return SyntaxTree(bytes: utf8(source.replacing(" | ", with: ending)))
  }

  private static let alarmA = "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:-PT5M | END:VALARM"
  private static let alarmC = "BEGIN:VALARM | ACTION:AUDIO | TRIGGER:-PT15M | END:VALARM"
  private static let alarmB = "BEGIN:VALARM | ACTION:DISPLAY | TRIGGER:-PT9M | END:VALARM"

  static let cases = [
    Case(
      "a changed property is changed, in its place",
      old: "SUMMARY:a | LOCATION:b", new: "SUMMARY:c | LOCATION:b",
      onto: "X-SERVER:1 | SUMMARY;X=1:a | LOCATION:B",
      gives: "X-SERVER:1 | SUMMARY:c | LOCATION:B"),
    Case(
      "a start that moves takes along an end that is said as a duration there",
      old: "DTSTART:20260105T100000Z | DURATION:PT1H | SUMMARY:a",
      new: "DTSTART:20260105T140000Z | DURATION:PT1H | SUMMARY:a",
      onto: "DTSTART:20260105T100000Z | DTEND:20260105T110000Z | SUMMARY:b",
      gives: "DTSTART:20260105T140000Z | SUMMARY:b | DURATION:PT1H"),
    Case(
      "a new end does not stand beside a duration",
      old: "DTSTART;VALUE=DATE:20260105", new: "DTSTART;VALUE=DATE:20260105 | DTEND:20260107",
      onto: "DTSTART;VALUE=DATE:20260105 | DURATION:P1D",
      gives: "DTSTART;VALUE=DATE:20260105 | DTEND:20260107"),
    Case(
      "a title alone leaves two ways to say the end",
      old: "DTSTART:20260105T100000Z | DURATION:PT1H | SUMMARY:a",
      new: "DTSTART:20260105T100000Z | DURATION:PT1H | SUMMARY:c",
      onto: "DTSTART:20260105T100000Z | DTEND:20260105T110000Z | SUMMARY:a",
      gives: "DTSTART:20260105T100000Z | DTEND:20260105T110000Z | SUMMARY:c"),
    Case(
      "what the server dropped stays dropped",
      old: "SUMMARY:a | X-MINE:1", new: "SUMMARY:c | X-MINE:1",
      onto: "SUMMARY:a", gives: "SUMMARY:c"),
    Case(
      "what was dropped and then changed is added in front of the alarms",
      old: "SUMMARY:a | X-MINE:1", new: "SUMMARY:a | X-MINE:2",
      onto: "SUMMARY:a | \(alarmA) | X-LATE:1",
      gives: "SUMMARY:a | X-MINE:2 | \(alarmA) | X-LATE:1"),
    Case(
      "a removed property is removed", old: "SUMMARY:a | COMMENT:x", new: "SUMMARY:a",
      onto: "COMMENT:x | SUMMARY:a", gives: "SUMMARY:a"),
    Case(
      "lines of one name travel together where both had the same",
      old: "COMMENT:a | COMMENT:b", new: "COMMENT:a | COMMENT:c | COMMENT:d",
      onto: "COMMENT:b | X:1 | COMMENT:a",
      gives: "COMMENT:a | COMMENT:c | COMMENT:d | X:1"),
    Case(
      "attendees travel one by one", old: "ATTENDEE:mailto:a | ATTENDEE:mailto:b",
      new: "ATTENDEE:mailto:a | ATTENDEE:mailto:c | ATTENDEE:mailto:d",
      onto: "ATTENDEE;S=2:mailto:a | X:1 | ATTENDEE;S=2:mailto:b",
      gives: "ATTENDEE;S=2:mailto:a | ATTENDEE:mailto:c | ATTENDEE:mailto:d | X:1"),
    Case(
      "an answer leaves an attendee alone whom the server does not keep",
      old: "ATTENDEE:mailto:b", new: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:B",
      onto: "ATTENDEE;X=1:mailto:b | ATTENDEE;ROLE=CHAIR:mailto:a",
      gives: "ATTENDEE;X=1;PARTSTAT=ACCEPTED:mailto:B | ATTENDEE;ROLE=CHAIR:mailto:a"),
    Case(
      "of one attendee what changed travels, and not what a server made of the rest",
      old: "ATTENDEE;CN=BOB;PARTSTAT=NEEDS-ACTION:mailto:b",
      new: "ATTENDEE;CN=BOB;SCHEDULE-STATUS=2.0;PARTSTAT=ACCEPTED:mailto:b",
      onto: "ATTENDEE;RSVP=TRUE;PARTSTAT=NEEDS-ACTION;CN=Bob:MAILTO:b",
      gives: "ATTENDEE;RSVP=TRUE;PARTSTAT=ACCEPTED;CN=Bob;SCHEDULE-STATUS=2.0:MAILTO:b"),
    Case(
      "an answer that is there already leaves the line as it is",
      old: "ATTENDEE;CN=BOB:mailto:b", new: "ATTENDEE;CN=BOB;PARTSTAT=ACCEPTED:mailto:b",
      onto: "ATTENDEE;CN=Bob;PARTSTAT=\"ACCEPTED\":mailto:b",
      gives: "ATTENDEE;CN=Bob;PARTSTAT=\"ACCEPTED\":mailto:b"),
    Case(
      "of a line with one parameter twice, the whole travels",
      old: "ATTENDEE;X=1;X=2:mailto:b", new: "ATTENDEE;X=1;X=3:mailto:b",
      onto: "ATTENDEE;CN=Bob:mailto:b", gives: "ATTENDEE;X=1;X=3:mailto:b"),
    Case(
      "an organizer gets what became of the answer to him, and keeps his name",
      old: "ORGANIZER:mailto:a", new: "ORGANIZER;SCHEDULE-STATUS=2.0:mailto:a",
      onto: "ORGANIZER;CN=Ann:mailto:a", gives: "ORGANIZER;CN=Ann;SCHEDULE-STATUS=2.0:mailto:a"),
    Case(
      "another organizer comes as a whole",
      old: "ORGANIZER;CN=ANN:mailto:a", new: "ORGANIZER;CN=Bob:mailto:b",
      onto: "ORGANIZER;CN=Ann:mailto:a", gives: "ORGANIZER;CN=Bob:mailto:b"),
    Case(
      "an organizer takes the place of the one whom the server has added",
      old: "SUMMARY:a", new: "SUMMARY:a | ORGANIZER:mailto:b",
      onto: "SUMMARY:a | ORGANIZER:mailto:x", gives: "SUMMARY:a | ORGANIZER:mailto:b"),
    Case(
      "an attendee whom the server took off the list goes, and one it never had stays",
      old: "ATTENDEE:mailto:b", new: "SUMMARY:x",
      onto: "ATTENDEE:mailto:a | SUMMARY:y | ATTENDEE:mailto:b",
      gives: "ATTENDEE:mailto:a | SUMMARY:x"),
    Case(
      "attendees whom the server spells otherwise travel together",
      old: "ATTENDEE:/principals/a", new: "ATTENDEE;PARTSTAT=ACCEPTED:/principals/a",
      onto: "ATTENDEE:mailto:a", gives: "ATTENDEE;PARTSTAT=ACCEPTED:/principals/a"),
    Case(
      "one of them who is taken off the list is off it",
      old: "ATTENDEE:mailto:a | ATTENDEE:mailto:b", new: "ATTENDEE:mailto:a",
      onto: "ATTENDEE:/principals/a | ATTENDEE:/principals/b", gives: "ATTENDEE:mailto:a"),
    Case(
      "those whom the server left out stay, also where it added another one",
      old: "ATTENDEE:mailto:a | ATTENDEE:mailto:x",
      new: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a | ATTENDEE:mailto:x",
      onto: "ATTENDEE:mailto:a | ATTENDEE:mailto:b | ATTENDEE:mailto:c",
      gives: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a | ATTENDEE:mailto:b | ATTENDEE:mailto:c"),
    Case(
      "attendees in another order are in that order",
      old: "ATTENDEE:mailto:a | ATTENDEE:mailto:b", new: "ATTENDEE:mailto:b | ATTENDEE:mailto:a",
      onto: "ATTENDEE:mailto:a | ATTENDEE:mailto:b",
      gives: "ATTENDEE:mailto:b | ATTENDEE:mailto:a"),
    Case(
      "what does not count does not travel",
      old: "DTSTAMP:20260101T000000Z | SUMMARY:a | X;A=1:1",
      new: "DTSTAMP:20260202T000000Z | x;A=\"1\":1 | SUMM |  ARY:a",
      onto: "SUMMARY:b", gives: "SUMMARY:b"),
    Case(
      "an added alarm is added", old: "A:1 | \(alarmA)", new: "A:1 | \(alarmA) | \(alarmB)",
      onto: "\(alarmA) | A:1", gives: "\(alarmA) | \(alarmB) | A:1"),
    Case(
      "an alarm that is back where it was dropped is there once", old: "A:1",
      new: "A:1 | \(alarmA)", onto: "A:1 | \(alarmB) | \(alarmA)",
      gives: "A:1 | \(alarmB) | \(alarmA)"),
    Case(
      "a removed alarm is found by its trigger", old: "\(alarmA) | \(alarmB)", new: "\(alarmB)",
      onto: "\(alarmA.replacing(" | END", with: " | X:1 | END")) | \(alarmB)", gives: "\(alarmB)"),
    Case(
      "an alarm changes inside", old: "\(alarmA) | \(alarmB)",
      new: "\(alarmA) | \(alarmB.replacing("PT9M", with: "PT8M"))",
      onto: "\(alarmA) | BEGIN:VALARM | X:1 | TRIGGER:-PT9M | ACTION:DISPLAY | END:VALARM",
      gives: "\(alarmA) | BEGIN:VALARM | X:1 | TRIGGER:-PT8M | ACTION:DISPLAY | END:VALARM"),
    Case(
      "an alarm that the server dropped stays dropped", old: "A:1 | \(alarmA)",
      new: "A:2 | \(alarmA)", onto: "A:1", gives: "A:2"),
    Case(
      "alarms go that stand in another order there", old: "A:1 | \(alarmA) | \(alarmB)",
      new: "A:2", onto: "A:1 | \(alarmB) | \(alarmA)", gives: "A:2"),
    Case(
      "an alarm that moved is no change", old: "A:1 | \(alarmA) | \(alarmB)",
      new: "A:2 | \(alarmB) | \(alarmA)", onto: "A:1 | \(alarmA)", gives: "A:2 | \(alarmA)"),
    Case(
      "an alarm of the server's own goes, and the others stand in another order",
      old: "\(alarmC) | \(alarmB) | \(alarmA)", new: "\(alarmA) | \(alarmB)",
      onto: "\(alarmA) | \(alarmB)", gives: "\(alarmA) | \(alarmB)"),
    Case(
      "lines that cannot be read travel too", old: "odd line | A:1", new: "other line | A:1",
      onto: "A:1", gives: "A:1 | other line"),
    Case(
      "a fold gets the line ends of the text", old: "A:1", new: "A:1 | B:fol |  ded", onto: "A:1",
      gives: "A:1 | B:fol |  ded"),
  ]

  @Test(arguments: cases, [("\r\n", "\n"), ("\n", "\r\n"), ("\n", "\n")])
  func `a change travels`(one: Case, ends: (String, String)) {
    let old = Self.calendar(one.old, ends.0)
    let new = Self.calendar(one.new, ends.0)
    let other = Self.calendar(one.other, ends.1)
    let result = carryChange(from: old, to: new, onto: other)
    #expect(result.map(text) == text(Self.calendar(one.result, ends.1).bytes))
  }

  private func tree(_ components: String...) -> SyntaxTree {
    let source = "BEGIN:VCALENDAR | \(components.joined(separator: " | ")) | END:VCALENDAR | "
    return SyntaxTree(bytes: utf8(source.replacing(" | ", with: "\n")))
  }

  private func event(_ lines: String) -> String { "BEGIN:VEVENT | UID:1 | \(lines) | END:VEVENT" }

  @Test func `overrides and zones come and go with the series`() {
    let main = event("RRULE:FREQ=DAILY")
    let first = event("RECURRENCE-ID:20260101T000000Z | SUMMARY:x")
    let second = event("RECURRENCE-ID:20260102T000000Z | SUMMARY:y")
    let zone = "BEGIN:VTIMEZONE | TZID:A | END:VTIMEZONE"
    let result = carryChange(
      from: tree(main, first), to: tree(zone, main, second),
      onto: tree("X-S:1", first, event("X-S:2 | RRULE:FREQ=DAILY")))
    let expected = tree("X-S:1", zone, event("X-S:2 | RRULE:FREQ=DAILY"), second)
    #expect(result.map(text) == text(expected.bytes))
  }

  @Test func `an override that the server had dropped and has again is no second one`() {
    let main = event("RRULE:FREQ=DAILY")
    let own = event("RECURRENCE-ID:20260101T000000Z | SUMMARY:x")
    let theirs = event("RECURRENCE-ID:20260101T000000Z | SUMMARY:y")
    for override in [own, theirs] {
      let result = carryChange(
        from: tree(main), to: tree(main, override), onto: tree(main, own))
      #expect(result.map(text) == text(tree(main, override).bytes))
    }
  }

  @Test func `another UID is refused, and so is what is not whole`() {
    let one = tree(event("A:1"))
    let other = tree("BEGIN:VEVENT | UID:2 | A:1 | END:VEVENT")
    #expect(carryChange(from: one, to: other, onto: one) == nil)
    #expect(carryChange(from: one, to: tree(event("A:1"), "BEGIN:VEVENT"), onto: one) == nil)
    #expect(carryChange(from: one, to: SyntaxTree(bytes: []), onto: one) == nil)
    #expect(carryChange(from: one, to: one, onto: SyntaxTree(bytes: utf8("BEGIN:"))) == nil)
    #expect(carryChange(from: one, to: tree(), onto: one) == nil)
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `no change changes nothing`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let item = SyntaxTree(bytes: makeEvent(number: random.number(0...9), seed: seed))
    let same = rewritten(item, &random)
    let other = changed(item, &random)
    #expect(carryChange(from: item, to: item, onto: other) == other.bytes, "seed \(seed)")
    #expect(carryChange(from: item, to: same, onto: other) == other.bytes, "seed \(seed)")
  }

  @Test(arguments: 0..<150 as Range<UInt64>)
  func `onto what means the same as the old it gives what means the same as the new`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed &+ 1000)
    let old = SyntaxTree(bytes: makeEvent(number: random.number(0...9), seed: seed))
    let new = changed(old, &random)
    let other = rewritten(old, &random)
    #expect(canonicalForm(of: other) == canonicalForm(of: old), "seed \(seed)")
    let result = try #require(carryChange(from: old, to: new, onto: other), "seed \(seed)")
    #expect(
      canonicalForm(of: SyntaxTree(bytes: result)) == canonicalForm(of: new), "seed \(seed)")
  }

  @Test func `many overrides are carried in time`() throws {
    func series(_ count: Int, _ title: String) -> SyntaxTree {
      let overrides = (0..<count).map { event("RECURRENCE-ID:\($0) | SUMMARY:\(title) \($0)") }
      let alarms = (0..<count).map { "BEGIN:VALARM | X:\(title) \($0) | END:VALARM" }
      return tree(event(alarms.joined(separator: " | ")), overrides.joined(separator: " | "))
    }
    func time(_ count: Int) throws -> Duration {
      let (old, new) = (series(count, "a"), series(count + 10, "b"))
      return try threadTime {
        let result = try #require(carryChange(from: old, to: new, onto: old))
        #expect(canonicalForm(of: SyntaxTree(bytes: result)) == canonicalForm(of: new))
      }
    }
    let small = try time(100)
    #expect(try time(1000) < max(small, .milliseconds(20)) * 40)
  }

  /// The same item in another layout.
  private func rewritten(_ tree: SyntaxTree, _ random: inout SeededRandom) -> SyntaxTree {
    var bytes = tree.bytes
    if random.oneIn(2) { bytes = utf8(text(bytes).replacing("\r\n", with: "\n")) }
    if random.oneIn(2) { bytes = utf8(text(bytes).replacing("SUMMARY:", with: "summary:")) }
    if random.oneIn(2) {
      bytes = utf8(text(bytes).replacing("DTSTART:", with: "DTSTART;VALUE=DATE-TIME:"))
    }
    var copy = SyntaxTree(bytes: bytes)
    for component in copy.calendars.flatMap(\.components) where random.oneIn(2) {
      guard let line = component.lines.randomElement(using: &random) else { continue }
      guard let property = line.property, component.lines(named: text(line.name)).count == 1
      else { continue }
      // A line elsewhere in its component means the same.
      try? copy.insert(property, in: component.id)
      try? copy.remove(line.id)
    }
    return copy
  }

  /// The item after some edits of the kinds that people make.
  private func changed(_ tree: SyntaxTree, _ random: inout SeededRandom) -> SyntaxTree {
    var copy = tree
    let alarm = SyntaxTree(
      bytes: utf8("BEGIN:VALARM\nTRIGGER:-PT\(random.number(1...3))M\nEND:VALARM\n"))
    for _ in 0..<random.number(1...5) {
      guard let component = copy.calendars.flatMap(\.components).randomElement(using: &random)
      else { continue }
      let children = component.components
      switch random.number(0...5) {
      case 0: try? copy.set(Property("SUMMARY", text: "t\(random.number(0...3))"), in: component.id)
      case 1:
        try? copy.insert(Property("COMMENT", text: "c\(random.number(0...3))"), in: component.id)
      case 2:
        let kept = ["UID", "RECURRENCE-ID", "TZID"]
        let lines = component.lines.filter { line in !kept.contains { line.isNamed($0) } }
        if let line = lines.randomElement(using: &random) { try? copy.remove(line.id) }
      case 3:
        if let new = alarm.root.components.first {
          _ = try? copy.insert(
            new, in: component.id, after: children.randomElement(using: &random)?.id)
        }
      case 4:
        if let child = children.randomElement(using: &random) { try? copy.remove(child.id) }
      default:
        if component.isNamed("VTIMEZONE") || component.line(named: "RECURRENCE-ID") != nil {
          try? copy.remove(component.id)
        }
      }
    }
    return SyntaxTree(bytes: copy.bytes)
  }
}
