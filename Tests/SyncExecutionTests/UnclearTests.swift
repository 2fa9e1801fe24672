import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What was written, and cannot be looked at.
@Suite struct UnclearTests {
  private static let href = Href("dentist.ics")
  private static let trouble = ItemProblem(.brokenRemote, "the server fails", hint: "wait")

  /// A server on which nobody else can have chosen the name of a new item.
  private func world(
    rewrite: @escaping @Sendable (ItemData) -> ItemData = { $0 }
  ) -> World {
    var traits = World.serverTraits
    traits.namesAreUnguessable = true
    traits.keepsAddresses = true
    return World(remoteTraits: traits, rewrite: rewrite)
  }

  /// Does something between the write of the next run and the look at what became of it, when the
  /// run lists, writes and looks.
  private func afterTheWrite(_ world: World, _ act: @escaping @Sendable (MemoryStorage) -> Void) {
    world.remote.beforeNextCall { $0.beforeNextCall { $0.beforeNextCall(act) } }
  }

  /// Does something before the call that comes after so many.
  private func after(
    _ calls: Int, _ storage: MemoryStorage, _ act: @escaping @Sendable (MemoryStorage) -> Void
  ) {
    storage.beforeNextCall { calls == 0 ? act($0) : after(calls - 1, $0, act) }
  }

  /// The same, of a server that does not keep an extension.
  private func droppingWorld() -> World {
    world { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      return ItemData(bytes: Array(text.replacing("X-KEEP:yes\r\n", with: "").utf8))
    }
  }

  private func kept(_ letter: Character) -> ItemData {
    let text = String(decoding: World.event("dentist", letter).bytes, as: UTF8.self)
    return ItemData(
      bytes: Array(text.replacing("END:VEVENT", with: "X-KEEP:yes\r\nEND:VEVENT").utf8))
  }

  private func isNamed(_ report: CollectionReport) -> Bool {
    report.problems.contains { $0.item.uid?.text == "dentist" }
  }

  @Test func `a new item that cannot be read is sent once, however long that lasts`() throws {
    for isListed in [true, false] {
      let world = world()
      world.set("dentist", "A", on: .local)
      afterTheWrite(world) {
        $0.answer(looksAt: Self.href, Self.trouble)
        if isListed { $0.put(Self.href, World.event("dentist", "A")) }
      }
      #expect(isNamed(try world.sync()))
      for _ in 0..<2 {
        #expect(isNamed(try world.sync()))
        #expect(world.remote.counts.writes == 1)
      }
      world.remote.answer(looksAt: Self.href, nil)
      #expect(try world.sync().problems.isEmpty)
      #expect(world.remote.counts.writes == 1 && world.remote.items.count == 1)
      world.set("dentist", "B", on: .local)
      #expect(try world.sync().problems.isEmpty)
      #expect(world.letter("dentist", on: .remote) == "B")
    }
  }

