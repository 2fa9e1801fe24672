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

  @Test func `what is told of it has the address on the other side`() throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "B", on: .local)
    _ = try world.sync()
    let agreement = try #require(world.journal.state.agreements[ItemID("dentist")])
    let report = try world.restore("dentist", "A")
    #expect(report.actions.map(\.side) == [.local, .remote])
    #expect(report.actions.allSatisfy { $0.item.href == agreement.remote.href })
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
  func `what the pair leaves out by now is not brought back here alone`(isDryRun: Bool) throws {
    let world = try agreedWorld(["dentist"])
    world.set("dentist", "B", on: .remote)
    _ = try world.sync()
    let report = try world.restore("dentist", "A") {
      $0.components = ["VTODO"]
      $0.isDryRun = isDryRun
    }
    #expect(report.problems.map(\.problem.code) == [.unsupported])
    #expect(report.actions.isEmpty && world.letter("dentist", on: .local) == "B")
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
    #expect(problem.hint.contains("emove it, then run the command again"))
    #expect(world.journal.state.history.count == before)
    world.local.obstruct(Href("dentist.ics"), nil)
    #expect(try world.restore("dentist", "B").problems.isEmpty)
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == "B") }
  }

  @Test func `a version is restored where the item is, once its broken old file is away`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    let empty = ItemData(bytes: [])
    world.local.put(Href("dentist.ics"), empty)
    _ = try world.sync()
    world.local.put(Href("again.ics"), World.event("dentist", "B"))
    let report = try world.restore("dentist", "A")
    #expect(report.problems.map(\.problem.code) == [.duplicateUID])
    #expect(world.local.items[Href("again.ics")] == World.event("dentist", "B"))
    #expect(world.local.items[Href("dentist.ics")] == empty)
    world.local.remove(Href("dentist.ics"))
    #expect(try world.restore("dentist", "A").problems.isEmpty)
    #expect(world.local.items[Href("again.ics")] == World.event("dentist", "A"))
    let state = world.journal.state
    let before = state.history.compactMap { $0.entry.before.flatMap { state.contents[$0] } }
    #expect(before.contains(World.event("dentist", "B")))
    #expect(world.letter("dentist", on: .remote) == "A")
  }

  /// Texts that are no whole item: empty, cut off, without a UID, no UTF-8, without any event.
  static let broken: [[UInt8]] = {
    let whole = World.event("dentist", "A").bytes
    let text = String(decoding: whole, as: UTF8.self)
    let latin = text.replacing("SUMMARY:dentist A", with: "SUMMARY:dentist #").utf8
    return [
      [], Array(whole.prefix(90)),
      Array(text.replacing("UID:dentist\r\n", with: "").utf8),
      latin.map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 },
      Array("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n".utf8),
    ]
  }()

  private static let file = FormerPlace(side: .local, href: Href("dentist.ics"))

  @Test(arguments: broken)
  func `a restore over a broken file is undone by a restore, and that one, too`(
    bytes: [UInt8]
  ) throws {
    let world = try agreedWorld(["dentist", "gym"])
    let broken = ItemData(bytes: bytes)
    world.local.put(Self.file.href, broken)
    let named = try world.sync().problems.map(\.problem)
    for _ in 0..<2 {
      #expect(try world.restore("dentist", "A").problems.isEmpty)
      let state = world.journal.state
      let kept = state.history.last?.entry
      #expect(kept?.uid == ItemID("dentist"))
      #expect(kept?.before.flatMap { state.contents[$0] } == broken)

      let dry = try world.restore(broken, from: Self.file) { $0.isDryRun = true }
      #expect(world.letter("dentist", on: .local) == "A")
      let report = try world.restore(broken, from: Self.file)
      #expect(report.failure == nil)
      #expect(report.problems.map(\.problem) == named)
      #expect(report.problems.map(\.item.uid) == [ItemID("dentist")])
      #expect(report.pulled.updated == 1 && report.pushed.total == 0)
      #expect(dry.problems == report.problems && dry.pulled == report.pulled)
      #expect(world.local.items[Self.file.href] == broken)
      #expect(world.letter("dentist", on: .remote) == "A")
    }
  }

  @Test func `a broken text comes back under its name where its file is gone`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    let broken = ItemData(bytes: Self.broken[1])
    world.local.remove(Self.file.href)
    let dry = try world.restore(broken, from: Self.file) { $0.isDryRun = true }
    let report = try world.restore(broken, from: Self.file)
    #expect(report.pulled.created == 1 && dry.pulled == report.pulled)
    #expect(report.problems.map(\.problem.code) == [.incomplete])
    #expect(world.local.items[Self.file.href] == broken)
    #expect(world.letter("dentist", on: .remote) == "A", "nobody deleted it")
  }

  @Test func `a broken text takes no other item's place`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    world.set("dentist", "-", on: .remote)
    _ = try world.sync()
    world.local.put(Self.file.href, World.event("lunch", "A"))
    _ = try world.sync()
    let report = try world.restore(ItemData(bytes: Self.broken[1]), from: Self.file)
    #expect(report.failure == nil)
    #expect(world.local.items[Self.file.href] == World.event("lunch", "A"))
    #expect(world.local.items.values.contains(ItemData(bytes: Self.broken[1])))
    #expect(world.letter("lunch", on: .remote) == "A")
  }

  @Test(arguments: [nil, FormerPlace(side: .remote, href: Href("dentist.ics"))])
  func `a broken text without a file here stays in the log, and it is said how to see it`(
    place: FormerPlace?
  ) throws {
    let world = try agreedWorld(["dentist", "gym"])
    let before = (world.local.items, world.remote.items, world.journal.state.history.count)
    let report = try world.restore(ItemData(bytes: Self.broken[3]), from: place)
    #expect(report.problems.map(\.problem.code) == [.unreadable])
    let hint = try #require(report.problems.first?.problem.hint)
    #expect(hint.contains("`calgw log UID --content`"))
    #expect(world.local.items == before.0 && world.remote.items == before.1)
    #expect(world.journal.state.history.count == before.2)
  }

  /// What the other side has is not written over by who only mends a file.
  @Test func `a file that was broken before both sides agreed is restored here alone`() throws {
    let world = try agreedWorld(["gym"])
    world.set("dentist", "A", on: .local)
    world.set("dentist", "B", on: .remote)
    #expect(try world.sync { $0.policy = .ask }.conflicts.count == 1)
    let broken = ItemData(bytes: Self.broken[1])
    world.local.put(Self.file.href, broken)
    let report = try world.restore("dentist", "A")
    #expect(report.problems.isEmpty)
    #expect(report.conflicts.map(\.item.uid) == [ItemID("dentist")])
    #expect(world.letter("dentist", on: .local) == "A")
    #expect(world.letter("dentist", on: .remote) == "B")
    let state = world.journal.state
    let before = state.history.compactMap { $0.entry.before.flatMap { state.contents[$0] } }
    #expect(before.contains(broken))
  }

  @Test func `what a restore replaces is kept although the journal has lost its text`() throws {
    let world = try agreedWorld(["dentist", "gym"])
    let state = world.journal.state
    let lost = sha256(World.event("dentist", "A").bytes)
    let number = try #require(state.contents.keys.sorted().firstIndex(of: lost))
    let journal = MemoryJournal(state.withoutText(number: number))
    #expect(try world.restore(World.event("dentist", "B"), with: journal).problems.isEmpty)
    let kept = journal.state.history.first?.entry.before.flatMap { journal.state.contents[$0] }
    #expect(kept == World.event("dentist", "A"))
  }

  @Test(arguments: [true, false])
  func `what a read-only side takes from nobody is said in a dry run as in the run`(
    isDryRun: Bool
  ) throws {
    let world = try agreedWorld(["dentist", "gym"])
    world.set("dentist", "B", on: .remote)
    _ = try world.sync()
    let report = try world.restore("dentist", "A") {
      $0.readOnly = [.remote]
      $0.isDryRun = isDryRun
    }
    #expect(report.problems.map(\.problem.code) == [.readOnly])
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(world.letter("dentist", on: .remote) == "B")
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
    try restore(World.event(uid, letter), as: uid, from: nil, change)
  }

  /// A dry run works on a copy of the journal.
  fileprivate func restore(
    _ text: ItemData, as uid: String = "dentist", from place: FormerPlace? = nil,
    with journal: MemoryJournal? = nil, _ change: (inout SyncOptions) -> Void = { _ in }
  ) throws -> CollectionReport {
    var options = SyncOptions()
    change(&options)
    let settled = options
    let own = settled.isDryRun ? MemoryJournal(self.journal.state) : self.journal
    let engine = CollectionSync(
      name: "test", local: local, remote: remote, journal: journal ?? own,
      surroundings: surroundings, digest: sha256, options: settled)
    return try executor.run { await engine.restore(text, as: ItemID(uid), from: place) }
  }
}
