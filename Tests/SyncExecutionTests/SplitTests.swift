import Recurrence
import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A series that was split in two travels whole, or waits whole.
@Suite struct SplitTests {
  private static let refusal = ItemProblem(.refused, "the server says no", hint: "ask it")
  private static let (first, second) = (Href("gym.ics"), Href("gym-later.ics"))

  /// A part of a series with the other parts that it names; a letter stands for its content.
  private func part(
    _ uid: String, _ letter: Character, of others: String..., relation: String = "SIBLING"
  ) -> ItemData {
    event(uid, letter, with: others.map { "RELATED-TO;RELTYPE=\(relation):\($0)" })
  }

  private func event(_ uid: String, _ letter: Character, with lines: [String]) -> ItemData {
    let text = String(decoding: World.event(uid, letter).bytes, as: UTF8.self)
    let end = (lines + ["END:VEVENT"]).joined(separator: "\r\n")
    return ItemData(bytes: Array(text.replacing("END:VEVENT", with: end).utf8))
  }

  /// All series of these tests are in January 2026.
  private static let february = Instant(seconds: 1_769_904_000)

  private static func window(from start: Instant) -> SyncWindow {
    SyncWindow(from: start, to: Instant(milliseconds: .max), zones: .empty)
  }

  /// A series that both sides share, split on one side since.
  private func splitWorld(
    on side: Side = .local, relation: String = "SIBLING", traits: StorageTraits = World.serverTraits
  ) throws -> World {
    let world = World(remoteTraits: traits)
    world.set("gym", "A", on: .local)
    world.set("choir", "A", on: .local)
    _ = try world.sync()
    world.storage(side).put(Self.first, part("gym", "B", of: "gym-later", relation: relation))
    world.storage(side).put(Self.second, part("gym-later", "A", of: "gym", relation: relation))
    return world
  }

  /// The letters of both parts on a side.
  private func parts(_ world: World, on side: Side) -> String {
    String([world.letter("gym", on: side), world.letter("gym-later", on: side)])
  }

  private func waiting(_ report: CollectionReport) -> [String?] {
    report.problems.filter { $0.problem.message.contains("the other part of its series") }
      .map(\.item.uid?.text)
  }

  @Test func `both halves of a split arrive in one run, from either side`() throws {
    for side in Side.allCases {
      let world = try splitWorld(on: side)
      #expect(try world.sync().problems.isEmpty)
      #expect(parts(world, on: side.opposite) == "BA")
    }
  }

  @Test func `the series is not cut short where its new half is refused`() throws {
    for side in Side.allCases {
      let world = try splitWorld(on: side)
      let other = world.storage(side.opposite)
      other.refuse(Self.second, Self.refusal)
      world.storage(side).put(Href("choir.ics"), World.event("choir", "B"))
      for _ in 0..<2 {
        let report = try world.sync()
        #expect(report.problems.count == 2 && waiting(report) == ["gym"])
        #expect(parts(world, on: side.opposite) == "A-")
        #expect(world.letter("choir", on: side.opposite) == "B", "everything else goes on")
      }
      #expect(waiting(try world.sync { $0.isDryRun = true }) == ["gym"])

      other.refuse(Self.second, nil)
      world.executor.advance(86_400_001)
      #expect(try world.sync().problems.isEmpty)
      #expect(parts(world, on: side.opposite) == "BA")
    }
  }

  @Test func `a new half that a server stumbles over goes up with the other in the next run`()
    throws
  {
    let world = try splitWorld()
    world.remote.stumble(over: Self.second, true)
    #expect(waiting(try world.sync()) == ["gym"])
    #expect(parts(world, on: .remote) == "A-")
    world.remote.stumble(over: Self.second, false)
    #expect(try world.sync().problems.isEmpty)
    #expect(parts(world, on: .remote) == "BA")
  }

