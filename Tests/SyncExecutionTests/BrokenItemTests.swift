import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// An item whose file is broken: what the log has of it, what the other side made of it meanwhile,
/// and what a person can do.
@Suite struct BrokenItemTests {
  private static let file = Href("dentist.ics")
  static let halves = [
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:dentist\r\n", "BEGIN:VCALENDAR\r\n", "",
  ].map { ItemData(bytes: Array($0.utf8)) }

  private func agreedWorld() throws -> World {
    let world = World(remoteTraits: World.serverTraits)
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    return world
  }

  /// The dentist's file is cut off here, and there it is another one.
  private func hiddenChange(_ letter: Character = "C") throws -> World {
    let world = try agreedWorld()
    world.local.put(Self.file, Self.halves[0])
    world.set("dentist", letter, on: .remote)
    return world
  }

  // MARK: The log

  @Test func `the last good version is the newest each time that the file breaks`() throws {
    let world = try agreedWorld()
    for letter in ["A", "B", "A", "B", "C"] as [Character] {
      world.set("dentist", letter, on: .local)
      #expect(try world.sync().problems.isEmpty)
      for half in Self.halves {
        world.local.put(Self.file, half)
        #expect(try world.sync().problems.map(\.problem.code) == [.incomplete])
        #expect(world.newest("dentist") == World.event("dentist", letter))
        let history = world.journal.state.history
        _ = try world.sync()
        #expect(world.journal.state.history == history, "it was broken before")
      }
    }
    let reason = "the file holds no whole item any more"
    let kept = world.journal.state.history.filter { $0.entry.reason == reason }
    #expect(kept.count == 5)
  }

  @Test func `so it is after a restore, of an older version, too`() throws {
    let world = try agreedWorld()
    world.set("dentist", "B", on: .local)
    _ = try world.sync()
    for letter in ["B", "A", "A"] as [Character] {
      world.local.put(Self.file, Self.halves[1])
      _ = try world.sync()
      #expect(try world.restore("dentist", letter).problems.isEmpty)
      world.local.put(Self.file, Self.halves[2])
      _ = try world.sync()
      #expect(world.newest("dentist") == World.event("dentist", letter))
    }
  }

  @Test func `the versions of a conflict stay the newest as long as it waits`() throws {
    let world = try agreedWorld()
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    #expect(try world.sync { $0.policy = .ask }.conflicts.count == 1)
    let history = world.journal.state.history
    world.local.put(Self.file, Self.halves[0])
    _ = try world.sync { $0.policy = .ask }
    #expect(world.journal.state.history == history)
    #expect(world.newest("dentist") == World.event("dentist", "C"))
  }

  @Test(arguments: [false, true])
  func `a conflict that was named before the file broke is one again after a restore`(
    isRenamed: Bool
  ) throws {
    let world = try agreedWorld()
    world.set("dentist", "B", on: .local)
    world.set("dentist", "C", on: .remote)
    #expect(try world.sync { $0.policy = .ask }.conflicts.count == 1)
    let file = isRenamed ? Href("renamed.ics") : Self.file
    world.local.remove(Self.file)
    world.local.put(file, Self.halves[0])
    let report = try world.restore("dentist", "B")
    #expect(report.problems.isEmpty && report.pushed.total == 0)
    #expect(report.conflicts.map(\.item.file) == [file])
    #expect(world.local.items[file] == World.event("dentist", "B"))
    #expect(world.letter("dentist", on: .remote) == "C")
    #expect(try world.sync { $0.policy = .ask }.conflicts.count == 1)
  }

  // MARK: What the other side made of it