  @Test func `a new item that is listed and not given is sent once, however long that lasts`()
    throws
  {
    let world = world()
    world.set("dentist", "A", on: .local)
    afterTheWrite(world) { $0.withhold(Self.href, true) }
    for _ in 0..<3 {
      #expect(isNamed(try world.sync()))
      #expect(world.remote.counts.writes == 1)
    }
    world.remote.withhold(Self.href, false)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.remote.counts.writes == 1 && world.remote.items.count == 1)
  }

  @Test(arguments: [true, false])
  func `what is stored and not given is named once, and its edit and deletion go`(
    isDenied: Bool
  ) throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    afterTheWrite(world) {
      if isDenied {
        $0.withhold(Self.href, true)
      } else {
        $0.answer(looksAt: Self.href, Self.trouble)
      }
    }
    for letter in ["A", "B"] as [Character] {
      let writes = world.remote.counts.writes
      world.set("dentist", letter, on: .local)
      for _ in 0..<2 {
        let problems = try world.sync().problems
        #expect(problems.map(\.item.uid) == [ItemID("dentist")])
        let message = "the remote side has stored it, and does not give it back"
        #expect(problems.map(\.problem.message) == [message])
        #expect(world.letter("dentist", on: .remote) == letter)
        #expect(world.remote.counts.writes == writes + 1)
      }
    }
    world.set("dentist", "-", on: .local)
    let report = try world.sync()
    #expect(report.problems.isEmpty && report.pushed.deleted == 1)
    #expect(world.remote.items.isEmpty && world.journal.state.intents.isEmpty)
  }

  @Test func `who edits there what is not given keeps his edit when its file is deleted`() throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    afterTheWrite(world) { $0.answer(looksAt: Self.href, Self.trouble) }
    _ = try world.sync()
    world.set("dentist", "-", on: .local)
    world.set("dentist", "B", on: .remote)
    for _ in 0..<2 { _ = try world.sync() }
    #expect(world.letter("dentist", on: .remote) == "B")
    world.remote.answer(looksAt: Self.href, nil)
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .local) == "B")
  }

  @Test func `a new item that never arrived is sent by the next run, though looks are refused`()
    throws
  {
    // Killed with an intent, and before the write.
    let killed = try (1...8).map { number in
      let world = self.world()
      world.set("dentist", "A", on: .local)
      world.fuse.stop(at: number, .before)
      _ = try world.sync()
      world.fuse.replace()
      return world
    }.first { $0.journal.state.intents.count == 1 && $0.remote.items.isEmpty }
    let world = try #require(killed)
    world.remote.answer(looksAt: Self.href, Self.trouble)
    world.remote.beforeNextCall {
      // It shows once it is there.
      $0.beforeNextCall { $0.beforeNextCall { $0.answer(looksAt: Self.href, nil) } }
    }
    #expect(try world.sync().problems.isEmpty)
    #expect(world.letter("dentist", on: .remote) == "A")
    #expect(world.journal.state.intents.isEmpty)
  }

  @Test func `who edits it there before it can be read keeps his edit`() throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    afterTheWrite(world) { $0.answer(looksAt: Self.href, Self.trouble) }
    for _ in 0..<2 { _ = try world.sync() }
    world.set("dentist", "B", on: .remote)
    world.remote.answer(looksAt: Self.href, nil)
    let report = try world.sync { $0.policy = .ask }
    #expect(report.conflicts.isEmpty && report.problems.isEmpty)
    #expect(world.letter("dentist", on: .local) == "B")
  }

  @Test func `what a server drops of an edit that cannot be read back stays in the folder`() throws
  {
    let world = droppingWorld()
    world.local.put(Self.href, kept("A"))
    _ = try world.sync()
    world.local.put(Self.href, kept("B"))
    afterTheWrite(world) { $0.answer(looksAt: Self.href, Self.trouble) }
    for _ in 0..<2 { _ = try world.sync() }
    world.remote.answer(looksAt: Self.href, nil)
    let writes = world.remote.counts.writes
    #expect(try world.sync().problems.isEmpty)
    #expect(world.local.items[Self.href] == kept("B"))
    #expect(world.letter("dentist", on: .remote) == "B")
    #expect(world.remote.counts.writes == writes)
  }

  @Test func `what a server drops of an edit that it denies at first stays in the folder`() throws {
    let world = droppingWorld()
    world.local.put(Self.href, kept("A"))
    _ = try world.sync()
    world.local.put(Self.href, kept("B"))
    afterTheWrite(world) { $0.withhold(Self.href, true) }
    for _ in 0..<2 { #expect(isNamed(try world.sync())) }
    world.remote.withhold(Self.href, false)
    let writes = world.remote.counts.writes
    #expect(try world.sync().problems.isEmpty)
    #expect(world.local.items[Self.href] == kept("B"))
    #expect(world.remote.counts.writes == writes)
    #expect(world.journal.state.intents.isEmpty)
  }

  @Test func `an edit that was sent survives who deletes the item before the look`() throws {
    let world = world()
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "B", on: .local)
    afterTheWrite(world) { $0.remove(Self.href) }
    _ = try world.sync()
    let report = try world.sync()
    #expect(report.problems.isEmpty && report.conflicts.isEmpty)
    #expect(
      world.letter("dentist", on: .local) == "B" && world.letter("dentist", on: .remote) == "B")
    #expect(world.journal.state.intents.isEmpty)
  }

  @Test func `a server that takes another time and keeps the old one is named`() throws {
    let world = world { _ in World.event("dentist", "A") }
    world.set("dentist", "A", on: .local)
    #expect(try world.sync().problems.isEmpty)
    world.set("dentist", "B", on: .local)
    for _ in 0..<4 { #expect(isNamed(try world.sync())) }
    #expect(world.letter("dentist", on: .local) == "B")
    #expect(world.remote.counts.writes < 5, "not in each run")
  }

  @Test func `what is unreadable until it changes costs no look, and nothing of the file`() throws {
    for isCut in [false, true] {
      let world = droppingWorld()
      world.local.put(Self.href, kept("A"))
      let whole = World.event("dentist", "A")
      afterTheWrite(world) {
        if isCut {
          $0.put(Self.href, ItemData(bytes: Array(whole.bytes.prefix(60))))
        } else {
          $0.obstruct(Self.href, Self.trouble)
        }
      }
      for _ in 0..<3 {
        #expect(isNamed(try world.sync()) || isCut)
        #expect(world.remote.counts.writes == 1)
      }
      let reads = world.remote.counts.reads
      _ = try world.sync()
      #expect(world.remote.counts.reads == reads)
      world.remote.obstruct(Self.href, nil)
      world.remote.put(Self.href, whole)
      for _ in 0..<2 { _ = try world.sync() }
      #expect(try world.sync().problems.isEmpty)
      #expect(world.local.items[Self.href] == kept("A"))
      #expect(world.remote.counts.writes == 1 && world.remote.items.count == 1)
      #expect(world.journal.state.intents.isEmpty)
    }
  }

  @Test func `what is deleted there amid a large upload is no mass deletion of the few before`()
    throws
  {
    let world = world()
    for uid in ["a", "b", "c"] { world.set(uid, "A", on: .local) }
    _ = try world.sync()
    for number in 0..<20 { world.set("n\(number)", "A", on: .local) }
    // A listing, 20 writes, a look; then the run lists what it has written.
    after(22, world.remote) { for number in 0..<3 { $0.remove(Href("n\(number).ics")) } }
    let report = try world.sync()
    #expect(report.problems.isEmpty, "\(report.problems)")
    #expect(report.pushed.created == 20 && report.pulled.deleted == 3)
    #expect(world.letter("n0", on: .local) == "-" && world.letter("n3", on: .local) == "A")
  }
}
