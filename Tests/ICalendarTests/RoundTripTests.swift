import ICalendar
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test func `there are at least forty odd fixtures`() {
    #expect(Fixture.all.count >= 40)
  }

  @Test(arguments: Fixture.all)
  func `a fixture is given back byte for byte`(fixture: Fixture) {
    let tree = SyntaxTree(bytes: fixture.bytes)
    #expect(tree.bytes == fixture.bytes)
    #expect(tree.root.bytes == fixture.bytes, "the lines of the tree are the whole text")
  }

  @Test(arguments: 0..<40)
  func `any bytes are given back`(hundred: Int) {
    for number in 0..<100 {
      let seed = UInt64(hundred * 100 + number)
      let bytes = OddBytes.random(seed: seed)
      check(bytes, "random text of seed \(seed)")
    }
  }

  @Test(arguments: Fixture.all)
  func `a damaged fixture is given back`(fixture: Fixture) {
    for seed in 0..<60 as Range<UInt64> {
      check(OddBytes.mutate(fixture.bytes, seed: seed), "\(fixture.name) damaged by seed \(seed)")
    }
  }

  /// Reads a text, walks all of it, and wants it back.
  private func check(_ bytes: [UInt8], _ what: Comment) {
    let tree = SyntaxTree(bytes: bytes)
    #expect(tree.bytes == bytes, what)
    #expect(tree.root.bytes == bytes, what)
    #expect(linesInOrder(tree.root) == linesByRange(tree, bytes), what)
    for diagnostic in tree.diagnostics {
      #expect(diagnostic.line >= 1 && diagnostic.column >= 1, what)
    }
    let wire = wireForm(of: bytes)
    #expect(wireForm(of: wire) == wire, what)
    let same = canonicalForm(of: SyntaxTree(bytes: wire)) == canonicalForm(of: tree)
    #expect(same, what)
    _ = tree.wholeness
    _ = CalendarObject(tree).summary
  }

  private func linesInOrder(_ component: Component) -> [[UInt8]] {
    component.entries.flatMap { entry -> [[UInt8]] in
      switch entry {
      case .line(let line): [line.source]
      case .component(let component): linesInOrder(component)
      }
    }
  }

  private func linesByRange(_ tree: SyntaxTree, _ bytes: [UInt8]) -> [[UInt8]] {
    ranges(tree.root).sorted { $0.lowerBound < $1.lowerBound }.map { Array(bytes[$0]) }
  }

  private func ranges(_ component: Component) -> [Range<Int>] {
    component.lines.compactMap(\.sourceRange) + component.components.flatMap(ranges)
  }
}