  @Test(arguments: ["C", "-"] as [Character])
  func `a change there that the broken file hides is told of`(letter: Character) throws {
    let world = try hiddenChange(letter)
    let words =
      letter == "-" ? "; it is gone from the remote side" : "; the remote side has changed it since"
    for _ in 0..<2 {
      let problem = try #require(try world.sync().problems.first?.problem)
      #expect(problem.code == .incomplete && problem.message.hasSuffix(words))
      #expect(problem.hint.contains("`calgw resolve UID --take remote`") == (letter != "-"))
    }
    let look = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: MemoryJournal(world.journal.state), surroundings: world.surroundings,
      digest: sha256, options: SyncOptions())
    let pending = try world.executor.run { try await look.inspect([.local, .remote]).get() }
    #expect(pending.compactMap { $0.problem?.message.hasSuffix(words) } == [true])
    #expect(pending.map(\.remote) == [letter == "-" ? .deleted : .updated])
  }

  @Test(arguments: [true, false], ["A", "B"] as [Character])
  func `a restore does not write over such a change, and says so`(
    isTold: Bool, letter: Character
  ) throws {
    let world = try hiddenChange()
    if isTold { _ = try world.sync() }
    let dry = try world.restore("dentist", letter) { $0.isDryRun = true }
    #expect(world.local.items[Self.file] == Self.halves[0])
    let report = try world.restore("dentist", letter)
    #expect(dry.pulled == report.pulled && dry.pushed == report.pushed)
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(dry.conflicts == report.conflicts && report.problems.isEmpty)
    #expect(report.conflicts.map(\.item.file) == [Self.file])
    #expect(report.conflicts.map(\.reason) == [.bothChanged])
    #expect(world.letter("dentist", on: .local) == letter)
    #expect(world.letter("dentist", on: .remote) == "C")

    // The next sync goes on from both.
    let sync = try world.sync { $0.policy = .ask }
    #expect(sync.conflicts.count == (letter == "A" ? 0 : 1))
    #expect(world.letter("dentist", on: .local) == (letter == "A" ? "C" : letter))
    #expect(world.letter("dentist", on: .remote) == "C")
  }

  @Test func `over a file that is whole it goes onto both sides`() throws {
    let world = try agreedWorld()
    world.set("dentist", "C", on: .remote)
    #expect(try world.restore("dentist", "B").conflicts.isEmpty)
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == "B") }
    let texts = world.journal.state.history.compactMap(\.entry.before)
      .compactMap { world.journal.state.contents[$0] }
    #expect(texts.contains(World.event("dentist", "C")))
  }

  @Test(arguments: [true, false])
  func `nothing is written over a file that holds another item, too`(isShared: Bool) throws {
    let world = try agreedWorld()
    let other = isShared ? "gym" : "new"
    let both = String(decoding: World.event("dentist", "A").bytes, as: UTF8.self)
      .replacing("END:VCALENDAR\r\n", with: "")
    let event = String(decoding: World.event(other, "B").bytes, as: UTF8.self)
    let start = try #require(event.firstRange(of: "BEGIN:VEVENT"))
    let text = ItemData(bytes: Array((both + event[start.lowerBound...]).utf8))
    world.local.put(Self.file, text)
    world.set("dentist", "C", on: .remote)
    let told = try world.sync().problems.filter { $0.item.file == Self.file }
    #expect(told.map(\.problem.code) == [.severalUIDs])
    #expect(told.allSatisfy { !$0.problem.hint.contains("--take remote") })
    for report in [
      try world.resolve("dentist", .remote), try world.restore("dentist", "A"),
    ] {
      #expect(report.problems.contains { $0.problem.code == .severalUIDs })
      #expect(world.local.items[Self.file] == text)
    }
  }

  @Test func `the same change there is in nobody's way`() throws {
    let world = try hiddenChange("B")
    #expect(try world.restore("dentist", "B").problems.isEmpty)
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == "B") }
    #expect(try world.sync().pulled.total == 0)
  }

  @Test func `a restore spares a whole item that was saved over the agreed file`() throws {
    let world = try agreedWorld()
    world.remote.obstruct(Self.file, ItemProblem(.unreadable, "no answer", hint: "wait"))
    world.local.put(Self.file, World.event("lunch", "A"))
    _ = try world.restore("dentist", "B")
    #expect(world.local.items[Self.file] == World.event("lunch", "A"))
    #expect(world.letter("dentist", on: .local) == "B")
  }

  // MARK: Taking the version there

  @Test(arguments: halves.indices, ["A", "C"] as [Character])
  func `the version there can be taken over a broken file, and that taken back`(
    half: Int, letter: Character
  ) throws {
    let world = try agreedWorld()
    world.local.put(Self.file, Self.halves[half])
    world.set("dentist", letter, on: .remote)
    let dry = try world.resolve("dentist", .remote) { $0.isDryRun = true }
    #expect(world.local.items[Self.file] == Self.halves[half])
    let report = try world.resolve("dentist", .remote)
    #expect(report.failure == nil && report.problems.isEmpty)
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(dry.pulled == report.pulled && dry.problems == report.problems)
    for side in Side.allCases { #expect(world.letter("dentist", on: side) == letter) }
    #expect(world.newest("dentist") == Self.halves[half])
    let sync = try world.sync()
    #expect(sync.pulled.total + sync.pushed.total == 0 && sync.problems.isEmpty)

    let place = FormerPlace(side: .local, href: Self.file)
    _ = try world.restore(Self.halves[half], from: place)
    #expect(world.local.items[Self.file] == Self.halves[half])
    #expect(world.letter("dentist", on: .remote) == letter)
  }

  @Test func `so it is where the server rewrites what it stores, in one write`() throws {
    let world = World(remoteTraits: World.serverTraits) { ScenarioText.rewritten($0) }
    for uid in ["dentist", "gym"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    world.local.put(Self.file, Self.halves[0])
    let before = world.journal.state.history.count
    let dry = try world.resolve("dentist", .remote) { $0.isDryRun = true }
    let report = try world.resolve("dentist", .remote)
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(dry.pulled == report.pulled && dry.pushed == report.pushed)
    #expect(world.local.items[Self.file] == world.remote.items[Self.file])
    // That the file broke, and what was in it.
    #expect(world.journal.state.history.count == before + 2)
  }

  /// Saved under another name, or a copy that another program made.
  @Test(arguments: halves.indices)
  func `a whole copy beside a broken file is named, and not written over`(half: Int) throws {
    let world = try agreedWorld()
    let copy = Href("a copy.ics")
    world.local.put(Self.file, Self.halves[half])
    world.local.put(copy, World.event("dentist", "B"))
    let codes = try world.sync().problems.map(\.problem.code.rawValue).sorted()
    #expect(codes == ["duplicate-uid", "incomplete"])
    for report in [try world.restore("dentist", "A"), try world.resolve("dentist", .remote)] {
      #expect(report.problems.contains { $0.problem.code == .duplicateUID })
      #expect(report.pulled.total + report.pushed.total == 0)
    }
    #expect(world.local.items[Self.file] == Self.halves[half])
    #expect(world.local.items[copy] == World.event("dentist", "B"))
    world.local.remove(Self.file)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "B")
  }

  @Test func `a broken file is no version to take, and what is gone there is none either`() throws {
    let world = try hiddenChange()
    for choice in [ConflictChoice.local, .merged, .both] {
      let report = try world.resolve("dentist", choice)
      #expect(report.problems.map(\.problem.code) == [.incomplete], "\(choice)")
    }
    world.set("dentist", "-", on: .remote)
    #expect(try world.resolve("dentist", .remote).problems.map(\.problem.code) == [.incomplete])
    #expect(world.local.items[Self.file] == Self.halves[0])
  }
}

