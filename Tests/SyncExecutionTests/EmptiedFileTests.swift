import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A file of which nobody can say whose it is, since the run that found an item gone: an editor may
/// have renamed it, and failed to save.
@Suite struct EmptiedFileTests {
  private static let former = Href("dentist.ics")
  private static let renamed = Href("renamed.ics")
  private static let gym = Href("gym.ics")

  private func agreedWorld() throws -> World {
    let world = World()
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    return world
  }

  /// A world in which a run has found both.
  private func emptiedWorld() throws -> World {
    let world = try agreedWorld()
    world.executor.advance(1)
    world.local.remove(Self.former)
    world.local.put(Self.renamed, ItemData(bytes: []))
    #expect(try world.sync().pushed.deleted == 0)
    return world
  }

  private func resolve(
    in world: World, taking choice: ConflictChoice
  ) throws -> CollectionReport {
    let engine = world.engine()
    return try world.executor.run { await engine.resolve(ItemID("dentist"), taking: choice) }
  }

  private static let nameless = [
    "", "BEGIN:VCALENDAR\r\n", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
  ].map { ItemData(bytes: Array($0.utf8)) }

  @Test(arguments: nameless.indices)
  func `what is gone since a file came of which nothing is known waits`(which: Int) throws {
    let world = try agreedWorld()
    world.local.remove(Self.former)
    world.local.put(Self.renamed, Self.nameless[which])
    for later in 1...3 {
      let report = try world.sync()
      #expect(report.pushed.total == 0 && report.pulled.total == 0)
      let held = report.problems.filter { $0.item.uid == ItemID("dentist") }
      #expect(held.count == 1 && held[0].problem.message.contains("'renamed.ics'"))
      #expect(report.problems.count == 2)
      // Whoever works on it saves it once more.
      world.local.put(Self.renamed, Self.nameless[(which + later) % Self.nameless.count])
      world.executor.advance(1)
    }
    world.local.remove(Self.renamed)
    #expect(try world.sync().pushed.deleted == 1)
  }

  /// How an item went, while a file of which nothing is known is there since.
  enum Leaving: CaseIterable {
    case underNewName
    /// Another event was saved under its former name.
    case withNameTaken
    /// There was a second file of it, which a run had read.
    case overItsCopy
    /// A run had found its own file empty.
    case brokenBefore
    /// The same, and another event was saved under its former name.
    case brokenBeforeWithNameTaken

    var isBrokenBefore: Bool { self == .brokenBefore || self == .brokenBeforeWithNameTaken }
    var isNameTaken: Bool { self == .withNameTaken || self == .brokenBeforeWithNameTaken }
  }

  @Test(arguments: Leaving.allCases)
  func `so it is whenever the run was killed that found both`(leaving: Leaving) throws {
    var number = 0
    var isOver = false
    while !isOver {
      number += 1
      let world = try agreedWorld()
      if leaving == .overItsCopy || leaving.isBrokenBefore {
        world.executor.advance(1)
        let place = leaving.isBrokenBefore ? Self.former : Self.renamed
        world.local.put(
          place, leaving.isBrokenBefore ? ItemData(bytes: []) : World.event("dentist", "A"))
        _ = try world.sync()
      }
      world.executor.advance(1)
      world.local.remove(Self.former)
      world.local.put(Self.renamed, ItemData(bytes: []))
      if leaving.isNameTaken { world.local.put(Self.former, World.event("lunch", "A")) }
      let last = world.fuse.effects + number
      world.fuse.stop(at: last, .after)
      _ = try world.sync()
      isOver = world.fuse.effects < last
      world.fuse.replace()
      for _ in 0..<2 {
        world.executor.advance(1)
        #expect(try world.sync().pushed.deleted == 0, "killed after effect \(number)")
        #expect(world.letter("dentist", on: .remote) == "A", "killed after effect \(number)")
      }
    }
    #expect(number > 2)
  }

  /// What became of the former name in later runs.
  private static let later: [[String?]] = [
    ["lunch"], ["gym"],
    // A copy of another event as the beginning of a new one, which then gets its own UID.
    ["copy of gym", "lunch"], ["copy of gym", nil],
    // An editor that failed to save.
    ["", nil], ["", "lunch"], ["", nil, "lunch"],
  ]