  @Test func `the new half waits with a series in conflict, and what was split off that as well`()
    throws
  {
    let world = try splitWorld()
    world.set("gym", "C", on: .remote)
    world.local.put(Self.second, part("gym-later", "A", of: "gym", "gym-last"))
    world.local.put(Href("gym-last.ics"), part("gym-last", "A", of: "gym-later"))
    let report = try world.sync { $0.policy = .ask }
    #expect(report.conflicts.map(\.item.uid?.text) == ["gym"])
    #expect(waiting(report) == ["gym-last", "gym-later"])
    #expect(parts(world, on: .remote) == "C-")
    #expect(world.letter("gym-last", on: .remote) == "-")

    let decided = try world.sync {
      $0.policy = .ask
      $0.preferred = [ItemID("gym"): .local]
    }
    #expect(decided.problems.isEmpty && decided.conflicts.isEmpty)
    #expect(parts(world, on: .remote) == "BA")
    #expect(world.letter("gym-last", on: .remote) == "A")
  }

  @Test func `a merge waits, too, and goes the whole way later`() throws {
    let world = try splitWorld()
    world.remote.put(Self.first, event("gym", "A", with: ["LOCATION:hall"]))
    world.remote.refuse(Self.second, Self.refusal)
    #expect(waiting(try world.sync()) == ["gym"])
    #expect(parts(world, on: .remote) == "A-" && parts(world, on: .local) == "BA")
    world.remote.refuse(Self.second, nil)
    world.executor.advance(86_400_001)
    #expect(try world.sync().problems.isEmpty)
    for side in Side.allCases {
      #expect(parts(world, on: side) == "BA")
      let merged = try #require(world.storage(side).items[Self.first])
      #expect(String(decoding: merged.bytes, as: UTF8.self).contains("LOCATION:hall"))
    }
  }

  /// The text of a part on a side, whatever its name there.
  private func text(of uid: String, _ world: World, on side: Side) -> String {
    world.storage(side).items.values.map { String(decoding: $0.bytes, as: UTF8.self) }
      .first { $0.contains("UID:\(uid)\r\n") } ?? ""
  }