extension World {
  /// What `calgw restore` of the newest version of an item brings back.
  fileprivate func newest(_ uid: String) -> ItemData? {
    let state = journal.state
    let entry = state.history.last(where: { $0.entry.uid == ItemID(uid) })?.entry
    return entry?.before.flatMap { state.contents[$0] }
  }

  fileprivate func restore(
    _ uid: String, _ letter: Character, _ change: (inout SyncOptions) -> Void = { _ in }
  ) throws -> CollectionReport {
    let engine = personsEngine(change)
    return try executor.run {
      await engine.restore(World.event(uid, letter), as: ItemID(uid), from: nil)
    }
  }

  fileprivate func restore(_ text: ItemData, from place: FormerPlace) throws -> CollectionReport {
    let engine = personsEngine { _ in }
    return try executor.run { await engine.restore(text, as: ItemID("dentist"), from: place) }
  }

  fileprivate func resolve(
    _ uid: String, _ choice: ConflictChoice, _ change: (inout SyncOptions) -> Void = { _ in }
  ) throws -> CollectionReport {
    let engine = personsEngine(change)
    return try executor.run { await engine.resolve(ItemID(uid), taking: choice) }
  }

  /// A dry run works on a copy of the journal.
  private func personsEngine(_ change: (inout SyncOptions) -> Void) -> CollectionSync {
    var options = SyncOptions()
    change(&options)
    return CollectionSync(
      name: "test", local: local, remote: remote,
      journal: options.isDryRun ? MemoryJournal(journal.state) : journal,
      surroundings: surroundings, digest: sha256, options: options)
  }
}
