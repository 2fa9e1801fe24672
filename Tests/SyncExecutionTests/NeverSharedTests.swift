import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A broken file of an item that the other side has, too, and that both sides never agreed on.
@Suite struct NeverSharedTests {
  private static let file = Href("own.ics")
  private static let uid = ItemID("dentist")

  /// - Parameter half: What is left in the file after a run has named the conflict; nil: the file
  ///   was cut off before that.
  private func world(_ half: Int?) throws -> World {
    let world = World()
    world.set("gym", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "C", on: .remote)
    if half != nil {
      world.local.put(Self.file, World.event("dentist", "B"))
      let conflicts = try world.sync { $0.policy = .ask }.conflicts
      #expect(conflicts.map(\.reason) == [.neverAgreed])
    }
    world.local.put(Self.file, BrokenItemTests.halves[half ?? 0])
    return world
  }

  private func names(in world: World) -> [Href] { world.local.items.keys.sorted() }

  @Test(arguments: [nil, 0, 1, 2])
  func `it is named with the file, and does not come here beside it`(half: Int?) throws {
    let world = try world(half)
    for _ in 0..<2 {
      let report = try world.sync { $0.policy = .ask }
      #expect(report.pulled.total == 0 && report.pushed.total == 0)
      #expect(report.problems.map(\.item.uid) == [Self.uid])
      #expect(report.problems.map(\.item.file) == [Self.file])
      let problem = try #require(report.problems.first?.problem)
      #expect(problem.message.hasSuffix("; the remote side has it, too"))
      #expect(problem.hint.hasSuffix(" `calgw resolve UID --take remote` takes what is there."))
      #expect(problem.hint.contains("`calgw log FILE`"))
      #expect(names(in: world) == [Href("gym.ics"), Self.file])
    }
    let look = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: MemoryJournal(world.journal.state), surroundings: world.surroundings,
      digest: sha256, options: SyncOptions())
    let pending = try world.executor.run { try await look.inspect([.local, .remote]).get() }
    #expect(pending.map { $0.isOffered(from: .remote) } == [true])
  }

  @Test(arguments: [nil, 0, 1, 2])
  func `the version there can be taken over the file`(half: Int?) throws {
    let world = try world(half)
    let engine = world.engine()
    let report = try world.executor.run { await engine.resolve(Self.uid, taking: .remote) }
    #expect(report.failure == nil && report.problems.isEmpty)
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(names(in: world) == [Href("gym.ics"), Self.file])
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == "C") }
    let sync = try world.sync()
    #expect(sync.problems.isEmpty && sync.pulled.total + sync.pushed.total == 0)
  }

  @Test(arguments: [0, 1, 2])
  func `the version that was here comes back as the conflict that it was`(half: Int) throws {
    let world = try world(half)
    let engine = world.engine()
    let report = try world.executor.run {
      await engine.restore(World.event("dentist", "B"), as: Self.uid, from: nil)
    }
    #expect(report.problems.isEmpty && report.pushed.total == 0)
    #expect(report.conflicts.map(\.reason) == [.neverAgreed])
    #expect(names(in: world) == [Href("gym.ics"), Self.file])
    #expect(world.letter("dentist", on: .local) == "B")
    #expect(world.letter("dentist", on: .remote) == "C")
  }

  static let formerPlaces = [
    FormerPlace(side: .local, href: Href("own.ics")),
    FormerPlace(side: .remote, href: Href("there.ics"), counterpart: Href("own.ics")),
  ]

  /// This journal knows no place of the item: what it knew was forgotten.
  @Test(arguments: formerPlaces)
  func `a version from before a forget goes into its file`(place: FormerPlace) throws {
    let world = try world(nil)
    let engine = world.engine()
    let report = try world.executor.run {
      await engine.restore(World.event("dentist", "C"), as: Self.uid, from: place)
    }
    #expect(report.problems.isEmpty && report.conflicts.isEmpty)
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(names(in: world) == [Href("gym.ics"), Self.file])
    #expect(world.letter("dentist", on: .local) == "C")
  }

  @Test func `nor does it go over what somebody else has in that file by now`() throws {
    let world = try world(nil)
    let other = ItemData(bytes: Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:tea\r\n".utf8))
    world.local.put(Self.file, other)
    let engine = world.engine()
    _ = try world.executor.run {
      await engine.restore(
        World.event("dentist", "C"), as: Self.uid, from: Self.formerPlaces[0])
    }
    #expect(world.local.items[Self.file] == other)
    #expect(world.letter("dentist", on: .local) == "C")
  }
}
