import SyncExecution
import SyncModel
import TestSupport
import Testing

/// The log of writes that a side refuses: what is tried again destroys the same as before, and is
/// in the history once.
@Suite struct TriedAgainTests {
  private static let file = Href("dentist.ics")
  private static let refusal = ItemProblem(.refused, "the server says no", hint: "ask it")
  private static let aDay: Int64 = 86_400_001

  /// The server takes no more of the dentist than it has.
  private func refusing() throws -> World {
    let world = World()
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    world.remote.refuse(Self.file, Self.refusal)
    return world
  }

  private func digest(_ letter: Character) -> ContentDigest {
    sha256(World.event("dentist", letter).bytes)
  }

  @Test func `an edit that is refused each time has one entry, as it was tried last`() throws {
    let world = try refusing()
    var found: [RecordedHistoryEntry] = []
    for letter in ["B", "C", "C", "D"] as [Character] {
      world.set("dentist", letter, on: .local)
      world.executor.advance(Self.aDay)
      #expect(try world.sync().problems.map(\.problem.message) == [Self.refusal.message])
      let kept = world.journal.state.history
      #expect(kept.map(\.entry.before) == [digest("A")])
      #expect(kept.map(\.entry.after) == [digest(letter)])
      found += kept
    }
    #expect(Set(found.map(\.number)).count == 1)
    #expect(Set(found.map(\.entry.time)).count == 4)

    world.remote.refuse(Self.file, nil)
    world.executor.advance(Self.aDay)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "D")
    #expect(world.journal.state.history.map(\.number) == Array(found.map(\.number).prefix(1)))
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    #expect(world.journal.state.history.map(\.entry.before) == [digest("A"), digest("D")])
  }

  @Test func `so has a deletion`() throws {
    let world = try refusing()
    world.set("dentist", "-", on: .local)
    for _ in 1...3 {
      #expect(try world.sync().problems.map(\.problem.message) == [Self.refusal.message])
      world.executor.advance(Self.aDay)
    }
    #expect(world.journal.state.history.map(\.entry.action) == [.deleted])
    #expect(world.journal.state.history.map(\.entry.before) == [digest("A")])
    world.remote.refuse(Self.file, nil)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "-")
    #expect(world.journal.state.history.count == 1)
  }
}
