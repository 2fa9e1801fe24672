import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What a person says to an item, and what it means.
@Suite struct ResolveTests {
  /// The dentist was edited in unlike ways on both sides.
  private func conflict() throws -> World {
    let world = World()
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    return world
  }

  /// The same, in ways that fit together: a title and a place.
  private func mergeable() throws -> World {
    let world = World()
    for uid in ["dentist", "gym"] { world.set(uid, "AAA", on: .local) }
    _ = try world.sync()
    world.set("dentist", "BAA", on: .local)
    world.set("dentist", "ABA", on: .remote)
    return world
  }

  @Test(arguments: ConflictChoice.allCases)
  func `a dry run counts what the run does`(choice: ConflictChoice) throws {
    let world = try conflict()
    let dry = try world.resolve("dentist", choice) { $0.isDryRun = true }
    #expect(world.letter("dentist", on: .local) == "B")
    let run = try world.resolve("dentist", choice)
    #expect(dry.pulled == run.pulled && dry.pushed == run.pushed && dry.merged == run.merged)
    #expect(dry.conflicts == run.conflicts && dry.problems == run.problems)
    func kinds(_ report: CollectionReport) -> [String] {
      report.actions.filter { $0.kind != .record }
        .map { "\($0.kind.rawValue) \($0.side.rawValue)" }.sorted()
    }
    #expect(kinds(dry) == kinds(run))
    guard choice == .both else { return }
    #expect(run.pulled.created == 1 && run.pushed.created == 1 && run.pushed.updated == 1)
    #expect(world.local.items.count == 3 && world.remote.items.count == 3)
  }

  @Test(arguments: Side.allCases)
  func `who takes the side on which an item is gone has said yes to its deletion, and to no other`(
    gone: Side
  ) throws {
    let world = World()
    for uid in ["dentist", "gym", "lunch"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    for uid in ["dentist", "gym"] { world.set(uid, "-", on: gone) }
    for isDryRun in [true, false] {
      let report = try world.resolve("dentist", gone == .local ? .local : .remote) { options in
        options.isDryRun = isDryRun
        options.confirmDeletion = { _, _ in false }
      }
      #expect(report.problems.isEmpty, "\(report.problems)")
      #expect((gone == .local ? report.pushed : report.pulled).deleted == 1)
    }
    #expect(world.letter("dentist", on: gone.opposite) == "-")
    #expect(world.letter("gym", on: gone.opposite) == "A")
    let sync = try world.sync { $0.confirmDeletion = { _, _ in false } }
    #expect(sync.problems.map(\.item.uid) == [ItemID("gym")])
    #expect(world.letter("gym", on: gone.opposite) == "A")
  }

  @Test func `only what the pair can do is offered, and nothing else is done`() throws {
    let offers: [(SyncDirection, Set<Side>, [ConflictChoice])] = [
      (.both, [], ConflictChoice.allCases), (.pull, [], [.remote]), (.push, [], [.local]),
      (.both, [.remote], [.remote]), (.both, [.local], [.local]), (.pull, [.remote], [.remote]),
      (.push, [.remote], []), (.both, [.local, .remote], []),
    ]
    for (direction, readOnly, offered) in offers {
      let world = try mergeable()
      func limit(_ options: inout SyncOptions) {
        options.direction = direction
        options.readOnly = readOnly
        options.policy = .ask
      }
      #expect(world.engine(limit).choices == offered)
      #expect(try world.sync(limit).conflicts.map(\.choices) == [offered])
      for choice in ConflictChoice.allCases where !offered.contains(choice) {
        let before = (world.local.items, world.remote.items)
        let report = try world.resolve("dentist", choice, limit)
        #expect(report.problems.map(\.problem.code) == [.readOnly])
        #expect(world.local.items == before.0 && world.remote.items == before.1)
      }
    }
  }

  @Test func `a run in one direction says what can be done in the pair`() throws {
    let report = try mergeable().sync {
      $0.direction = .push
      $0.pairDirection = .both
    }
    #expect(report.conflicts.map(\.choices) == [ConflictChoice.allCases])
  }

  @Test(arguments: [ConflictPolicy.merge, .ask], [SyncDirection.both, .push])
  func `what cannot be merged is not offered to be`(
    policy: ConflictPolicy, direction: SyncDirection
  ) throws {
    let report = try conflict().sync {
      $0.policy = policy
      $0.direction = direction
      $0.pairDirection = .both
    }
    let isTried = policy == .merge && direction == .both
    #expect(report.conflicts.map(\.reason) == [isTried ? .schedule : .bothChanged])
    #expect(report.conflicts.map(\.choices) == [[.local, .remote, .both]])
  }
}

extension World {
  /// A dry run works on a copy of the journal.
  fileprivate func resolve(
    _ uid: String, _ choice: ConflictChoice, _ change: (inout SyncOptions) -> Void = { _ in }
  ) throws -> CollectionReport {
    var options = SyncOptions()
    change(&options)
    let settled = options
    let engine = CollectionSync(
      name: "test", local: local, remote: remote,
      journal: settled.isDryRun ? MemoryJournal(journal.state) : journal,
      surroundings: surroundings, digest: sha256, options: settled)
    return try executor.run { await engine.resolve(ItemID(uid), taking: choice) }
  }
}
