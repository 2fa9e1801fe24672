import ICalendar
import TestSupport
import Testing

@Suite struct EditingTests {
  /// A text with ` | ` for its line ends.
  private func lines(_ source: String, _ ending: String = "\r\n") -> [UInt8] {
    utf8(source.split(separator: " | ").map { $0 + ending }.joined())
  }

  private func firstEvent(in tree: SyntaxTree) -> Component.ID? {
    tree.calendars.first?.components.first?.id
  }

  /// Changes the first component of the first calendar.
  private func edit(
    _ source: String, ending: String = "\r\n",
    _ change: (inout SyntaxTree, Component.ID) throws -> Void
  ) throws -> String {
    let opening = "BEGIN:VCALENDAR | BEGIN:VEVENT | "
    let closing = " | END:VEVENT | END:VCALENDAR"
    var tree = SyntaxTree(bytes: lines(opening + source + closing, ending))
    try change(&tree, try #require(firstEvent(in: tree)))
    let inside = text(tree.bytes).replacing(ending, with: " | ")
    #expect(inside.hasPrefix(opening) && inside.hasSuffix(closing + " | "))
    return String(inside.dropFirst(opening.count).dropLast(closing.count + 3))
  }

  @Test(arguments: ["\r\n", "\n", "\r"])
  func `a changed line ends like the others, which stay`(ending: String) throws {
    let changed = try edit("X: a |  b | summary;LANGUAGE=de:old |  er | Y:2", ending: ending) {
      try $0.set(Property("SUMMARY", text: "new, now"), in: $1)
    }
    #expect(changed == "X: a |  b | SUMMARY:new\\, now | Y:2")
  }

  @Test func `a line that says the same keeps its folds`() throws {
    let source = "SUMM |  ARY:ol |  d"
    let changed = try edit(source) { try $0.set(Property("SUMMARY", text: "old"), in: $1) }
    #expect(changed == source)
  }

  @Test func `setting a property leaves one line of it`() throws {
    let changed = try edit("A:1 | B:1 | A:2 | a:3") {
      try $0.set(Property("A", value: "4"), in: $1)
    }
    #expect(changed == "A:4 | B:1")
  }

  @Test func `a new line stands in front of the alarms`() throws {
    let changed = try edit("A:1 | BEGIN:VALARM | END:VALARM | C:1") {
      try $0.set(Property("B", value: "2"), in: $1)
    }
    #expect(changed == "A:1 | B:2 | BEGIN:VALARM | END:VALARM | C:1")
  }

  @Test func `lines are added, replaced and removed one by one`() throws {
    let changed = try edit("A:1 | A:2 | B:1 | C:1") { tree, event in
      let lines = try #require(tree[event]).lines
      try tree.replace(lines[1].id, with: Property("A", value: "two"))
      try tree.insert(Property("D", value: "4"), in: event, after: lines[0].id)
      try tree.remove(lines[2].id)
      try tree.removeProperties(named: "c", in: event)
      #expect(tree[lines[2].id] == nil, "a removed line is gone")
      #expect(tree[lines[0].id]?.lineNumber == 3)
      #expect(try #require(tree[event]).lines[1].lineNumber == nil, "a new line has no number")
    }
    #expect(changed == "A:1 | D:4 | A:two")
  }

  @Test func `parameters are quoted where they need it`() throws {
    let changed = try edit("A:1") {
      let parameters = [
        Parameter("CN", text: "Doe, \"J\""), Parameter("X", text: "plain"),
        Parameter(name: utf8("M"), values: [utf8("a:b"), utf8("c")]),
      ]
      try $0.set(Property("ATTENDEE", parameters: parameters, value: "mailto:j@x"), in: $1)
    }
    #expect(changed == "A:1 | ATTENDEE;CN=\"Doe, ^'J^'\";X=plain;M=\"a:b\",c:mailto:j@x")
  }

  @Test func `a long new line is folded at 75 octets between characters`() throws {
    var tree = SyntaxTree(bytes: Fixture.named("plain-event"))
    let long = String(repeating: "日本語🎂", count: 40)
    try tree.set(Property("SUMMARY", text: long), in: try #require(firstEvent(in: tree)))
    let physical = tree.bytes.split(separator: 10).map { $0.dropLast() }
    #expect(physical.allSatisfy { $0.count <= 75 && String(validating: $0, as: UTF8.self) != nil })
    #expect(CalendarObject(SyntaxTree(bytes: tree.bytes)).summary == long)
  }

  @Test func `a line after the last one without a line end gets one`() throws {
    var tree = SyntaxTree(bytes: utf8("BEGIN:VCALENDAR\nBEGIN:VEVENT\nA:1"))
    try tree.set(Property("B", value: "2"), in: try #require(firstEvent(in: tree)))
    #expect(text(tree.bytes) == "BEGIN:VCALENDAR\nBEGIN:VEVENT\nA:1\nB:2\n")
    #expect(tree.calendars.first?.components.first?.lines.count == 2)
  }

  @Test func `components are copied and removed`() throws {
    let other = SyntaxTree(bytes: utf8("BEGIN:VALARM\nX:a\n b\nEND:VALARM\n"))
    let alarm = try #require(other.root.components.first)
    let changed = try edit("A:1 | BEGIN:VALARM | N:1 | END:VALARM | B:1") { tree, event in
      let old = try #require(tree[event]?.components.first?.id)
      let copy = try tree.insert(alarm, in: event, after: old)
      try tree.insert(alarm, in: event)
      try tree.set(Property("Y", value: "1"), in: copy)
      try tree.remove(old)
      #expect(tree[old] == nil)
      #expect(tree[event]?.components.count == 2)
    }
    let alarms = ["X:a |  b | Y:1", "X:a |  b"].map { "BEGIN:VALARM | \($0) | END:VALARM" }
    #expect(changed == "A:1 | \(alarms[0]) | B:1 | \(alarms[1])")
  }

  @Test func `an edit that would break the text is refused and changes nothing`() throws {
    var tree = SyntaxTree(bytes: Fixture.named("plain-event"))
    let event = try #require(firstEvent(in: tree))
    let line = try #require(tree[event]?.lines.first?.id)
    #expect(throws: EditRefusal.badName) { try tree.set(Property("A B", value: ""), in: event) }
    #expect(throws: EditRefusal.badName) { try tree.set(Property("", value: ""), in: event) }
    #expect(throws: EditRefusal.badName) { try tree.set(Property("end", value: "X"), in: event) }
    #expect(throws: EditRefusal.lineBreakInValue) {
      try tree.replace(line, with: Property("A", value: "x\nEND:VEVENT"))
    }
    let quote = Parameter(name: utf8("X"), values: [utf8("a\"b")])
    #expect(throws: EditRefusal.badParameter) {
      try tree.insert(Property("A", parameters: [quote], value: ""), in: event)
    }
    let unclosed = try #require(SyntaxTree(bytes: utf8("BEGIN:X\n")).root.components.first)
    #expect(throws: EditRefusal.notWhole) { try tree.insert(unclosed, in: event) }
    #expect(throws: EditRefusal.notFound) { try tree.remove(tree.root.id) }
    let deep = String(repeating: "BEGIN:X\n", count: 63) + String(repeating: "END:X\n", count: 63)
    let deepest = try #require(SyntaxTree(bytes: utf8(deep)).root.components.first)
    #expect(throws: EditRefusal.tooDeep) { try tree.insert(deepest, in: event) }
    #expect(tree.bytes == Fixture.named("plain-event"))
    try tree.remove(line)
    #expect(throws: EditRefusal.notFound) { try tree.remove(line) }
  }

  @Test func `nothing is put where it would come to mean something else`() throws {
    var tree = SyntaxTree(bytes: utf8("BEGIN:A\nBEGIN:B\nX:1\nEND:A\n"))
    let outer = try #require(tree.root.components.first)
    let inner = try #require(outer.components.first)
    let whole = try #require(SyntaxTree(bytes: utf8("BEGIN:C\nEND:C\n")).root.components.first)
    #expect(throws: EditRefusal.notWhole) { try tree.insert(whole, in: outer.id) }
    try tree.insert(whole, in: inner.id)
    #expect(text(tree.bytes) == "BEGIN:A\nBEGIN:B\nX:1\nBEGIN:C\nEND:C\nEND:A\n")

    let levels = SyntaxTree.depthLimit + 1
    let many = { (line: String) in String(repeating: line, count: levels) }
    var deep = SyntaxTree(bytes: utf8(many("BEGIN:X\n") + many("END:X\n")))
    var deepest = deep.root
    while let next = deepest.components.first { deepest = next }
    let bracket = try #require(deepest.lines.first?.id)
    #expect(throws: EditRefusal.notWhole) { try deep.remove(bracket) }
  }

  @Test func `at the front of a text nothing is mistaken for a mark or a fold`() throws {
    var mark = SyntaxTree(bytes: utf8("A:1\n\u{FEFF}B:2\n"))
    let first = try #require(mark.root.lines.first?.id)
    #expect(throws: EditRefusal.notWhole) { try mark.remove(first) }
    var blanks = SyntaxTree(bytes: utf8("\n \n"))
    let root = blanks.root.id
    #expect(throws: EditRefusal.notWhole) { try blanks.insert(Property("A", value: "1"), in: root) }
    var marked = SyntaxTree(bytes: utf8("\u{FEFF}\nA:1\n"))
    try marked.remove(try #require(marked.root.lines.first?.id))
    try marked.insert(Property("B", value: "2"), in: marked.root.id)
    #expect(text(marked.bytes) == "\u{FEFF}B:2\r\n\n")
  }

  @Test func `a copy of a tree is not changed with it`() throws {
    let before = SyntaxTree(bytes: Fixture.named("plain-event"))
    var after = before
    try after.set(Property("SUMMARY", text: "x"), in: try #require(firstEvent(in: after)))
    #expect(before.bytes == Fixture.named("plain-event"))
    #expect(before.bytes != after.bytes)
  }

  @Test(arguments: 0..<120 as Range<UInt64>)
  func `after any edits the tree is the tree of its text`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let start =
      random.oneIn(2)
      ? OddBytes.mutate(makeEvent(number: 1, seed: seed), seed: seed)
      : makeEvent(number: Int(seed), seed: seed)
    var tree = SyntaxTree(bytes: start)
    for step in 0..<12 {
      let before = tree.bytes
      let done = (try? randomEdit(of: &tree, &random)) != nil
      let again = SyntaxTree(bytes: tree.bytes)
      let what: Comment = "seed \(seed), step \(step), \(done ? "done" : "refused")"
      #expect((outline(again.root) == outline(tree.root)) == true, what)
      #expect((canonicalForm(of: again) == canonicalForm(of: tree)) == true, what)
      if !done { #expect(tree.bytes == before, what) }
    }
  }

  private func randomEdit(of tree: inout SyntaxTree, _ random: inout SeededRandom) throws {
    let all = components(tree.root)
    let component = random.one(of: all)
    let lines = component.lines
    let property = Property(
      random.one(of: ["SUMMARY", "X-A", "DTSTAMP"]), text: "n\(random.next())")
    switch random.number(0...5) {
    case 0: try tree.set(property, in: component.id)
    case 1 where !lines.isEmpty: try tree.replace(random.one(of: lines).id, with: property)
    case 2 where !lines.isEmpty: try tree.remove(random.one(of: lines).id)
    case 3: try tree.insert(random.one(of: all), in: component.id)
    case 4 where !component.components.isEmpty:
      let sibling = random.one(of: component.components)
      try tree.insert(random.one(of: all), in: component.id, after: sibling.id)
    case 5: try tree.remove(component.id)
    default: try tree.insert(property, in: component.id, after: lines.last?.id)
    }
  }

  private func components(_ component: Component) -> [Component] {
    [component] + component.components.flatMap(components)
  }

  private func outline(_ component: Component) -> [[UInt8]] {
    component.entries.flatMap { entry -> [[UInt8]] in
      switch entry {
      case .line(let line): [line.source]
      case .component(let inner):
        [[0x5B] + inner.name] + outline(inner) + [[inner.isClosed ? 0x5D : 0x3F]]
      }
    }
  }
}
