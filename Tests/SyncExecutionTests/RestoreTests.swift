import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What waits or was replaced is in the history, and a person can have it back.
@Suite struct RestoreTests {
  private func agreedWorld(_ uids: [String]) throws -> World {
    let world = World(remoteTraits: World.serverTraits)
    for uid in uids { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    return world
  }

  @Test func `every replaced and deleted version is in the history, and can be had back`() throws {
    let world = try agreedWorld(["dentist", "gym", "lunch"])
    world.set("dentist", "B", on: .local)
    world.set("gym", "-", on: .remote)
    _ = try world.sync()
    let state = world.journal.state
    let entries = state.history.map { "\($0.entry.action) \($0.entry.side) \($0.entry.uid.text)" }
    #expect(entries.sorted() == ["deleted local gym", "replaced remote dentist"])
    for recorded in state.history {
      let text = try #require(recorded.entry.before.flatMap { state.contents[$0] })
      #expect(text == World.event(recorded.entry.uid.text, "A"))
    }
    for (uid, expected) in [("gym", "A"), ("dentist", "A")] as [(String, Character)] {
      _ = try world.restore(uid, "A")
      #expect(world.letter(uid, on: .local) == expected)
      #expect(world.letter(uid, on: .remote) == expected)
    }
    // The restore of dentist is itself in the history.
    _ = try world.restore("dentist", "B")
    #expect(world.letter("dentist", on: .remote) == "B")
  }

  @Test(
    arguments: [ConflictPolicy.merge, .remote], ["A", "B", "C"] as [Character])
  func `a restore brings back what the other side has deleted`(
    policy: ConflictPolicy, letter: Character
  ) throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "B", on: .local)
    world.set("dentist", "-", on: .remote)
    let report = try world.restore("dentist", letter) { $0.policy = policy }
    #expect(report.problems.isEmpty && report.conflicts.isEmpty)
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == letter, "\(side)") }
    #expect(try world.sync().pulled.total == 0)
  }

  @Test(arguments: [true, false])
  func `in a pair that only pulls it is said that the version stays here`(isDryRun: Bool) throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "B", on: .remote)
    _ = try world.sync()
    let report = try world.restore("dentist", "A") {
      $0.direction = .pull
      $0.isDryRun = isDryRun
    }
    #expect(report.problems.map(\.problem.code) == [.readOnly])
    #expect(world.letter("dentist", on: .local) == (isDryRun ? "B" : "A"))
    #expect(world.letter("dentist", on: .remote) == "B")
  }

  @Test func `a version is restored under another name where its own is taken`() throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "-", on: .remote)
    _ = try world.sync()
    world.local.put(Href("dentist.ics"), World.event("gym", "A"))
    _ = try world.sync()
    #expect(try world.restore("dentist", "A").failure == nil)
    let texts = Set(world.local.items.values)
    #expect(texts == [World.event("gym", "A"), World.event("dentist", "A")])
    #expect(Set(world.remote.items.values) == texts)
  }

  @Test func `a version is not restored under the name of an item that was just deleted`() throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "-", on: .remote)
    _ = try world.sync()
    world.local.put(Href("dentist.ics"), World.event("gym", "A"))
    _ = try world.sync()
    world.local.remove(Href("dentist.ics"))
    _ = try world.restore("dentist", "A")
    _ = try world.sync()
    #expect(Array(world.local.items.values) == [World.event("dentist", "A")])
    #expect(Array(world.remote.items.values) == [World.event("dentist", "A")])
  }

  @Test(arguments: Side.allCases)
  func `an item that a side has twice is not restored over either`(side: Side) throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "B", on: .remote)
    _ = try world.sync()
    world.storage(side).put(Href("again.ics"), World.event("dentist", "C"))
    let before = (world.local.items, world.remote.items)
    let report = try world.restore("dentist", "A")
    #expect(report.problems.map(\.problem.code) == [.duplicateUID, .duplicateUID])
    #expect(world.local.items == before.0 && world.remote.items == before.1)
  }

  @Test(arguments: ["", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:dentist\r\n"])
  func `the text of a file that was broken can be had back`(broken: String) throws {
    let world = try agreedWorld(["dentist", "gym"])
    world.local.put(Href("dentist.ics"), ItemData(bytes: Array(broken.utf8)))
    for _ in 0..<2 { #expect(try world.sync().problems.map(\.problem.code) == [.incomplete]) }
    let state = world.journal.state
    #expect(state.history.map(\.entry.uid.text) == ["dentist"])
    let kept = state.history.first?.entry.before.flatMap { state.contents[$0] }
    #expect(kept == World.event("dentist", "A"))
    #expect(try world.restore("dentist", "A").problems.isEmpty)
    #expect(world.letter("dentist", on: .local) == "A")
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `a version is not restored beside a file that held it and cannot be read`() throws {
    let world = try agreedWorld(["gym"])
    world.set("dentist", "A", on: .local)
    world.set("dentist", "B", on: .remote)
    #expect(try world.sync { $0.policy = .ask }.conflicts.count == 1)
    let problem = ItemProblem(.unreadable, "no permission", hint: "give it")
    world.local.obstruct(Href("dentist.ics"), problem)
    let before = world.local.items
    let report = try world.restore("dentist", "B")
    #expect(report.problems.contains { $0.problem.message.contains("which held it") })
    #expect(world.local.items == before)
  }

  @Test(arguments: [ItemProblem.Code.notAFile, .unreadable, .tooLarge], [true, false])
  func `what stands in the way of a restore is named, and nothing is in the log`(
    code: ItemProblem.Code, isDryRun: Bool
  ) throws {
    let world = try agreedWorld(["dentist", "gym"])
    let obstacle = ItemProblem(code, "dentist.ics is odd", hint: "mend it")
    world.local.remove(Href("dentist.ics"))
    world.local.obstruct(Href("dentist.ics"), obstacle)
    let before = world.journal.state.history.count
    let report = try world.restore("dentist", "B") { $0.isDryRun = isDryRun }
    #expect(report.failure == nil)
    #expect(report.problems.map(\.problem.code) == [code])
    let problem = try #require(report.problems.first?.problem)
    #expect(problem.message.contains("'dentist.ics', where the item"))
    #expect(problem.hint.contains("emove it, then restore"))
    #expect(world.journal.state.history.count == before)
    world.local.obstruct(Href("dentist.ics"), nil)
    #expect(try world.restore("dentist", "B").problems.isEmpty)
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == "B") }
  }

  @Test func `a version is restored where the item is, and not into its broken old file`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    let empty = ItemData(bytes: [])
    world.local.put(Href("dentist.ics"), empty)
    _ = try world.sync()
    world.local.put(Href("again.ics"), World.event("dentist", "B"))
    let report = try world.restore("dentist", "A")
    #expect(report.problems.map(\.problem.code) == [.incomplete])
    #expect(world.local.items[Href("again.ics")] == World.event("dentist", "A"))
    #expect(world.local.items[Href("dentist.ics")] == empty)
    let state = world.journal.state
    let before = state.history.compactMap { $0.entry.before.flatMap { state.contents[$0] } }
    #expect(before.contains(World.event("dentist", "B")))
    world.local.remove(Href("dentist.ics"))
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  @Test func `what a person makes of a waiting version is in the history, too`() throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    _ = try world.sync { $0.policy = .ask }
    world.set("dentist", "D", on: .local)
    for _ in 0..<2 { _ = try world.sync { $0.policy = .ask } }
    let state = world.journal.state
    let kept = state.history.map(\.entry).filter { $0.action == .conflict }
      .compactMap { $0.before.flatMap { state.contents[$0] } }
    #expect(kept == ["B", "C", "D"].map { World.event("dentist", $0) })
  }
}

extension World {
  fileprivate func restore(
    _ uid: String, _ letter: Character, _ change: (inout SyncOptions) -> Void = { _ in }
  ) throws -> CollectionReport {
    var options = SyncOptions()
    change(&options)
    let settled = options
    let engine = CollectionSync(
      name: "test", local: local, remote: remote, journal: journal, surroundings: surroundings,
      digest: sha256, options: settled)
    let text = World.event(uid, letter)
    return try executor.run { await engine.restore(text, as: ItemID(uid)) }
  }
}
