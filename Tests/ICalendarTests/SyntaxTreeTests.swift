import ICalendar
import Testing

@Suite struct SyntaxTreeTests {
  /// A tree as indented names and values, to be read at a glance.
  private func outline(_ component: Component, _ indent: String = "") -> [String] {
    component.entries.flatMap { entry -> [String] in
      switch entry {
      case .line(let line):
        [indent + (line.isMalformed ? "?" : text(line.name) + "=" + text(line.value))]
      case .component(let inner): [indent + "[\(text(inner.name))]"] + outline(inner, indent + " ")
      }
    }
  }

  @Test func `lines and components keep their order`() {
    let tree = SyntaxTree(
      bytes: utf8("BEGIN:VCALENDAR\nA:1\nBEGIN:VEVENT\nB:2\nEND:VEVENT\nC:3\nEND:VCALENDAR\nD:4"))
    #expect(outline(tree.root) == ["[VCALENDAR]", " A=1", " [VEVENT]", "  B=2", " C=3", "D=4"])
    #expect(tree.calendars.first?.lines.map(\.lineNumber) == [2, 6])
    #expect(tree.calendars.first?.components.first?.parent?.id == tree.calendars.first?.id)
  }

  @Test(arguments: [
    ("SUMMARY:plain", "SUMMARY", "plain"),
    ("SUM\r\n MARY:fo\r\n ld\n\ted", "SUMMARY", "folded"),
    ("SUMMARY:a\r\r\n b", "SUMMARY", "ab"),
    ("SUMMARY:a\n\n\n b", "SUMMARY", "ab"),
    ("DESCRIPTION;ALTREP=\"http://x/;,\":a:b", "DESCRIPTION", "a:b"),
    ("summary;X=:", "summary", ""),
    ("X_A.b-1:=", "X_A.b-1", "="),
  ])
  func `a line has a name and an unfolded value`(source: String, name: String, value: String) {
    let line = SyntaxTree(bytes: utf8(source)).root.lines.first
    #expect(line?.name == utf8(name))
    #expect(line?.value == utf8(value))
    #expect(line?.source == utf8(source))
    #expect(line?.sourceRange == 0..<source.utf8.count)
    #expect(line?.isNamed(name.uppercased()) == true)
  }

  @Test func `a fold inside a character is undone on bytes`() {
    let tree = SyntaxTree(bytes: Fixture.named("fold-inside-character"))
    let event = CalendarObject(tree).components.first
    #expect(event?.summary?.text == "Café 🎂")
    #expect(tree.wholeness == .whole)
  }

  @Test func `parameters are unquoted and cut outside quotes only`() {
    let source = "ATTENDEE;CN=\"Doe; Jane: 'JD', Dr\";MEMBER=\"a\",\"b\",c;X=;RSVP:mailto:j@x"
    let line = SyntaxTree(bytes: utf8(source)).root.lines.first
    #expect(line?.parameters.map { text($0.name) } == ["CN", "MEMBER", "X", "RSVP"])
    #expect(
      line?.parameters.map { $0.values.map(text) } == [
        ["Doe; Jane: 'JD', Dr"], ["a", "b", "c"], [""], [],
      ])
    #expect(line?.parameter(named: "cn")?.values == [utf8("Doe; Jane: 'JD', Dr")])
    #expect(line?.value == utf8("mailto:j@x"))
  }

  /// RFC 6868 §3.2.
  @Test func `carets are kept raw and decoded on demand`() {
    let line = SyntaxTree(bytes: utf8("A;CN=George ^'Babe^' Ruth^n^^^x^:v")).root.lines.first
    #expect(line?.parameters.first?.values == [utf8("George ^'Babe^' Ruth^n^^^x^")])
    #expect(line?.parameters.first?.texts == [utf8("George \"Babe\" Ruth\n^^x^")])
    #expect(Parameter("CN", text: "a\"b\nc^").values == [utf8("a^'b^nc^^")])
  }

  @Test(arguments: ["BEGIN:VEVENT", "begin:vevent ", "Begin: VEvent", "BEG\n IN:VEV\n ENT"])
  func `a component opens however its BEGIN is written`(begin: String) {
    let tree = SyntaxTree(bytes: utf8("\(begin)\nA:1\nEnd:vEVENT\nB:2"))
    #expect(tree.root.components.first?.isNamed("VEVENT") == true)
    #expect(tree.root.components.first?.isClosed == true)
    #expect(tree.root.lines.map(\.value) == [utf8("2")])
  }

  @Test func `an END closes the components inside that have none`() {
    let tree = SyntaxTree(bytes: utf8("BEGIN:A\nBEGIN:B\nX:1\nBEGIN:C\nY:2\nEND:A\nZ:3\n"))
    #expect(outline(tree.root) == ["[A]", " [B]", "  X=1", "  [C]", "   Y=2", "Z=3"])
    #expect(tree.diagnostics.map(\.code) == [.missingEnd, .missingEnd])
    #expect(tree.diagnostics.map(\.line) == [2, 4])
  }

  @Test func `components deeper than the limit are kept as lines`() {
    let depth = SyntaxTree.depthLimit + 6
    let source =
      String(repeating: "BEGIN:A\n", count: depth) + "X:1\n"
      + String(repeating: "END:A\n", count: depth)
    let tree = SyntaxTree(bytes: utf8(source))
    var deepest = tree.root
    var levels = 0
    while let inner = deepest.components.first {
      deepest = inner
      levels += 1
    }
    #expect(levels == SyntaxTree.depthLimit)
    #expect(deepest.lines.count == 13, "six BEGIN, X, six END")
    #expect(tree.diagnostics.map(\.code) == [.tooDeep])
    #expect(tree.diagnostics.first?.line == SyntaxTree.depthLimit + 1)
  }
}
