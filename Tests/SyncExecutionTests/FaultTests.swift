import SyncExecution
import SyncModel
import SyncPlanning
import Synchronization
import TestSupport
import Testing

/// What becomes of single faults.
@Suite struct FaultTests {
  private func agreedWorld(_ uids: [String], traits: StorageTraits = World.serverTraits) throws
    -> World
  {
    let world = World(remoteTraits: traits)
    for uid in uids { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    return world
  }

  @Test func `what a server lists and does not give is a problem, and no deletion`() throws {
    var traits = World.serverTraits
    traits.keepsAddresses = true
    let world = try agreedWorld(["dentist", "gym"], traits: traits)
    world.set("dentist", "B", on: .remote)
    let href = Href("dentist.ics")
    world.remote.withhold(href, true)
    for _ in 0..<2 { #expect(try world.sync().problems.map(\.problem.code) == [.brokenRemote]) }
    #expect(world.letter("dentist", on: .local) == "A")
    world.remote.withhold(href, false)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .local) == "B")
  }

  @Test func `what was listed and deleted a moment later is deleted here in the same run`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    world.set("dentist", "B", on: .remote)
    let href = Href("dentist.ics")
    // The first call is the listing; the second one reads.
    world.remote.beforeNextCall { $0.beforeNextCall { $0.remove(href) } }
    let report = try world.sync()
    #expect(report.problems.isEmpty && report.pulled.deleted == 1)
    #expect(world.letter("dentist", on: .local) == "-")
  }

  @Test func `a deletion waits for a new file that cannot be read, and is named`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    let (old, new) = (Href("dentist.ics"), Href("teeth.ics"))
    let text = try #require(world.local.items[old])
    world.local.remove(old)
    world.local.obstruct(new, ItemProblem(.unreadable, "no permission", hint: "give it"))
    let problems = try world.sync().problems
    #expect(problems.count == 2 && problems.allSatisfy { $0.problem.code == .unreadable })
    #expect(problems.contains { $0.problem.message.contains("may be it") })
    #expect(world.letter("dentist", on: .remote) == "A")
    // Another item at its old name goes on, and makes it no deletion.
    world.local.put(old, World.event("choir", "A"))
    #expect(try world.sync().problems.count == 2)
    #expect(world.letter("choir", on: .remote) == "A")
    #expect(world.letter("dentist", on: .remote) == "A")
    world.local.obstruct(new, nil)
    world.local.put(new, text)
    let report = try world.sync()
    #expect(report.problems.isEmpty && report.pushed == report.pulled)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `an edit there waits for a new file that cannot be read, and goes into it then`()
    throws
  {
    let world = try agreedWorld(["dentist", "gym"])
    let (old, new) = (Href("dentist.ics"), Href("teeth.ics"))
    let text = try #require(world.local.items[old])
    world.local.remove(old)
    world.local.obstruct(new, ItemProblem(.unreadable, "no permission", hint: "give it"))
    world.set("dentist", "B", on: .remote)
    let report = try world.sync()
    #expect(report.pulled.total == 0)
    #expect(report.problems.contains { $0.problem.message.contains("may be it") })
    world.local.obstruct(new, nil)
    world.local.put(new, text)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.local.items[new] == World.event("dentist", "B"))
    #expect(world.local.items[old] == nil)
  }

  @Test func `an upload whose answer was lost, and an edit before the next run, is no conflict`()
    throws
  {
    // The effects of the run: two pages, what was read, the cursor, the intent, then the upload.
    let killed = try (1...10).map { number in
      let world = try agreedWorld(["dentist"])
      world.set("dentist", "B", on: .local)
      world.fuse.stop(at: world.fuse.effects + number, .after)
      _ = try world.sync()
      world.fuse.replace()
      return world
    }.first { $0.letter("dentist", on: .remote) == "B" && !$0.journal.state.intents.isEmpty }
    let world = try #require(killed)
    world.set("dentist", "C", on: .local)
    let report = try world.sync()
    #expect(report.conflicts.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "C")
  }

  @Test func `a new item whose upload was not answered is ours, whatever the server made of it`()
    throws
  {
    var traits = World.serverTraits
    traits.namesAreUnguessable = true
    let serverTraits = traits
    func makeWorld() -> World {
      let world = World(remoteTraits: serverTraits) { data in
        let text = String(decoding: data.bytes, as: UTF8.self)
        return ItemData(
          bytes: Array(text.replacing("END:VEVENT", with: "X-SERVER:1\r\nEND:VEVENT").utf8))
      }
      world.set("dentist", "A", on: .local)
      return world
    }
    var killed: World?
    for number in 1...8 where killed == nil {
      let world = makeWorld()
      world.fuse.stop(at: number, .after)
      _ = try world.sync()
      world.fuse.replace()
      if !world.remote.items.isEmpty, !world.journal.state.intents.isEmpty { killed = world }
    }
    let world = try #require(killed)
    let report = try world.sync()
    #expect(report.conflicts.isEmpty)
    #expect(world.local.items.values.first == World.event("dentist", "A"), "the file is untouched")
    world.set("dentist", "B", on: .local)
    #expect(try world.sync().conflicts.isEmpty)
    let there = try #require(world.remote.items.values.first)
    let text = String(decoding: there.bytes, as: UTF8.self)
    #expect(text.contains("SUMMARY:dentist B") && text.contains("X-SERVER:1"))
  }

  @Test func `a new item that had just come here when a run was killed may be edited`() throws {
    var kills = 0
    for number in 1...8 {
      let world = World()
      world.set("dentist", "A", on: .remote)
      world.fuse.stop(at: number, .after)
      _ = try world.sync()
      world.fuse.replace()
      guard let href = world.local.items.keys.first, !world.journal.state.intents.isEmpty else {
        continue
      }
      kills += 1
      world.local.put(href, World.event("dentist", "B"))
      let report = try world.sync()
      #expect(report.conflicts.isEmpty, "effect \(number)")
      #expect(world.letter("dentist", on: .remote) == "B", "effect \(number)")
      #expect(world.letter("dentist", on: .local) == "B", "effect \(number)")
    }
    #expect(kills > 0)
  }

  @Test func `what the server refuses is reported every run and sent once a day`() throws {
    let world = try agreedWorld(["gym"])
    let problem = ItemProblem(.refused, "the server says no", hint: "ask it")
    world.remote.refuse(Href("dentist.ics"), problem)
    world.set("dentist", "A", on: .local)
    world.set("gym", "B", on: .local)
    var told = problem
    told.hint =
      "ask it. It is offered again after a day, or at once, over whatever is there by then, by"
      + " `calgw resolve UID --take local`."
    #expect(try world.sync().problems.map(\.problem) == [told])
    #expect(world.letter("gym", on: .remote) == "B")
    let effects = world.journal.state
    #expect(try world.sync().problems.map(\.problem) == [told])
    #expect(world.journal.state.history == effects.history)

    world.remote.refuse(Href("dentist.ics"), nil)
    #expect(try world.sync().problems.count == 1, "not sent again yet")
    world.executor.advance(86_400_001)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `what the server fails at is sent by the next run, and then once an hour`() throws {
    let world = try agreedWorld([])
    world.remote.stumble(over: Href("dentist.ics"), true)
    world.set("dentist", "A", on: .local)
    var sent: [Int] = []
    for pause in [0, 0, 0, 0, 3_600_001, 0] as [Int64] {
      world.executor.advance(pause)
      let before = world.fuse.effects
      #expect(try world.sync().problems.map(\.problem.code) == [.refused])
      sent.append(world.fuse.effects - before)
      #expect(world.journal.state.cursors[.remote] != nil, "its listings go on from there")
    }
    #expect(sent.map { $0 > 0 } == [true, true, false, false, true, false])
    world.remote.stumble(over: Href("dentist.ics"), false)
    world.executor.advance(3_600_001)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `a failure that passes is made good by the next run`() throws {
    let world = try agreedWorld([])
    world.remote.stumble(over: Href("dentist.ics"), true)
    world.set("dentist", "A", on: .local)
    #expect(try world.sync().problems.count == 1)
    world.remote.stumble(over: Href("dentist.ics"), false)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  /// Most trouble lasts, and a server may have told the guests of a meeting before it failed.
  @Test(arguments: [true, false])
  func `what a server fails at is not sent again by a later round of the run`(isWellThen: Bool)
    throws
  {
    let world = try agreedWorld(["gym"])
    world.remote.stumble(over: Href("dentist.ics"), true)
    world.set("dentist", "A", on: .local)
    world.set("gym", "B", on: .local)
    let (listings, sent) = (Counter(), Counter())
    let report = try world.sync { options in
      options.progress = { step in
        // Somebody is quicker with the other item, so that there is a second round.
        if case .writing(.remote, done: 0, let all) = step {
          sent.increase(by: all)
          if listings.count == 1 { world.set("gym", "C", on: .remote) }
        }
        if step == .listing(.remote), listings.increase() == 2, isWellThen {
          world.remote.stumble(over: Href("dentist.ics"), false)
        }
      }
    }
    #expect(listings.count > 1)
    #expect(sent.count == 2, "each item once")
    #expect(report.problems.map(\.problem.message) == ["the server failed"])
    #expect(world.letter("dentist", on: .remote) == "-")
    world.remote.stumble(over: Href("dentist.ics"), false)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }

    @discardableResult func increase(by amount: Int = 1) -> Int {
      value.withLock {
        $0 += amount
        return $0
      }
    }
  }

  @Test func `a deletion that a person was asked about and did not want waits`() throws {
    let world = try agreedWorld(["dentist", "gym", "choir", "lunch", "walk", "tennis", "cinema"])
    world.set("dentist", "-", on: .local)
    world.set("gym", "-", on: .remote)
    world.set("choir", "B", on: .local)
    let report = try world.sync { $0.confirmDeletion = { item, _ in item.uid?.text == "gym" } }
    #expect(report.problems.map(\.problem.code) == [.massDelete])
    #expect(report.problems.first?.item.uid?.text == "dentist")
    #expect(world.letter("dentist", on: .remote) == "A", "nobody said yes")
    #expect(world.letter("gym", on: .local) == "-")
    #expect(world.letter("choir", on: .remote) == "B", "the rest is synced")
    #expect(try world.sync { $0.confirmDeletion = { _, _ in true } }.problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "-")
  }

  @Test func `an edit of a refused item is offered at once`() throws {
    let world = try agreedWorld([])
    world.remote.refuse(Href("dentist.ics"), ItemProblem(.refused, "no", hint: ""))
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.remote.refuse(Href("dentist.ics"), nil)
    world.set("dentist", "B", on: .local)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "B")
  }

  @Test func `a file that was cut off keeps the event on the server, and clears when mended`()
    throws
  {
    let world = try agreedWorld(["dentist", "gym"])
    let whole = World.event("dentist", "A").bytes
    world.local.put(Href("dentist.ics"), ItemData(bytes: Array(whole.prefix(60))))
    world.set("gym", "B", on: .local)
    let report = try world.sync()
    #expect(report.problems.map(\.problem.code) == [.incomplete])
    #expect(report.problems.first?.item.file == Href("dentist.ics"))
    #expect(world.letter("dentist", on: .remote) == "A")
    #expect(world.letter("gym", on: .remote) == "B")

    world.local.put(Href("dentist.ics"), ItemData(bytes: []))
    #expect(try world.sync().problems.map(\.problem.code) == [.incomplete])
    #expect(world.letter("dentist", on: .remote) == "A")

    world.set("dentist", "C", on: .local)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "C")
  }

  @Test func `a broken file speaks for the items in it, whatever its name`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    // Renamed and cut off in one go: not deleted there.
    world.local.remove(Href("dentist.ics"))
    let cut = Array(World.event("dentist", "A").bytes.dropLast(20))
    world.local.put(Href("renamed.ics"), ItemData(bytes: cut))
    // Two items in one file, one of them new on the server: not made a second time here.
    let two = World.event("lunch", "A").bytes + World.event("flight", "A").bytes
    world.local.put(Href("two.ics"), ItemData(bytes: two))
    world.set("lunch", "A", on: .remote)
    let report = try world.sync()
    #expect(report.problems.map(\.problem.code) == [.incomplete, .severalUIDs])
    #expect(world.letter("dentist", on: .remote) == "A")
    #expect(world.local.items.keys.sorted().map(\.text) == ["gym.ics", "renamed.ics", "two.ics"])
    // Mended, both go on.
    world.local.put(Href("renamed.ics"), World.event("dentist", "B"))
    world.local.remove(Href("two.ics"))
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "B")
    #expect(world.letter("lunch", on: .local) == "A")
  }

  @Test func `a copied file is a problem of both copies until one is gone`() throws {
    let world = try agreedWorld(["dentist"])
    world.local.put(Href("copy.ics"), World.event("dentist", "B"))
    let report = try world.sync()
    #expect(report.problems.map(\.problem.code) == [.duplicateUID, .duplicateUID])
    #expect(world.letter("dentist", on: .remote) == "A")
    world.local.remove(Href("dentist.ics"))
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "B")
  }

  @Test func `SEQUENCE, LAST-MODIFIED and DTSTAMP that differ on both sides are no conflict`()
    throws
  {
    let world = try agreedWorld(["dentist"])
    func touched(_ sequence: Int, _ time: String) -> ItemData {
      let text = String(decoding: World.event("dentist", "A").bytes, as: UTF8.self)
        .replacing("DTSTAMP:20260101T000000Z", with: "DTSTAMP:\(time)")
        .replacing(
          "END:VEVENT", with: "SEQUENCE:\(sequence)\r\nLAST-MODIFIED:\(time)\r\nEND:VEVENT")
      return ItemData(bytes: Array(text.utf8))
    }
    let (older, newer) = (touched(4, "20251101T000000Z"), touched(2, "20251201T000000Z"))
    world.local.put(Href("dentist.ics"), newer)
    world.remote.put(Href("dentist.ics"), older)
    // A pull may not write there, and has nothing to report.
    let pulled = try world.sync { $0.direction = .pull }
    #expect(pulled.conflicts.isEmpty)
    #expect(world.local.items[Href("dentist.ics")] == newer)
    let report = try world.sync { $0.policy = .ask }
    #expect(report.conflicts.isEmpty)
    #expect(report.merged == 1)
    // The highest SEQUENCE and the latest LAST-MODIFIED.
    let merged = touched(4, "20251201T000000Z")
    #expect(world.local.items[Href("dentist.ics")] == merged)
    #expect(world.remote.items[Href("dentist.ics")] == merged)
    let writes = world.writes
    #expect(try world.sync().merged == 0)
    #expect(world.writes == writes)
  }

  @Test func `a dry run says what a run would do, and changes nothing`() throws {
    let scenario = try Scenario(named: "everything-at-once.scenario")
    let (world, twin) = (try scenario.makeWorld(), try scenario.makeWorld())
    let before = (world.local.items, world.remote.items)
    let said = try world.sync { $0.isDryRun = true }
    #expect(world.local.items == before.0)
    #expect(world.remote.items == before.1)
    let done = try twin.sync()
    #expect(said.pulled == done.pulled)
    #expect(said.pushed == done.pushed)
    let sorted = { (actions: [ReportedAction]) in
      actions.map { "\($0.kind) \($0.side) \($0.item.uid?.text ?? "")" }.sorted()
    }
    #expect(sorted(said.actions) == sorted(done.actions))
  }

  @Test func `a run says where what it made came to be`() throws {
    let world = World()
    world.set("here", "A", on: .local)
    world.set("there", "A", on: .remote)
    let items = try world.sync().actions.filter { $0.kind == .create }.map(\.item)
    #expect(items.count == 2)
    for item in items {
      #expect(item.file.map { world.local.items[$0] != nil } ?? false, "\(item)")
      #expect(item.href.map { world.remote.items[$0] != nil } ?? false, "\(item)")
    }
  }
}