  @Test func `what the other side changed of the whole series is in both parts`() throws {
    for side in Side.allCases {
      let world = try splitWorld(on: side)
      world.storage(side.opposite).put(Self.first, event("gym", "A", with: ["LOCATION:hall"]))
      let report = try world.sync()
      #expect(report.problems.isEmpty && report.conflicts.isEmpty && report.merged == 1)
      for each in Side.allCases {
        #expect(parts(world, on: each) == "BA")
        for uid in ["gym", "gym-later"] {
          #expect(text(of: uid, world, on: each).contains("LOCATION:hall"))
        }
      }
      let history = try world.executor.run {
        try await world.journal.history(of: ItemID("gym-later"))
      }
      #expect(
        history.map(\.entry.before) == [sha256(part("gym-later", "A", of: "gym").bytes)])
      let quiet = try world.sync()
      #expect(quiet.pulled.total + quiet.pushed.total + quiet.merged == 0)
    }
  }

  @Test func `a change of the whole goes on where a run ended between the two parts`() throws {
    let world = try splitWorld()
    world.remote.put(Self.first, event("gym", "A", with: ["LOCATION:hall"]))
    world.remote.refuse(Self.second, Self.refusal)
    #expect(waiting(try world.sync()) == ["gym"])
    #expect(text(of: "gym-later", world, on: .local).contains("LOCATION:hall"))
    #expect(!text(of: "gym", world, on: .local).contains("LOCATION:hall"))
    world.remote.put(Self.first, event("gym", "A", with: ["LOCATION:hall", "URL:http://a.b"]))
    world.remote.refuse(Self.second, nil)
    world.executor.advance(86_400_001)
    #expect(try world.sync().problems.isEmpty)
    for side in Side.allCases {
      for uid in ["gym", "gym-later"] {
        let text = text(of: uid, world, on: side)
        #expect(text.contains("LOCATION:hall") && text.contains("URL:http://a.b"))
      }
    }
  }

  /// What else there is when a series is split.
  enum Beside: CaseIterable, Sendable { case nothing, changeOfTheWhole, changeOutsideTheWindow }

  @Test(arguments: Side.allCases, Beside.allCases)
  func `stopped at every effect, no later occurrence is ever missing, and the next run ends it`(
    side: Side, beside: Beside
  ) throws {
    let isMerge = beside != .nothing
    let window: (inout SyncOptions) -> Void = {
      if beside == .changeOutsideTheWindow { $0.window = Self.window(from: Self.february) }
    }
    func makeWorld() throws -> World {
      let world = try splitWorld(on: side)
      if isMerge {
        world.storage(side.opposite).put(Self.first, event("gym", "A", with: ["LOCATION:hall"]))
      }
      return world
    }
    let unbroken = try makeWorld()
    let before = unbroken.fuse.effects
    _ = try unbroken.sync(window)
    let effects = unbroken.fuse.effects - before
    var seen: Set<String> = []
    for number in 1...max(1, effects) {
      for moment in Fuse.Moment.allCases {
        let world = try makeWorld()
        world.fuse.stop(at: world.fuse.effects + number, moment)
        _ = try world.sync(window)
        seen.insert(parts(world, on: side.opposite))
        world.fuse.replace()
        let report = try world.sync(window)
        let place: Comment = "stopped \(moment) effect \(number) of \(effects)"
        #expect(report.problems.isEmpty && report.conflicts.isEmpty, place)
        for each in Side.allCases {
          #expect(parts(world, on: each) == "BA", place)
          for uid in ["gym", "gym-later"] {
            #expect(text(of: uid, world, on: each).contains("LOCATION:hall") == isMerge, place)
          }
        }
      }
    }
    // The whole series, then the new half beside it, and only then the old half cut short.
    #expect(seen == ["A-", "AA", "BA"])
  }

  @Test func `parts that both sides share go each for itself`() throws {
    let world = try splitWorld()
    _ = try world.sync()
    world.local.put(Self.first, part("gym", "C", of: "gym-later"))
    world.local.put(Self.second, part("gym-later", "C", of: "gym"))
    world.remote.refuse(Self.second, Self.refusal)
    let report = try world.sync()
    #expect(report.problems.count == 1 && waiting(report).isEmpty)
    #expect(parts(world, on: .remote) == "CA")
  }

  @Test func `a parent does not wait for its child`() throws {
    let world = try splitWorld(relation: "CHILD")
    world.remote.refuse(Self.second, Self.refusal)
    let report = try world.sync()
    #expect(report.problems.count == 1 && waiting(report).isEmpty)
    #expect(parts(world, on: .remote) == "B-")
  }

  @Test func `a half that is out of the window keeps nobody waiting`() throws {
    let world = World()
    let old = String(decoding: part("gym", "A", of: "gym-later").bytes, as: UTF8.self)
      .replacing("DTSTART:2026", with: "DTSTART:2020")
    world.remote.put(Self.first, ItemData(bytes: Array(old.utf8)))
    world.remote.put(Self.second, part("gym-later", "A", of: "gym"))
    let start = Instant(seconds: 1_767_225_600)  // 2026-01-01
    for _ in 0..<2 {
      let report = try world.sync { $0.window = Self.window(from: start) }
      #expect(report.problems.isEmpty)
      #expect(parts(world, on: .local) == "-A")
    }
  }

  @Test func `who settles the series means its new half, too`() throws {
    let world = try splitWorld()
    world.set("gym", "C", on: .remote)
    world.remote.refuse(Self.second, Self.refusal)
    #expect(try world.sync { $0.policy = .ask }.conflicts.count == 1)
    let engine = world.engine { $0.policy = .ask }
    let resolved = try world.executor.run { await engine.resolve(ItemID("gym"), taking: .local) }
    #expect(waiting(resolved) == ["gym"] && resolved.problems.count == 2)
    #expect(parts(world, on: .remote) == "C-")
    world.remote.refuse(Self.second, nil)
    world.executor.advance(86_400_001)
    let again = try world.executor.run { await engine.resolve(ItemID("gym"), taking: .local) }
    #expect(again.problems.isEmpty)
    #expect(parts(world, on: .remote) == "BA")
  }

  @Test func `a half that cannot go up keeps nothing from coming down`() throws {
    let world = try splitWorld()
    world.remote.refuse(Self.second, Self.refusal)
    #expect(waiting(try world.sync()) == ["gym"])
    // He takes the cut back and leaves the new half where it is.
    world.set("gym", "A", on: .local)
    world.set("gym", "C", on: .remote)
    let report = try world.sync()
    #expect(report.problems.count == 1 && waiting(report).isEmpty)
    #expect(parts(world, on: .local) == "CA")
  }
}
