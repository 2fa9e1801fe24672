import SyncExecution
import SyncModel
import SyncPlanning
import Synchronization
import TestSupport
import Testing

/// A server whose whole listings leave out items that it gives to whoever asks for them, as those
/// that show a window of a year: what is not listed is looked at before the guard speaks of it.
@Suite struct HiddenItemsTests {
  private static func uids(_ count: Int) -> [String] { (1...count).map { "event-\($0)" } }

  /// Both sides share so many items.
  private func world(of count: Int) throws -> World {
    let world = World()
    for uid in Self.uids(count) { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    world.executor.advance(60_000)
    return world
  }

  /// - Parameter withoutTokens: Neither tokens nor a tag of the calendar: each listing is a whole
  ///   one. Else the first one is: the token of the run before has expired.
  private func sync(
    _ world: World, hiding uids: [String], withoutTokens: Bool = false,
    _ change: (inout SyncOptions) -> Void = { _ in }
  ) throws -> (report: CollectionReport, looks: Int) {
    let hidden = Set(uids.map { Href("\($0).ics") })
    let (listings, looks) = (Counter(), Counter())
    var server = ForwardingStorage(world.remote)
    server.list = { (cursor) throws(StorageError) in
      let isWhole = listings.value == 0 || withoutTokens
      listings.add(1)
      var page = try await world.remote.listChanges(since: isWhole ? nil : cursor)
      if page.extent == .everything { page.present.removeAll { hidden.contains($0.href) } }
      return page
    }
    server.secondLook = { (batch) throws(StorageError) in
      looks.add(batch.count)
      return try await world.remote.confirmAbsence(of: batch)
    }
    var options = SyncOptions()
    change(&options)
    let journal = options.isDryRun ? MemoryJournal(world.journal.state) : world.journal
    let engine = CollectionSync(
      name: "test", local: world.local, remote: server, journal: journal,
      surroundings: world.surroundings, digest: sha256, options: options)
    return (try world.executor.run { await engine.run() }, looks.value)
  }

  private func left(_ world: World, _ side: Side) -> Int { world.storage(side).items.count }

  @Test func `what is there and not listed is not told to be deleted, and stops nothing`() throws {
    let world = try world(of: 8)
    world.set("event-1", "B", on: .local)
    world.set("event-2", "C", on: .remote)
    let run = try sync(world, hiding: Array(Self.uids(8).dropFirst(2)))
    #expect(run.report.failure == nil && run.report.problems.isEmpty, "\(run.report.problems)")
    #expect(run.looks == 6)
    for side in Side.allCases {
      #expect(left(world, side) == 8)
      #expect(world.letter("event-1", on: side) == "B")
      #expect(world.letter("event-2", on: side) == "C")
    }
    #expect(try world.sync().unchanged == 8)
  }

  @Test(arguments: [3, 30])
  func `where each listing is a whole one, a run has an end`(hidden: Int) throws {
    let world = try world(of: 40)
    world.set("event-40", "B", on: .local)
    let uids = Array(Self.uids(40).prefix(hidden))
    for _ in 0..<2 {
      let reads = world.remote.counts.reads
      let run = try sync(world, hiding: uids, withoutTokens: true)
      #expect(run.report.failure == nil && run.report.problems.isEmpty, "\(run.report.problems)")
      #expect(run.looks <= 16, "the rest is read at once: \(run.looks)")
      #expect(world.remote.counts.reads - reads <= 2 * hidden + 2)
      #expect(left(world, .local) == 40 && left(world, .remote) == 40)
    }
    #expect(world.letter("event-40", on: .remote) == "B")
  }

  @Test func `a dry run foresees as much, and nobody is asked about what is there`() throws {
    let world = try world(of: 8)
    let hidden = Array(Self.uids(8).dropFirst(2))
    let dry = try sync(world, hiding: hidden) { $0.isDryRun = true }.report
    #expect(dry.problems.isEmpty && dry.pulled.total == 0, "\(dry.problems)")
    let asked = Counter()
    let run = try sync(world, hiding: hidden) { options in
      options.confirmDeletion = { _, _ in
        asked.add(1)
        return true
      }
    }
    #expect(run.report.problems.isEmpty && asked.value == 0)
    #expect(left(world, .local) == 8)
  }

  @Test func `of many that are gone a few are looked at, and the guard speaks of all`() throws {
    let world = try world(of: 40)
    for uid in Self.uids(40) { world.set(uid, "-", on: .remote) }
    let run = try sync(world, hiding: [])
    #expect(
      run.report.problems.map(\.problem.message) == [
        "this would delete 40 of 40 items on the local side"
      ])
    #expect((1...16).contains(run.looks), "\(run.looks)")
    #expect(left(world, .local) == 40)
  }

  @Test func `the guard counts what is gone, and not what is hidden`() throws {
    let world = try world(of: 50)
    for uid in Self.uids(50).suffix(13) { world.set(uid, "-", on: .remote) }
    let run = try sync(world, hiding: Array(Self.uids(50).prefix(30)))
    #expect(
      run.report.problems.map(\.problem.message) == [
        "this would delete 13 of 50 items on the local side"
      ])
    #expect(left(world, .local) == 50)
  }
}

private final class Counter: Sendable {
  private let count = Atomic<Int>(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add(_ number: Int) { count.add(number, ordering: .relaxed) }
}
