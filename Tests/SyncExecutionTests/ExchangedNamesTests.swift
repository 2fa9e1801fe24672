import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// Files that have each other's names, or another one's, while what is to become of their items
/// waits: what both sides shared of each goes along, and a deletion stays known.
@Suite struct ExchangedNamesTests {
  private static let dentist = Href("dentist.ics")
  private static let gym = Href("gym.ics")

  /// Why nothing goes to the server meanwhile.
  enum Waiting: CaseIterable {
    case refused, onlyPulled, readOnly, notAskedAbout
  }

  private func agreedWorld() throws -> World {
    let world = World()
    for uid in ["dentist", "gym", "lunch"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    return world
  }

  /// As `mv dentist.ics t; mv gym.ics dentist.ics; mv t gym.ics`, with the dentist's letter.
  private func exchange(in world: World, dentist letter: Character) {
    world.local.put(Self.gym, World.event("dentist", letter))
    world.local.put(Self.dentist, World.event("gym", "A"))
  }

  @discardableResult
  private func sync(_ world: World, as waiting: Waiting) throws -> CollectionReport {
    if waiting == .refused {
      world.remote.refuse(Self.dentist, ItemProblem(.refused, "it does not like it", hint: "wait"))
    }
    let report = try world.sync { options in
      options.policy = .remote
      switch waiting {
      case .refused: break
      case .onlyPulled: options.direction = .pull
      case .readOnly: options.readOnly = [.remote]
      case .notAskedAbout: options.only = [ItemID("lunch")]
      }
    }
    world.remote.refuse(Self.dentist, nil)
    return report
  }

  private func isSettled(_ world: World) throws -> Bool {
    let report = try world.sync { $0.policy = .remote }
    let isQuiet = report.pushed.total + report.pulled.total == 0
    return isQuiet && report.problems.isEmpty && report.conflicts.isEmpty
  }

  @Test(arguments: Waiting.allCases, [false, true])
  func `an edit that waits is an edit still`(waiting: Waiting, isSeenBefore: Bool) throws {
    let world = try agreedWorld()
    world.set("dentist", "B", on: .local)
    if isSeenBefore { try sync(world, as: waiting) }
    exchange(in: world, dentist: "B")
    for _ in 0..<2 {
      try sync(world, as: waiting)
      #expect(world.letter("dentist", on: .local) == "B")
      #expect(world.letter("dentist", on: .remote) == "A")
    }
    // What was refused is offered again at once where a person edits it.
    exchange(in: world, dentist: "C")
    let report = try world.sync { $0.policy = .remote }
    #expect(report.pushed.updated == 1 && report.pulled.total == 0)
    #expect(world.letter("dentist", on: .remote) == "C")
    #expect(world.letter("gym", on: .remote) == "A")
    #expect(try isSettled(world))
  }

  @Test func `an edit there comes here whatever the policy, also after a push`() throws {
    let world = try agreedWorld()
    world.set("dentist", "B", on: .remote)
    exchange(in: world, dentist: "A")
    for _ in 0..<2 { _ = try world.sync { $0.direction = .push } }
    let report = try world.sync { $0.policy = .local }
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(world.local.items[Self.gym] == World.event("dentist", "B"))
  }

  @Test func `a conflict keeps what both sides shared`() throws {
    let world = try agreedWorld()
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    _ = try world.sync { $0.policy = .ask }
    exchange(in: world, dentist: "B")
    for _ in 0..<2 {
      let report = try world.sync { $0.policy = .ask }
      #expect(report.conflicts.map(\.reason) == [.bothChanged])
    }
  }

  @Test(arguments: Waiting.allCases, [false, true])
  func `an item whose file another one took over stays deleted`(
    waiting: Waiting, isNew: Bool
  ) throws {
    let world = try agreedWorld()
    let heir = isNew ? "swim" : "gym"
    world.local.put(Self.dentist, World.event(heir, "A"))
    if !isNew { world.local.remove(Self.gym) }
    for _ in 0..<2 {
      try sync(world, as: waiting)
      #expect(world.letter("dentist", on: .local) == "-")
      #expect(world.letter("dentist", on: .remote) == "A")
      #expect(world.letter(heir, on: .local) == "A")
    }
    // What was refused is offered again the day after.
    world.executor.advance(86_400_001)
    _ = try world.sync { $0.policy = .remote }
    #expect(world.letter("dentist", on: .remote) == "-")
    #expect(world.letter(heir, on: .remote) == "A")
    #expect(try isSettled(world))
  }

  @Test func `the heir of a name does not wait for the other's deletion`() throws {
    let world = try agreedWorld()
    world.local.put(Self.dentist, World.event("gym", "A"))
    world.local.remove(Self.gym)
    world.set("gym", "B", on: .remote)
    let report = try world.sync { $0.confirmDeletion = { _, _ in false } }
    #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
    #expect(world.local.items[Self.dentist] == World.event("gym", "B"))
    #expect(world.letter("dentist", on: .remote) == "A")
    #expect(try world.sync { $0.confirmDeletion = { _, _ in true } }.pushed.deleted == 1)
    #expect(world.letter("gym", on: .remote) == "B")
  }

  @Test(arguments: Waiting.allCases, [false, true])
  func `a file that comes back takes no name of an item that waits`(
    waiting: Waiting, isMoved: Bool
  ) throws {
    let world = try agreedWorld()
    exchange(in: world, dentist: "A")
    _ = try world.sync()
    world.local.remove(Self.gym)
    let dentist: Character = isMoved ? "B" : "-"
    if isMoved { world.local.put(Href("moved.ics"), World.event("dentist", dentist)) }
    world.local.remove(Self.dentist)
    world.set("gym", "B", on: .remote)
    try sync(world, as: waiting)
    let gym: Character = waiting == .notAskedAbout ? "-" : "B"
    #expect(world.letter("gym", on: .local) == gym)
    #expect(world.letter("dentist", on: .local) == dentist)
    #expect(world.letter("dentist", on: .remote) == "A")
    world.executor.advance(86_400_001)
    _ = try world.sync { $0.policy = .remote }
    for side in Side.allCases {
      #expect(world.letter("dentist", on: side) == dentist)
      #expect(world.letter("gym", on: side) == "B")
    }
    #expect(try isSettled(world))
  }

  @Test func `an item that comes back is no deletion any more`() throws {
    let world = try agreedWorld()
    world.local.put(Self.dentist, World.event("gym", "A"))
    world.local.remove(Self.gym)
    try sync(world, as: .onlyPulled)
    world.local.put(Self.gym, World.event("dentist", "B"))
    let report = try world.sync { $0.policy = .remote }
    #expect(report.pushed.updated == 1 && report.pushed.deleted == 0)
    #expect(world.letter("dentist", on: .remote) == "B")
    #expect(try isSettled(world))
  }

  @Test func `a deletion there that waits is none of the item that has the name since`() throws {
    let world = try agreedWorld()
    world.set("dentist", "-", on: .remote)
    world.local.put(Href("moved.ics"), World.event("dentist", "A"))
    world.local.put(Self.dentist, World.event("swim", "A"))
    for _ in 0..<2 {
      _ = try world.sync { $0.confirmDeletion = { _, _ in false } }
      #expect(world.letter("dentist", on: .local) == "A")
      #expect(world.letter("dentist", on: .remote) == "-")
      #expect(world.letter("swim", on: .remote) == "A")
    }
    #expect(try world.sync { $0.confirmDeletion = { _, _ in true } }.pulled.deleted == 1)
    #expect(try isSettled(world))
  }

  @Test func `a copy of another item over a file is no deletion`() throws {
    let world = try agreedWorld()
    world.local.put(Self.dentist, World.event("gym", "A"))
    for _ in 0..<2 {
      let problems = try world.sync().problems
      #expect(Set(problems.compactMap(\.item.uid)) == [ItemID("dentist"), ItemID("gym")])
      #expect(world.letter("dentist", on: .remote) == "A")
    }
  }

  @Test func `a run that is killed anywhere leaves both edits what they are`() throws {
    for number in 1... {
      let world = try agreedWorld()
      exchange(in: world, dentist: "B")
      world.set("lunch", "B", on: .remote)
      let before = world.fuse.effects
      world.fuse.stop(at: before + number, .after)
      _ = try? world.sync { $0.policy = .remote }
      let isOver = world.fuse.effects < before + number
      world.fuse.replace()
      _ = try world.sync { $0.policy = .remote }
      #expect(world.letter("dentist", on: .local) == "B", "killed at \(number)")
      #expect(world.letter("dentist", on: .remote) == "B", "killed at \(number)")
      #expect(world.letter("lunch", on: .local) == "B", "killed at \(number)")
      #expect(try isSettled(world), "killed at \(number)")
      if isOver { break }
    }
  }
}