  /// Each an audit's find: the time at which the item went was lost.
  @Test(arguments: later)
  func `it waits on whatever gets its former name later`(takers: [String?]) throws {
    let world = try emptiedWorld()
    for taker in takers {
      world.executor.advance(1)
      switch taker {
      case nil: world.local.remove(Self.former)
      case "": world.local.put(Self.former, ItemData(bytes: []))
      case "copy of gym": world.local.put(Self.former, World.event("gym", "A"))
      case "gym":
        world.local.remove(Self.gym)
        world.local.put(Self.former, World.event("gym", "A"))
      case let taker?: world.local.put(Self.former, World.event(taker, "A"))
      }
      for _ in 0..<2 {
        #expect(try world.sync().pushed.deleted == 0)
        #expect(world.letter("dentist", on: .remote) == "A")
      }
    }
    world.local.remove(Self.renamed)
    #expect(try world.sync().pushed.deleted == 1)
    #expect(world.letter("dentist", on: .remote) == "-")
  }

  @Test func `what went before is not held by what comes with the taker of its name`() throws {
    let world = try agreedWorld()
    world.executor.advance(1)
    world.local.remove(Self.former)
    _ = try world.sync(as: .onlyPulled)
    world.executor.advance(1)
    world.local.put(Self.former, World.event("lunch", "A"))
    world.local.put(Self.renamed, ItemData(bytes: []))
    #expect(try world.sync().pushed.deleted == 1)
  }

  /// A file of which nothing is known may lie there for years.
  @Test(arguments: [nil, .onlyPulled, .readOnly, .notAskedAbout] as [RenamedBrokenTests.Waiting?])
  func `what is deleted after such a file came is deleted, whatever it waited for`(
    waiting: RenamedBrokenTests.Waiting?
  ) throws {
    let world = try agreedWorld()
    world.local.put(Self.renamed, ItemData(bytes: []))
    _ = try world.sync()
    world.executor.advance(1)
    world.local.remove(Self.former)
    if let waiting {
      #expect(try world.sync(as: waiting).pushed.deleted == 0)
      world.executor.advance(1)
    }
    #expect(try world.sync().pushed.deleted == 1)
  }

  @Test func `a person can say that it is to come back`() throws {
    let world = try agreedWorld()
    world.local.remove(Self.former)
    world.local.put(Self.renamed, ItemData(bytes: []))
    _ = try world.sync()
    let report = try resolve(in: world, taking: .remote)
    #expect(report.problems.isEmpty && report.pulled.created == 1)
    #expect(world.letter("dentist", on: .local) == "A")
  }

  @Test func `a person can say that it is deleted`() throws {
    let world = try emptiedWorld()
    let report = try resolve(in: world, taking: .local)
    #expect(report.pushed.deleted == 1)
    #expect(world.letter("dentist", on: .remote) == "-")
  }

  @Test func `the mend is what can be said there`() throws {
    let world = try emptiedWorld()
    func mend(_ change: (inout SyncOptions) -> Void = { _ in }) throws -> String? {
      try world.sync(change).problems.first { $0.item.uid == ItemID("dentist") }?.problem.hint
    }
    let deletes = "Mend that file; or run `calgw resolve UID --take local`, which deletes this one,"
    #expect(try mend() == "\(deletes) too, or with --take remote, which brings it back.")
    #expect(try mend { $0.readOnly = [.local] } == "\(deletes) too.")
    // A run of a pair that goes both ways.
    let push = try mend {
      $0.direction = .push
      $0.pairDirection = .both
    }
    #expect(push == "\(deletes) too, or with --take remote, which brings it back.")
    // What was edited there is deleted by this run's policy alone.
    world.set("dentist", "B", on: .remote)
    for policy in [ConflictPolicy.merge, .local] {
      let edited = try #require(try mend { $0.policy = policy })
      #expect(edited.hasSuffix("`calgw resolve UID --take remote`, which brings this one back."))
    }
    #expect(try resolve(in: world, taking: .remote).pulled.created == 1)
    #expect(world.letter("dentist", on: .local) == "B")
  }

  @Test func `what a second item of one UID is waits for nothing`() throws {
    let world = try agreedWorld()
    world.local.remove(Self.former)
    world.local.obstruct(
      Self.renamed, ItemProblem(.duplicateUID, "there are two of it", hint: "keep one"))
    #expect(try world.sync().pushed.deleted == 1)
  }

  @Test func `what names another item is not it`() throws {
    for (uid, deleted) in [("dentist", 0), ("lunch", 1)] {
      let world = try agreedWorld()
      world.local.remove(Self.former)
      let event = World.event(uid, "A").bytes
      let end = Array("END:VCALENDAR\r\n".utf8)
      let nameless = Array("BEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\n".utf8)
      world.local.put(
        Self.renamed, ItemData(bytes: Array(event.dropLast(end.count)) + nameless + end))
      let report = try world.sync()
      #expect(report.problems.contains { $0.problem.code == .noUID })
      #expect(report.pushed.deleted == deleted, "\(uid)")
    }
  }

