import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// An item that another collection shared, and that both sides have in this one now.
@Suite struct MovedHereTests {
  private let uid = ItemID("m")

  /// Two sides with the item, a journal that knows nothing of it, and what the other one knew.
  private func moved(_ base: Character = "A") throws -> (World, Agreement) {
    let former = World()
    for side in Side.allCases { former.set("m", base, on: side) }
    _ = try former.sync()
    return (World(withoutJournalOf: former), try #require(try shared(in: former)))
  }

  @Test(arguments: [("A", "A", 0, 0), ("B", "A", 1, 0), ("A", "B", 0, 1)])
  func `what both shared there is the base of what is here`(
    local: Character, remote: Character, pushed: Int, pulled: Int
  ) throws {
    let (world, former) = try moved()
    world.set("m", local, on: .local)
    world.set("m", remote, on: .remote)
    let report = try world.sync { $0.former = [uid: former] }
    #expect(report.conflicts.isEmpty && report.problems.isEmpty)
    #expect(report.pushed.updated == pushed && report.pulled.updated == pulled)
    #expect(world.letter("m", on: .local) == world.letter("m", on: .remote))
    let again = try world.sync()
    #expect(again.unchanged == 1 && again.actions.isEmpty)
  }

  /// As a server that is slow to show what it has moved: sent as well, it would be there twice.
  @Test func `what does not show yet is not sent`() throws {
    let (world, former) = try moved()
    world.set("m", "-", on: .remote)
    let report = try world.sync {
      $0.former = [uid: former]
      $0.arriving = { $0 }
    }
    #expect(report.arriving.map(\.uid) == [uid] && report.pushed.created == 0)
    #expect(world.letter("m", on: .local) == "A")
  }

  @Test func `what shows where it was moved to is read, also where no listing names it`() throws {
    let (world, former) = try moved()
    // Its listings name nothing: the one that told of the change came before the item showed.
    var server = ForwardingStorage(world.remote)
    server.list = { (cursor) throws(StorageError) in
      var page = try await world.remote.listChanges(since: cursor)
      page.present = []
      return page
    }
    var options = SyncOptions()
    options.former = [uid: former]
    options.arriving = { $0 }
    for places in [[], [Href("m.ics")]] {
      options.movedTo = places
      let engine = CollectionSync(
        name: "test", local: world.local, remote: server, journal: world.journal,
        surroundings: world.surroundings, digest: sha256, options: options)
      let report = try world.executor.run { await engine.run() }
      #expect(report.problems.isEmpty && report.pushed.total == 0 && report.pulled.total == 0)
      #expect(report.arriving.map(\.uid) == (places.isEmpty ? [uid] : []))
      let isShared = try shared(in: world) != nil
      #expect(isShared == !places.isEmpty)
    }
  }

  @Test func `a new part of its series does not wait for what is on its way`() throws {
    let world = World()
    for (name, other) in [("m", "n"), ("n", "m")] {
      let text = String(decoding: World.event(name, "A").bytes, as: UTF8.self)
        .replacing("END:VEVENT", with: "RELATED-TO;RELTYPE=SIBLING:\(other)\r\nEND:VEVENT")
      world.local.put(Href("\(name).ics"), ItemData(bytes: Array(text.utf8)))
    }
    let report = try world.sync { $0.arriving = { [uid] in $0.intersection([uid]) } }
    #expect(report.problems.isEmpty && report.arriving.map(\.uid) == [uid])
    #expect(world.letter("m", on: .remote) == "-" && world.letter("n", on: .remote) == "A")
  }

  /// As where somebody has moved its file on since: it would be in two folders.
  @Test func `what has no file any more does not come down`() throws {
    let (world, former) = try moved()
    world.set("m", "-", on: .local)
    let report = try world.sync {
      $0.former = [uid: former]
      $0.pullsNew = false
    }
    #expect(report.actions.isEmpty && report.pulled.created == 0)
    #expect(world.letter("m", on: .local) == "-" && world.letter("m", on: .remote) == "A")
  }

  @Test func `what another collection is to take over is not forgotten before`() throws {
    let world = World()
    for side in Side.allCases { world.set("m", "A", on: side) }
    _ = try world.sync()
    for side in Side.allCases { world.set("m", "-", on: side) }
    var report = try world.sync { $0.departed = [uid] }
    #expect(report.departed == [uid] && report.actions.isEmpty)
    #expect(try shared(in: world) != nil)
    report = try world.sync()
    #expect(report.departed.isEmpty && report.actions.map(\.kind) == [.forget])
    #expect(try shared(in: world) == nil)
  }

  /// Two items that the remote side has no more, and of which one is not deleted there.
  @Test func `what came back is new here, and only that`() throws {
    let world = World()
    for name in ["m", "n"] {
      for side in Side.allCases { world.set(name, "A", on: side) }
    }
    _ = try world.sync()
    for name in ["m", "n"] { world.set(name, "-", on: .remote) }
    let report = try world.sync {
      $0.comingBack = { [uid] in ComeBack(back: $0.intersection([uid])) }
    }
    #expect(report.pushed.created == 1 && report.pulled.deleted == 1)
    #expect(world.letter("m", on: .local) == "A" && world.letter("m", on: .remote) == "A")
    #expect(world.letter("n", on: .local) == "-")
  }

  /// The collection that it was to go to does not say whether it has it.
  @Test func `what may be nowhere on the other side stays here, and is named`() throws {
    let world = World()
    for side in Side.allCases { world.set("m", "A", on: side) }
    _ = try world.sync()
    world.set("m", "-", on: .remote)
    let report = try world.sync { $0.comingBack = { ComeBack(unclear: $0) } }
    #expect(report.pulled.deleted == 0 && report.pushed.created == 0)
    #expect(report.problems.map(\.item.uid) == [uid])
    #expect(world.letter("m", on: .local) == "A" && world.letter("m", on: .remote) == "-")
  }

  /// It is in no folder of this collection when the run begins.
  @Test func `what comes back while this side is looked at is not deleted`() throws {
    let world = World()
    for side in Side.allCases { world.set("m", "A", on: side) }
    _ = try world.sync()
    for side in Side.allCases { world.set("m", "-", on: side) }
    let report = try world.sync { rules in
      rules.departed = [uid]
      rules.comingBack = { ComeBack(back: $0) }
      rules.progress = { if $0 == .listing(.local) { world.set("m", "A", on: .local) } }
    }
    #expect(report.pulled.deleted == 0 && report.pushed.created == 1)
    #expect(world.letter("m", on: .local) == "A" && world.letter("m", on: .remote) == "A")
  }

  private func shared(in world: World) throws -> Agreement? {
    try world.executor.run { [uid] in try await world.journal.agreement(of: uid) }
  }

  /// Also where the other collection still shares it, as far as the journal knows: only what both
  /// sides never shared here waits because of that.
  @Test func `what another collection has taken along comes back, and only that`() throws {
    let world = World()
    for name in ["m", "n"] {
      for side in Side.allCases { world.set(name, "A", on: side) }
    }
    _ = try world.sync()
    for name in ["m", "n"] { world.set(name, "-", on: .remote) }
    let report = try world.sync {
      $0.takenAlong = [uid]
      $0.arriving = { $0 }
    }
    #expect(report.arriving.isEmpty)
    #expect(report.pushed.created == 1 && report.pulled.deleted == 1)
    #expect(world.letter("m", on: .local) == "A" && world.letter("m", on: .remote) == "A")
    #expect(world.letter("n", on: .local) == "-")
  }
}
