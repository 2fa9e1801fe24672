import SyncExecution
import SyncModel
import SyncPlanning
import Synchronization
import TestSupport
import Testing

/// A server that gives what it is sent a UID of its own.
@Suite struct TwinTests {
  private static let href = Href("dentist.ics")

  /// - Parameter renames: whether it does so by now.
  private func world(renames: @escaping @Sendable () -> Bool = { true }) -> World {
    World { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      guard renames(), !text.contains("UID:srv-") else { return data }
      return ItemData(bytes: Array(text.replacing("UID:", with: "UID:srv-").utf8))
    }
  }

  private func named(_ report: CollectionReport) -> [String] {
    let twins = report.problems.filter { $0.problem.message.contains("UIDs of its own") }
    return Set(twins.compactMap { $0.item.uid?.text }).sorted()
  }

  @Test func `a new item is sent once, whatever becomes of the file, and its twin stays there`()
    throws
  {
    let world = world()
    world.set("dentist", "A", on: .local)
    let both = ["dentist", "srv-dentist"]
    let report = try world.sync()
    #expect(named(report) == both && report.pushed.created == 0)
    for letter in "BCD" {
      world.set("dentist", letter, on: .local)
      #expect(named(try world.sync()) == both)
    }
    let text = try #require(world.local.items[Self.href])
    world.local.remove(Self.href)
    world.local.put(Href("teeth.ics"), text)
    #expect(named(try world.sync()) == both)
    // An edit there is one of the twin.
    world.remote.put(Self.href, World.event("srv-dentist", "E"))
    #expect(named(try world.sync()) == both)
    #expect(world.remote.counts.writes == 1 && world.remote.items.count == 1)
    #expect(world.local.items.count == 1)
    let state = world.journal.state
    _ = try world.sync()
    #expect(world.journal.state.observations == state.observations)
  }

  @Test func `the twin comes once the item is gone here`() throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "-", on: .local)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("srv-dentist", on: .local) == "A")
    #expect(world.local.items.count == 1 && world.remote.counts.writes == 1)
  }

  @Test func `once the twin is gone, the item is sent again`() throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.remote.remove(Self.href)
    #expect(named(try world.sync()) == ["dentist", "srv-dentist"])
    #expect(world.remote.counts.writes == 2 && world.local.items.count == 1)
  }

  @Test func `an edit under which the UID changes is sent once, and the file stays`() throws {
    let renames = Mutex(false)
    let world = world { renames.withLock { $0 } }
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    renames.withLock { $0 = true }
    world.set("dentist", "B", on: .local)
    let both = ["dentist", "srv-dentist"]
    #expect(named(try world.sync()) == both)
    // The last one is as it was when both sides had it.
    for letter in "BCA" {
      world.set("dentist", letter, on: .local)
      #expect(named(try world.sync()) == both)
      #expect(world.letter("dentist", on: .local) == letter)
    }
    #expect(world.remote.counts.writes == 3 && world.remote.items.count == 2)
    #expect(world.local.items.count == 2)
  }

  @Test func `nor is it sent while the twin cannot be read`() throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.remote.put(Self.href, World.event("srv-dentist", "B"))
    world.remote.answer(
      looksAt: Self.href, ItemProblem(.brokenRemote, "the server fails", hint: "wait"))
    #expect(named(try world.sync()) == ["dentist"])
    #expect(world.remote.counts.writes == 1)
    world.remote.answer(looksAt: Self.href, nil)
    #expect(named(try world.sync()) == ["dentist", "srv-dentist"])
    #expect(world.remote.counts.writes == 1 && world.local.items.count == 1)
  }

  @Test func `a look names both`() throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    let pending = try world.executor.run { [engine = world.engine()] in
      try await engine.inspect([.local, .remote]).get()
    }
    let named = pending.filter { $0.problem?.message.contains("UIDs of its own") ?? false }
    #expect(named.map { $0.item.uid?.text } == ["dentist", "srv-dentist"])
  }
}
