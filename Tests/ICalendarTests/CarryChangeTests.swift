import ICalendar
import TestSupport
import Testing

/// What one side changed, brought to the text of the other one: the rows of `Fixtures/carry`, and
/// what holds of random changes.
@Suite struct CarryChangeTests {
  private static func calendar(_ inside: String, _ ending: String) -> SyntaxTree {
    let source =
      "BEGIN:VCALENDAR | BEGIN:VEVENT | UID:1 | \(inside) | END:VEVENT | END:VCALENDAR | "
    return SyntaxTree(bytes: utf8(source.replacing(" | ", with: ending)))
  }

  private static let lineEnds = [("\r\n", "\r\n"), ("\r\n", "\n"), ("\n", "\r\n"), ("\n", "\n")]

  @Test func `there are rows`() throws {
    let rows = try CarryRow.all()
    #expect(rows.count >= 70)
  }

  @Test(arguments: try CarryRow.all(), lineEnds)
  func `a change travels`(row: CarryRow, ends: (String, String)) {
    let old = Self.calendar(row.old, ends.0)
    let new = Self.calendar(row.new, ends.0)
    let other = Self.calendar(row.other, ends.1)
    let result = carryChange(from: old, to: new, onto: other)
    #expect(result.map(text) == text(Self.calendar(row.result, ends.1).bytes))
    // What is there already is there once.
    let again = result.flatMap { carryChange(from: old, to: new, onto: SyntaxTree(bytes: $0)) }
    #expect(again.map(text) == result.map(text))
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
      return try leastThreadTime {
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