  /// Cut off amid a UID, which may be folded, so that a whole line stands there.
  @Test(arguments: ["den", "dentist", "den\r\n"])
  func `a UID that is cut off may be any that begins so`(stump: String) throws {
    let world = try agreedWorld()
    world.local.remove(Self.former)
    let text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:\(stump)"
    world.local.put(Self.renamed, ItemData(bytes: Array(text.utf8)))
    // Its UID does not begin so.
    world.local.remove(Self.gym)
    #expect(try world.sync().pushed.deleted == 1)
    for _ in 0..<2 {
      #expect(world.letter("dentist", on: .remote) == "A")
      #expect(world.letter("gym", on: .remote) == "-")
      world.executor.advance(1)
      #expect(try world.sync().pushed.deleted == 0)
    }
  }

  /// It comes under the name of an item that is gone, and whose deletion waits.
  @Test(arguments: [.onlyPulled, .readOnly, .notAskedAbout] as [RenamedBrokenTests.Waiting])
  func `its name may have been that of another one that went before`(
    waiting: RenamedBrokenTests.Waiting
  ) throws {
    for isUnreadable in [false, true] {
      let world = try agreedWorld()
      world.set("lunch", "A", on: .local)
      _ = try world.sync()
      world.executor.advance(1)
      world.local.remove(Href("lunch.ics"))
      _ = try world.sync(as: waiting)
      world.executor.advance(1)
      world.local.remove(Self.former)
      world.local.put(Href("lunch.ics"), ItemData(bytes: []))
      if isUnreadable {
        world.local.obstruct(
          Href("lunch.ics"), ItemProblem(.unreadable, "it cannot be read", hint: "chmod"))
      }
      for _ in 0..<2 {
        let report = try world.sync()
        #expect(report.pushed.deleted == 0, "\(isUnreadable)")
        #expect(report.problems.contains { $0.item.uid == ItemID("dentist") })
        world.executor.advance(1)
      }
    }
  }

  /// A full disk may leave as many.
  @Test func `each of many broken files holds what is in it`() throws {
    let world = try agreedWorld()
    for number in 0..<501 {
      world.local.put(Href("a\(number).ics"), ItemData(bytes: []))
    }
    world.local.put(Href("zz.ics"), BrokenItemTests.halves[0])
    _ = try world.sync()
    world.executor.advance(1)
    world.local.remove(Self.former)
    #expect(try world.sync().pushed.deleted == 0)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  /// An item that waits has taken the name of one that went before.
  @Test func `who takes a name does not take the time of its former owner`() throws {
    for isEmptiedThen in [false, true] {
      let world = try agreedWorld()
      world.executor.advance(1)
      world.local.remove(Self.gym)
      world.local.put(Self.former, World.event("gym", "B"))
      if !isEmptiedThen { world.local.put(Self.renamed, ItemData(bytes: [])) }
      _ = try world.sync(as: .onlyPulled)
      world.executor.advance(1)
      world.local.remove(Self.former)
      if isEmptiedThen { world.local.put(Self.renamed, ItemData(bytes: [])) }
      _ = try world.sync()
      #expect(world.letter("gym", on: .remote) == (isEmptiedThen ? "A" : "-"))
      #expect(world.letter("dentist", on: .remote) == (isEmptiedThen ? "-" : "A"))
    }
  }

  /// A rename by copying, on a full disk, between whose steps a run came.
  @Test func `an item may have gone while its own file was broken`() throws {
    let world = try agreedWorld()
    world.executor.advance(1)
    for place in [Self.former, Self.renamed] { world.local.put(place, ItemData(bytes: [])) }
    _ = try world.sync()
    world.executor.advance(1)
    world.local.remove(Self.former)
    #expect(try world.sync().pushed.deleted == 0)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `so it is on the other side`() throws {
    let world = try agreedWorld()
    world.executor.advance(1)
    world.remote.remove(Self.former)
    world.remote.put(Self.renamed, ItemData(bytes: []))
    let report = try world.sync()
    #expect(report.pulled.deleted == 0 && world.letter("dentist", on: .local) == "A")
    let held = report.problems.first { $0.item.uid == ItemID("dentist") }
    #expect(held?.problem.hint.contains("--take remote`, which deletes this one, too") ?? false)
    #expect(try resolve(in: world, taking: .remote).pulled.deleted == 1)
    #expect(world.letter("dentist", on: .local) == "-")
  }

  @Test func `what is gone from both sides is known until that file is whole`() throws {
    let world = try emptiedWorld()
    world.executor.advance(1)
    world.remote.remove(Self.former)
    _ = try world.sync()
    #expect(world.journal.state.agreements[ItemID("dentist")] != nil)
    world.executor.advance(1)
    world.local.put(Self.renamed, World.event("dentist", "A"))
    #expect(try world.sync().pulled.deleted == 1)
    #expect(world.local.items[Self.renamed] == nil)
  }
}
