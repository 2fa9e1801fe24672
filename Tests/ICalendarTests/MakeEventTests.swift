import ICalendar
import TestSupport
import Testing

@Suite struct MakeEventTests {
  @Test func `made items are whole, varied, and about 1.5 KB`() {
    var sizes = 0
    var kinds: Set<String> = []
    var overrides = 0
    var zones = 0
    for number in 0..<500 {
      let bytes = makeEvent(number: number, seed: 11)
      let tree = SyntaxTree(bytes: bytes)
      let object = CalendarObject(tree)
      #expect(tree.wholeness == .whole && tree.diagnostics.isEmpty, "number \(number)")
      #expect(object.uids == [utf8(uid(ofEvent: number))], "number \(number)")
      #expect(object.lastModified != nil && !object.summary.isEmpty, "number \(number)")
      sizes += bytes.count
      kinds.formUnion(object.kinds)
      overrides += object.components.count { $0.isOverride }
      zones += tree.calendars[0].components.count { $0.isNamed("VTIMEZONE") }
    }
    #expect((1300...1700).contains(sizes / 500), "\(sizes / 500) bytes")
    #expect(kinds == ["VEVENT", "VTODO"])
    #expect(overrides > 50 && zones > 100 && zones < 400)
  }

  @Test func `number and seed say what is made`() {
    #expect(makeEvent(number: 3, seed: 5) == makeEvent(number: 3, seed: 5))
    #expect(makeEvent(number: 3, seed: 5) != makeEvent(number: 3, seed: 6))
    #expect(makeEvent(number: 3, seed: 5) != makeEvent(number: 4, seed: 5))
  }
}
