import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What a server lists where calgw does not ask for it, as outside the calendar: what is gone may
/// be there.
@Suite struct UnaskedItemsTests {
  private static let trouble = ItemProblem(
    .brokenRemote, "its address is not in the calendar", hint: "wait")

  /// Both sides agree on three items, and the server listed these addresses beside them.
  private func world(beside places: [String] = []) throws -> World {
    var traits = World.serverTraits
    traits.keepsAddresses = true
    let world = World(remoteTraits: traits)
    for uid in ["a", "b", "c"] {
      for side in Side.allCases { world.set(uid, "A", on: side) }
    }
    for place in places { world.remote.listUnasked(Href(place), Self.trouble) }
    #expect(held(try world.sync()) == [])
    return world
  }

  private func held(_ report: CollectionReport) -> [String] {
    report.problems.filter { $0.problem.message.contains("which calgw does not ask for") }
      .compactMap { $0.item.uid?.text }.sorted()
  }

  @Test(arguments: [["/b/a.ics", "/b/b.ics"], ["/b/1.ics", "/b/2.ics"]])
  func `what came to be listed when items went may be they, however long it stays`(
    places: [String]
  ) throws {
    let world = try world()
    for uid in ["a", "b"] { world.set(uid, "-", on: .remote) }
    for place in places { world.remote.listUnasked(Href(place), Self.trouble) }
    for _ in 0..<2 {
      #expect(held(try world.sync()) == ["a", "b"])
      #expect(["a", "b"].map { world.letter($0, on: .local) } == ["A", "A"])
      world.executor.advance(86_400_000)
    }
    // Nor is one made anew there because it was edited here, nor forgotten when it goes here, too.
    world.set("b", "B", on: .local)
    #expect(held(try world.sync()) == ["a", "b"])
    world.set("a", "-", on: .local)
    #expect(held(try world.sync()) == ["b"])
    #expect(world.remote.counts.writes == 0)

    for place in places { world.remote.listUnasked(Href(place), nil) }
    world.set("a", "A", on: .remote)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("a", on: .remote) == "-", "it was deleted here")
    #expect(world.letter("b", on: .remote) == "B")
    world.set("b", "-", on: .remote)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("b", on: .local) == "-")
  }

  @Test func `what was listed beside all items keeps none but the one of its name`() throws {
    let world = try world(beside: ["/b/b.ics", "/b/x.ics"])
    world.set("a", "-", on: .remote)
    #expect(held(try world.sync()) == [])
    #expect(world.letter("a", on: .local) == "-")
    world.set("b", "-", on: .remote)
    #expect(held(try world.sync()) == ["b"])
    #expect(world.letter("b", on: .local) == "A")
  }

  @Test func `a person who looks at an item has none of these read`() throws {
    let world = try world()
    world.set("a", "-", on: .remote)
    world.remote.listUnasked(Href("/b/a.ics"), Self.trouble)
    #expect(held(try world.sync()) == ["a"])
    _ = try world.executor.run { [engine = world.engine()] in
      await engine.resolve(ItemID("c"), taking: .local)
    }
    for _ in 0..<2 { #expect(held(try world.sync()) == ["a"]) }
    #expect(world.letter("a", on: .local) == "A")
  }
}
