import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// Merges as a run carries them out.
@Suite struct MergeRunTests {
  private func agreedWorld(
    traits: StorageTraits = World.serverTraits,
    rewrite: @escaping @Sendable (ItemData) -> ItemData = { $0 }
  ) throws -> World {
    let world = World(remoteTraits: traits, rewrite: rewrite)
    world.set("dentist", "AAA", on: .local)
    _ = try world.sync()
    world.executor.advance(60_000)
    return world
  }

  private func edit(_ world: World, local: String, remote: String) {
    world.edit("dentist", from: "AAA", to: local, on: .local)
    world.executor.advance(60_000)
    world.edit("dentist", from: "AAA", to: remote, on: .remote)
    world.executor.advance(60_000)
  }

  @Test func `both replaced versions are in the history, with what was lost`() throws {
    let world = try agreedWorld()
    edit(world, local: "BAA", remote: "CCA")
    let report = try world.sync()
    #expect(report.merged == 1)
    #expect(report.pulled.total + report.pushed.total == 0)
    // The server has what comes out already: only the file is replaced.
    #expect(report.actions.map { "\($0.kind) \($0.side)" } == ["merge local"])
    let state = world.journal.state
    #expect(
      state.history.map { "\($0.entry.side) \($0.entry.reason)" }
        == ["local both sides changed it: merged; of SUMMARY the remote one holds"])
    let before = state.history.compactMap { $0.entry.before.flatMap { state.contents[$0] } }
    #expect(before.contains(World.event("dentist", "BAA")))
  }

  @Test func `a dry run says what a merge would do, and changes nothing`() throws {
    let world = try agreedWorld()
    edit(world, local: "BAA", remote: "ACA")
    let said = try world.sync { $0.isDryRun = true }
    #expect(said.merged == 1)
    #expect(said.conflicts.isEmpty)
    #expect(world.letters("dentist", on: .local, width: 3) == "BAA")
    #expect(world.letters("dentist", on: .remote, width: 3) == "ACA")
    #expect(said.actions == (try world.sync().actions))
  }

  /// Whether the server keeps items in a form of its own.
  @Test(arguments: [false, true])
  func `what comes after a merge that was killed half way meets no conflict`(
    rewrites: Bool
  ) throws {
    for side in Side.allCases {
      var halves = 0
      for number in 1...16 {
        let world = try rewrites ? agreedWorld(rewrite: ScenarioText.rewritten) : agreedWorld()
        edit(world, local: "BAA", remote: "AAB")
        world.fuse.stop(at: world.fuse.effects + number, .after)
        _ = try world.sync()
        world.fuse.replace()
        let seen = Side.allCases.map { world.letters("dentist", on: $0, width: 3) }
        guard seen == ["BAB", "AAB"] else { continue }
        // An edit of a text of which nothing is recorded yet may be one of the text before it.
        if side == .local, !world.journal.state.intents.isEmpty { continue }
        halves += 1
        world.executor.advance(60_000)
        world.edit(
          "dentist", from: side == .local ? "BAB" : "AAB", to: side == .local ? "BAC" : "AAC",
          on: side)
        let report = try world.sync()
        #expect(report.conflicts.isEmpty, "effect \(number), \(side)")
        for other in Side.allCases {
          #expect(world.letters("dentist", on: other, width: 3) == "BAC", "effect \(number)")
        }
      }
      #expect(halves > 0)
    }
  }

  @Test func `an edit in the very moment of a merge is merged too`() throws {
    for side in Side.allCases {
      for calls in 0..<6 {
        let world = try agreedWorld()
        edit(world, local: "BAA", remote: "ACA")
        let late = Late(calls: calls) { world.edit("dentist", from: $0, to: "BDA", on: side) }
        late.plant(in: world.storage(side))
        _ = try world.sync()
        world.storage(side).beforeNextCall { _ in }
        _ = try world.sync()
        let letters = Side.allCases.map { world.letters("dentist", on: $0, width: 3) }
        #expect(letters == (late.hasActed ? ["BDA", "BDA"] : ["BCA", "BCA"]), "\(side) \(calls)")
      }
    }
  }

  @Test func `a server that refuses the merged text is asked once a day`() throws {
    let world = try agreedWorld()
    edit(world, local: "BAA", remote: "ACA")
    let problem = ItemProblem(.refused, "the server says no", hint: "ask it")
    world.remote.refuse(Href("dentist.ics"), problem)
    let refused = try world.sync()
    #expect(refused.problems.map(\.problem.message) == [problem.message])
    #expect(refused.problems.first?.problem.hint.hasSuffix("UID --take local`.") == true)
    // The folder has the first half, and the report says so.
    #expect(refused.merged == 0 && refused.pulled.updated == 1)
    #expect(refused.actions.map { "\($0.kind) \($0.side)" } == ["update local"])
    #expect(world.letters("dentist", on: .local, width: 3) == "BCA")
    let writes = world.writes
    #expect(try world.sync().problems.map(\.problem) == refused.problems.map(\.problem))
    #expect(world.writes == writes)
    world.remote.refuse(Href("dentist.ics"), nil)
    world.executor.advance(86_400_001)
    // The folder has had all that the server has since the first half.
    #expect(try world.sync().pushed.updated == 1)
    #expect(world.letters("dentist", on: .remote, width: 3) == "BCA")
  }

  @Test func `with what changes on the server, a refused edit is another text`() throws {
    let world = try agreedWorld()
    world.edit("dentist", from: "AAA", to: "BAA", on: .local)
    let problem = ItemProblem(.refused, "the server says no", hint: "ask it")
    world.remote.refuse(Href("dentist.ics"), problem)
    #expect(try world.sync().problems.count == 1)
    world.remote.refuse(Href("dentist.ics"), nil)
    #expect(try world.sync().pushed.updated == 0, "it waits for a day")
    world.edit("dentist", from: "AAA", to: "ACA", on: .remote)
    #expect(try world.sync().merged == 1)
    for side in Side.allCases { #expect(world.letters("dentist", on: side, width: 3) == "BCA") }
  }

  /// What is left once the day is over, and what waits until then.
  @Test(arguments: [(ConflictPolicy.merge, "BAA", 1), (.remote, "-", 0)])
  func `a deletion there meets an edit that was refused as it meets any edit`(
    policy: ConflictPolicy, left: String, waiting: Int
  ) throws {
    let world = try agreedWorld()
    let href = Href("dentist.ics")
    world.edit("dentist", from: "AAA", to: "BAA", on: .local)
    world.remote.refuse(href, ItemProblem(.refused, "the server says no", hint: "ask it"))
    #expect(try world.sync { $0.policy = policy }.problems.count == 1)
    world.remote.refuse(href, nil)
    world.remote.remove(href)
    #expect(try world.sync { $0.policy = policy }.problems.count == waiting)
    #expect(world.letters("dentist", on: .local, width: 3) == left)
    #expect(world.letters("dentist", on: .remote, width: 3) == "-")
    world.executor.advance(86_400_001)
    #expect(try world.sync { $0.policy = policy }.problems.isEmpty)
    for side in Side.allCases {
      #expect(world.letters("dentist", on: side, width: 3) == left)
    }
  }

  /// The second row: the merge would be what the read-only side has. The third one: it deleted it.
  @Test(arguments: ["ACA", "CAA", "-"], [ConflictPolicy.merge, .newest, .remote, .local])
  func `an edit that cannot go to a read-only side stays, whatever the policy`(
    remote: String, policy: ConflictPolicy
  ) throws {
    let world = try agreedWorld()
    edit(world, local: "BAA", remote: remote)
    for _ in 0..<2 {
      let report = try world.sync {
        $0.readOnly = [.remote]
        $0.policy = policy
      }
      #expect(report.problems.map(\.problem.code) == [.readOnly])
      #expect(world.letters("dentist", on: .local, width: 3) == "BAA")
      #expect(world.letters("dentist", on: .remote, width: 3) == remote)
    }
  }

  /// A title that was edited, a place that was removed. Where the folder is older, as one that
  /// another program filled, what is there comes.
  @Test(arguments: [("BAA", "CAA"), ("A", "AAA")])
  func `beside a read-only side what never agreed gives way to no guess`(
    local: String, remote: String
  ) throws {
    let cases: [(ConflictPolicy, isOlder: Bool, comes: Bool)] = [
      (.merge, false, false), (.newest, false, false), (.remote, false, true),
      (.merge, true, true), (.newest, true, true), (.remote, true, true),
    ]
    for (policy, isOlder, comes) in cases {
      let world = World()
      world.set("dentist", local, on: .local)
      if isOlder { world.executor.advance(60_000) }
      world.set("dentist", remote, on: .remote)
      for _ in 0..<2 {
        let report = try world.sync {
          $0.readOnly = [.remote]
          $0.policy = policy
        }
        #expect(report.problems.map(\.problem.code) == (comes ? [] : [.readOnly]))
        let kept = world.local.items[Href("dentist.ics")] == World.event("dentist", local)
        #expect(kept == !comes)
        #expect(!comes || world.letters("dentist", on: .local, width: 3) == remote)
      }
    }
  }

  @Test func `beside a read-only side a person says that what never agreed gives way`() throws {
    let world = World()
    world.set("dentist", "BAA", on: .local)
    world.set("dentist", "CAA", on: .remote)
    let engine = world.engine { $0.readOnly = [.remote] }
    let report = try world.executor.run {
      await engine.resolve(ItemID("dentist"), taking: .remote)
    }
    #expect(report.problems.isEmpty && report.failure == nil)
    #expect(world.letters("dentist", on: .local, width: 3) == "CAA")
  }

  @Test(arguments: [(119_000, nil), (-1_200_000, -1_200_000)] as [(Int64, Int64?)])
  func `a clock that is minutes off is told where both sides changed an item`(
    ahead: Int64, told: Int64?
  ) throws {
    var traits = World.serverTraits
    traits.clockAhead = ahead
    let world = try agreedWorld(traits: traits)
    #expect(try world.sync().clockAhead == nil)
    edit(world, local: "BAA", remote: "ACA")
    let report = try world.sync()
    #expect(report.merged == 1 && report.clockAhead == told)
  }

  @Test func `a merge with a lost journal joins what is there`() throws {
    let world = World()
    world.set("dentist", "ABA", on: .local)
    world.set("dentist", "ABA", on: .remote)
    let there = Href("dentist.ics")
    let text = World.event("dentist", "ABA").bytes
    let categorized = String(decoding: text, as: UTF8.self)
      .replacing("END:VEVENT", with: "CATEGORIES:Health\r\nEND:VEVENT")
    world.remote.put(there, ItemData(bytes: Array(categorized.utf8)))
    #expect(try world.sync().merged == 1)
    #expect(world.local.items[there] == world.remote.items[there])
  }

  @Test func `a status shows what will be merged as two updates and no conflict`() throws {
    let world = try agreedWorld()
    edit(world, local: "BAA", remote: "ACA")
    let pending = try world.pending()
    #expect(pending.map(\.local) == [.updated])
    #expect(pending.map(\.remote) == [.updated])
    #expect(pending.map(\.conflict) == [nil])
  }

  @Test func `a conflict says that it is about the schedule`() throws {
    let world = try agreedWorld()
    edit(world, local: "AAB", remote: "AAC")
    #expect(try world.sync().conflicts.map(\.reason) == [.schedule])
    #expect(try world.sync { $0.direction = .push }.conflicts.map(\.reason) == [.bothChanged])
    #expect(try world.sync { $0.policy = .ask }.conflicts.map(\.reason) == [.bothChanged])
  }
}

/// Acts once, before a call of a storage, on whatever title and place are there.
private final class Late: @unchecked Sendable {
  private let calls: Int
  private let act: (String) -> Void
  private(set) var hasActed = false

  init(calls: Int, _ act: @escaping (String) -> Void) {
    self.calls = calls
    self.act = act
  }

  func plant(in storage: MemoryStorage, after done: Int = 0) {
    storage.beforeNextCall { [self] storage in
      guard done >= calls else {
        plant(in: storage, after: done + 1)
        return
      }
      hasActed = true
      for there in ["AAA", "BAA", "ACA", "BCA"] { act(there) }
    }
  }
}

extension World {
  fileprivate func pending() throws -> [PendingItem] {
    let engine = CollectionSync(
      name: "test", local: local, remote: remote, journal: journal, surroundings: surroundings,
      digest: sha256, options: SyncOptions())
    return try executor.run { await engine.inspect([.local, .remote]) }.get()
  }
}
