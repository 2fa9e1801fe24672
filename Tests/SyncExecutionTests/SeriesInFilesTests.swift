import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A series and a moved occurrence of it that have a file each.
@Suite struct SeriesInFilesTests {
  private static let series = choir("A", with: "RRULE:FREQ=DAILY")
  private static let moved = choir("B", with: "RECURRENCE-ID:20260106T100500Z")

  private static func choir(_ letter: Character, with line: String) -> ItemData {
    let text = String(decoding: World.event("choir", letter).bytes, as: UTF8.self)
    let stamp = "DTSTAMP:20260101T000000Z\r\n"
    return ItemData(bytes: Array(text.replacing(stamp, with: stamp + line + "\r\n").utf8))
  }

  private static let hints = [
    "'moved.ics' has only single occurrences of a series, and belongs into this one.",
    "It has only single occurrences of a series, and belongs into 'choir.ics':"
      + " \(ItemProblem.importOccurrences).",
  ]

  /// What was told once stays so in later runs, which read neither file again.
  @Test(arguments: [true, false])
  func `every look at them tells how they come together`(isAgreed: Bool) throws {
    let world = World()
    world.local.put(Href("choir.ics"), Self.series)
    if isAgreed { #expect(try world.sync().pushed.created == 1) }
    world.local.put(Href("moved.ics"), Self.moved)
    for _ in 0..<2 {
      let problems = try world.sync().problems
      #expect(problems.map(\.item.file) == [Href("choir.ics"), Href("moved.ics")])
      #expect(problems.map(\.problem.hint) == Self.hints)
    }
    let engine = world.engine()
    let pending = try world.executor.run { try await engine.inspect([.local, .remote]).get() }
    #expect(pending.compactMap(\.problem?.hint) == Self.hints)
    let restored = try world.executor.run {
      await engine.restore(World.event("choir", "C"), as: ItemID("choir"))
    }
    #expect(restored.problems.map(\.problem.hint) == Self.hints)
    #expect(world.local.items[Href("moved.ics")] == Self.moved)
  }

  @Test func `beside a single event nothing is told of a series`() throws {
    let world = World()
    world.set("choir", "A", on: .local)
    world.local.put(Href("moved.ics"), Self.moved)
    let problems = try world.sync().problems
    #expect(problems.map(\.item.file) == [Href("choir.ics"), Href("moved.ics")])
    for problem in problems {
      #expect(
        problem.problem.hint == "Keep one of them, or give the other a UID of its own.")
    }
  }
}
