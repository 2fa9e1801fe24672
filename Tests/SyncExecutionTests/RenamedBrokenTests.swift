import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A file that got another name while its item waited, and is no whole item by now: it stands for
/// the item, which nobody has deleted.
@Suite struct RenamedBrokenTests {
  private static let former = Href("dentist.ics")
  private static let renamed = Href("renamed.ics")

  /// Why nothing became of the item in the run that saw its new name.
  enum Waiting: CaseIterable {
    case refused, inConflict, onlyPulled, readOnly, notAskedAbout
  }

  private func agreedWorld() throws -> World {
    let world = World()
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    return world
  }

  private func move(_ letter: Character, to place: Href, in world: World) {
    world.local.remove(Self.former)
    world.local.put(place, World.event("dentist", letter))
  }

  /// Two files have exchanged their names, and one of them is emptied: it has the name of the item
  /// that is found in the other.
  @Test func `an emptied file in the place of an item that is elsewhere may be another one`()
    throws
  {
    let world = World()
    let others = (1...6).map { "other\($0)" }
    for uid in ["dentist", "gym"] + others { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    world.local.put(Href("gym.ics"), World.event("dentist", "A"))
    world.local.put(Self.former, ItemData(bytes: []))
    for _ in 0..<2 {
      let report = try world.sync()
      #expect(report.pushed.deleted == 0)
      #expect(report.problems.contains { $0.item.uid == ItemID("gym") })
      #expect(world.letter("gym", on: .remote) == "A")
    }
    world.local.put(Self.former, World.event("gym", "A"))
    #expect(try world.sync().problems.isEmpty)
    for uid in ["dentist", "gym"] { #expect(world.letter(uid, on: .remote) == "A") }
    #expect(world.local.items[Self.former] == World.event("gym", "A"))
  }

  /// A world in which a run has seen the edited file under its new name, and left it so.
  private func waitingWorld(_ waiting: Waiting) throws -> World {
    let world = try agreedWorld()
    move("B", to: Self.renamed, in: world)
    if waiting == .inConflict { world.set("dentist", "C", on: .remote) }
    if waiting == .refused {
      world.remote.refuse(Self.former, ItemProblem(.refused, "it does not like it", hint: "wait"))
    }
    _ = try world.sync(as: waiting)
    world.remote.refuse(Self.former, nil)
    return world
  }

  @Test(arguments: Waiting.allCases, BrokenItemTests.halves.indices)
  func `a file that is cut off under its new name is no deletion`(
    waiting: Waiting, half: Int
  ) throws {
    let world = try waitingWorld(waiting)
    world.local.put(Self.renamed, BrokenItemTests.halves[half])
    for _ in 0..<2 {
      let report = try world.sync()
      #expect(report.pushed.total == 0 && report.pulled.total == 0)
      #expect(report.problems.map(\.problem.code) == [.incomplete])
      #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
      #expect(report.problems.map(\.item.file) == [Self.renamed])
      #expect(world.letter("dentist", on: .remote) == (waiting == .inConflict ? "C" : "A"))
    }
    // Mended it goes on, and taken away it is a deletion.
    world.local.put(Self.renamed, World.event("dentist", "D"))
    #expect(try world.sync { $0.policy = .local }.problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "D")
    world.local.remove(Self.renamed)
    #expect(try world.sync().pushed.deleted == 1)
  }

  @Test(arguments: Waiting.allCases)
  func `what both sides shared goes along in the run that sees the name`(waiting: Waiting) throws {
    let world = try waitingWorld(waiting)
    let agreements = world.journal.state.agreements
    #expect(agreements[ItemID("dentist")]?.local.href == Self.renamed)
    #expect(agreements[ItemID("dentist")]?.remote.href == Self.former)
    _ = try world.sync(as: waiting)
    #expect(world.journal.state.agreements == agreements)
  }

  @Test func `nor is it where the run that saw the name was ended before it decided`() throws {
    let world = try agreedWorld()
    move("B", to: Self.renamed, in: world)
    let engine = world.engine()
    _ = try world.executor.run { try await engine.inspect([.local, .remote]).get() }
    world.local.put(Self.renamed, ItemData(bytes: []))
    let report = try world.sync()
    #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `nor is what is no file at all`() throws {
    let world = try waitingWorld(.onlyPulled)
    world.local.obstruct(Self.renamed, ItemProblem(.notAFile, "it is a link", hint: "remove it"))
    let report = try world.sync()
    #expect(report.problems.map(\.problem.code) == [.notAFile])
    #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `another item may have the former name`() throws {
    let world = try agreedWorld()
    move("A", to: Self.renamed, in: world)
    world.local.put(Self.former, World.event("lunch", "A"))
    _ = try world.sync { $0.only = [ItemID("gym")] }
    world.local.put(Self.renamed, ItemData(bytes: []))
    let report = try world.sync()
    #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
    #expect(report.pushed.created == 1 && report.pushed.deleted == 0)
    #expect(world.letter("dentist", on: .remote) == "A")
    #expect(world.letter("lunch", on: .remote) == "A")
  }

  @Test func `the new name may be the former one of an item that was renamed, too`() throws {
    let world = try agreedWorld()
    let gym = Href("gym.ics")
    move("A", to: gym, in: world)
    world.local.put(Self.renamed, World.event("gym", "A"))
    _ = try world.sync { $0.only = [ItemID("lunch")] }
    world.local.put(gym, ItemData(bytes: []))
    let report = try world.sync()
    #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
    for uid in ["dentist", "gym"] { #expect(world.letter(uid, on: .remote) == "A") }
    #expect(world.letter("gym", on: .local) == "A")
  }

  @Test func `an item that has another address and cannot be read there is not deleted here`()
    throws
  {
    let world = try agreedWorld()
    world.remote.remove(Self.former)
    world.remote.put(Self.renamed, World.event("dentist", "A"))
    _ = try world.sync { $0.only = [ItemID("gym")] }
    world.remote.obstruct(Self.renamed, ItemProblem(.brokenRemote, "no answer", hint: "wait"))
    let report = try world.sync()
    #expect(report.pulled.total == 0 && report.pushed.total == 0)
    #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
    #expect(world.letter("dentist", on: .local) == "A")
  }

  // MARK: Renamed and cut off at once

  /// The item was in conflict, and its file is renamed and cut off before calgw looks again.
  private func cutWorld() throws -> World {
    let world = try agreedWorld()
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    _ = try world.sync { $0.policy = .ask }
    world.local.remove(Self.former)
    world.local.put(Self.renamed, BrokenItemTests.halves[0])
    return world
  }

  private func resolve(in world: World) throws -> CollectionReport {
    let engine = world.engine()
    return try world.executor.run { await engine.resolve(ItemID("dentist"), taking: .remote) }
  }

  @Test func `a broken file is the item's under another name, if its UID stands in it`() throws {
    let world = try cutWorld()
    let report = try world.sync { $0.policy = .ask }
    #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
    #expect(report.problems.map(\.item.file) == [Self.renamed])
    let problem = try #require(report.problems.first?.problem)
    #expect(problem.message.hasSuffix("; the remote side has changed it since"))
    #expect(problem.hint.contains("`calgw resolve UID --take remote`"))
    // By now it is, whatever is left of it.
    world.local.put(Self.renamed, ItemData(bytes: []))
    #expect(try world.sync().problems.map(\.item.uid) == [ItemID("dentist")])
    #expect(world.letter("dentist", on: .remote) == "C")
  }

  @Test func `the version there can be taken over it`() throws {
    let world = try cutWorld()
    let report = try resolve(in: world)
    #expect(report.problems.isEmpty && report.pulled.updated == 1)
    #expect(world.local.items[Self.renamed] == World.event("dentist", "C"))
    #expect(world.letter("dentist", on: .remote) == "C")
    let sync = try world.sync()
    #expect(sync.problems.isEmpty && sync.pulled.total + sync.pushed.total == 0)
  }

  @Test func `a broken file of two items is neither's`() throws {
    let world = try agreedWorld()
    world.local.remove(Self.former)
    let both = World.event("dentist", "A").bytes + World.event("lunch", "A").bytes
    world.local.put(Self.renamed, ItemData(bytes: both))
    let report = try world.sync()
    #expect(report.problems.map(\.problem.code) == [.severalUIDs])
    #expect(report.problems.map(\.item.uid) == [nil])
    #expect(world.letter("dentist", on: .remote) == "A")
  }
}

extension World {
  /// A run that leaves what became of `dentist` as it is.
  func sync(as waiting: RenamedBrokenTests.Waiting) throws -> CollectionReport {
    try sync { options in
      switch waiting {
      case .refused: break
      case .inConflict: options.policy = .ask
      case .onlyPulled: options.direction = .pull
      case .readOnly: options.readOnly = [.remote]
      case .notAskedAbout: options.only = [ItemID("gym")]
      }
    }
  }
}
