import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What a server lists and does not give, when nothing is agreed on yet: it may be any new item of
/// the folder.
@Suite struct BesideUnreadTests {
  private static let trouble = ItemProblem(.brokenRemote, "the server fails", hint: "wait")
  private static let day: Int64 = 25 * 3_600_000

  /// Both sides have as many items, under unlike names; the server does not give the first ones.
  private func world(_ text: (String) -> ItemData, count: Int = 4, unread: Int = 2) -> World {
    var traits = World.serverTraits
    traits.keepsAddresses = true
    traits.mayNotify = true
    let world = World(remoteTraits: traits)
    for number in 0..<count {
      world.local.put(Href("l\(number).ics"), text("u\(number)"))
      world.remote.put(Href("i\(number).ics"), text("u\(number)"))
      if number < unread { world.remote.answer(looksAt: Href("i\(number).ics"), Self.trouble) }
    }
    return world
  }

  private func event(_ uid: String) -> ItemData { World.event(uid, "A") }

  private func meeting(_ uid: String) -> ItemData { World.meeting(uid) }

  private func sync(_ world: World) throws -> CollectionReport {
    try world.sync { $0.invitations.answer = .given }
  }

  private func waiting(_ report: CollectionReport) -> [String?] {
    report.problems.filter { $0.problem.message.hasPrefix("it waits until 'i") }
      .map { $0.item.uid?.text }
  }

  @Test(arguments: [true, false])
  func `new items wait for what the server does not give, and are not there twice`(isLost: Bool)
    throws
  {
    var world = world(event, unread: isLost ? 0 : 2)
    if isLost {
      _ = try sync(world)
      world = World(withoutJournalOf: world)
      for name in ["i0.ics", "i1.ics"] { world.remote.answer(looksAt: Href(name), Self.trouble) }
    }
    for _ in 0..<2 { #expect(waiting(try sync(world)) == ["u0", "u1"]) }
    // An edit makes it no other item.
    world.local.put(Href("l0.ics"), World.event("u0", "B"))
    #expect(waiting(try sync(world)) == ["u0", "u1"])
    #expect(world.remote.counts.writes == 0)
    for name in ["i0.ics", "i1.ics"] { world.remote.answer(looksAt: Href(name), nil) }
    #expect(waiting(try sync(world)) == [])
    #expect(world.remote.items.count == 4 && world.local.items.count == 4)
  }

  @Test func `what is not given for a day holds no event any longer, and a meeting until it is`()
    throws
  {
    for (make, isHeld) in [(event, false), (meeting, true)] {
      let world = world(make)
      let first = try sync(world)
      #expect(waiting(first) == ["u0", "u1"])
      let hints = first.problems.map(\.problem).filter { $0.cause == .mayBeUnread }.map(\.hint)
      #expect(hints.map { !$0.contains("after a day in any case") } == [isHeld, isHeld])
      world.executor.advance(Self.day)
      #expect(waiting(try sync(world)) == (isHeld ? ["u0", "u1"] : []))
      #expect(world.remote.counts.writes == (isHeld ? 0 : 2))
      let report = try world.executor.run { [engine = world.engine()] in
        await engine.resolve(ItemID("u0"), taking: .local)
      }
      #expect(waiting(report) == [])
      #expect(world.remote.counts.writes == (isHeld ? 1 : 2), "a person decides")
      for name in ["i0.ics", "i1.ics"] { world.remote.remove(Href(name)) }
      #expect(waiting(try sync(world)) == [])
      #expect(world.remote.counts.writes == 2 && world.remote.items.count == 4)
    }
  }

  @Test func `what is no item there holds the one of its name alone, as long as it is there`()
    throws
  {
    let world = world(event, count: 3, unread: 0)
    world.local.put(Href("dentist.ics"), event("d"))
    world.set("gym", "A", on: .local)
    for name in ["dentist.ics", "gym.ics"] {
      world.remote.put(Href(name), ItemData(bytes: Array("no calendar".utf8)))
    }
    world.local.put(Href("choir.ics"), event("c"))
    for _ in 0..<2 {
      let held = try sync(world).problems.filter { $0.problem.message.contains("may be it") }
      #expect(held.compactMap { $0.item.uid?.text } == ["d", "gym"])
      #expect(world.remote.counts.writes == 1)
      world.executor.advance(Self.day)
    }
    world.remote.remove(Href("dentist.ics"))
    world.remote.remove(Href("gym.ics"))
    #expect(try sync(world).problems.isEmpty)
    #expect(world.remote.counts.writes == 3)
  }

  /// Cut off, or with another item in it, and under a name that says nothing.
  private func putBroken(_ world: World, isCut: Bool) {
    let text = event("x").bytes
    world.remote.put(
      Href("other.ics"),
      ItemData(bytes: isCut ? Array(text.dropLast(30)) : text + event("y").bytes))
  }

  private func namedIn(_ report: CollectionReport) -> [String?] {
    report.problems.filter { $0.problem.message.contains("its UID stands in that") }
      .map { $0.item.uid?.text }
  }

  @Test(arguments: [true, false], [true, false])
  func `what is no item there holds the new items whose UIDs stand in it, at any time`(
    isCut: Bool, isFirst: Bool
  ) throws {
    let world = world(event, unread: 0)
    if !isFirst { _ = try sync(world) }
    putBroken(world, isCut: isCut)
    if !isFirst { _ = try sync(world) }
    world.set("x", "A", on: .local)
    world.set("new", "A", on: .local)
    for _ in 0..<2 {
      #expect(namedIn(try sync(world)) == ["x"])
      #expect(world.remote.counts.writes == 1 && world.letter("new", on: .remote) == "A")
      world.executor.advance(Self.day)
    }
    // An edit makes it no other item.
    world.set("x", "B", on: .local)
    #expect(namedIn(try sync(world)) == ["x"])
    world.set("x", "A", on: .local)
    world.remote.put(Href("other.ics"), event("x"))
    #expect(try sync(world).problems.isEmpty)
    #expect(world.remote.counts.writes == 1 && world.letter("x", on: .remote) == "A")
  }

  /// Also beside new items that are all named by their UIDs, as that one is not.
  @Test func `what named a new item holds it on while it cannot be read`() throws {
    let world = world(event, unread: 0)
    _ = try sync(world)
    putBroken(world, isCut: false)
    world.set("x", "A", on: .local)
    #expect(namedIn(try sync(world)) == ["x"])
    world.remote.answer(looksAt: Href("other.ics"), Self.trouble)
    world.remote.put(Href("other.ics"), event("x"))
    for uid in ["a", "b", "c"] { world.set(uid, "A", on: .remote) }
    for _ in 0..<2 {
      #expect(try sync(world).problems.contains { $0.item.uid?.text == "x" })
      #expect(world.remote.counts.writes == 0)
    }
    world.remote.answer(looksAt: Href("other.ics"), nil)
    #expect(try sync(world).problems.isEmpty && world.remote.counts.writes == 0)
    #expect(world.letter("x", on: .remote) == "A" && world.local.items.count == 8)
  }

  @Test func `a person may send it all the same, and a look names it`() throws {
    let world = world(event, unread: 0)
    putBroken(world, isCut: true)
    world.set("x", "A", on: .local)
    let pending = try world.executor.run { [engine = world.engine()] in
      try await engine.inspect([.local, .remote]).get()
    }
    let held = pending.filter { $0.problem?.message.contains("'other.ics'") ?? false }
    #expect(held.compactMap { $0.item.uid?.text } == ["x"])
    #expect(namedIn(try sync(world)) == ["x"])
    let report = try world.executor.run { [engine = world.engine()] in
      await engine.resolve(ItemID("x"), taking: .local)
    }
    #expect(namedIn(report).isEmpty && world.remote.counts.writes == 1)
    #expect(namedIn(try sync(world)).isEmpty && world.remote.counts.writes == 1)
  }

  @Test func `a name that is no new item's UID holds none where all are named by their UIDs`()
    throws
  {
    let world = world(event, count: 0)
    for uid in ["a", "b", "c", "x"] { world.set(uid, "A", on: .remote) }
    world.remote.answer(looksAt: Href("x.ics"), Self.trouble)
    world.set("new", "A", on: .local)
    world.set("x", "A", on: .local)
    _ = try sync(world)
    #expect(world.remote.counts.writes == 1 && world.letter("new", on: .remote) == "A")
    world.remote.answer(looksAt: Href("x.ics"), nil)
    #expect(try sync(world).problems.isEmpty)
    #expect(world.remote.items.count == 5)
  }

  /// As where another machine sent it, and the file was copied here.
  @Test(arguments: [true, false])
  func `once something is agreed on, a meeting waits for what is not given, and no other event`(
    isMeeting: Bool
  ) throws {
    let make = isMeeting ? meeting : event
    let world = world(event, unread: 0)
    _ = try sync(world)
    world.remote.put(Href("other.ics"), make("new"))
    world.remote.answer(looksAt: Href("other.ics"), Self.trouble)
    world.local.put(Href("new.ics"), make("new"))
    for _ in 0..<2 {
      let held = try sync(world).problems.filter { $0.problem.cause == .mayBeUnread }
      #expect(held.map { $0.item.uid?.text } == (isMeeting ? ["new"] : []))
      #expect(held.allSatisfy { $0.problem.hint.contains("after a day in any case") })
    }
    #expect(world.remote.counts.writes == (isMeeting ? 0 : 1))
    guard isMeeting else { return }
    world.remote.answer(looksAt: Href("other.ics"), nil)
    #expect(try sync(world).problems.isEmpty)
    #expect(world.remote.counts.writes == 0 && world.remote.items.count == 5)
  }

  /// It is there in another calendar, and so not what is not given here.
  @Test func `a meeting that was moved here waits for nothing that is not given`() throws {
    let world = world(event, unread: 0)
    _ = try sync(world)
    world.remote.put(Href("other.ics"), event("other"))
    world.remote.answer(looksAt: Href("other.ics"), Self.trouble)
    world.local.put(Href("new.ics"), meeting("new"))
    let report = try world.sync {
      $0.invitations.answer = .given
      $0.arriving = { $0 }
    }
    #expect(report.arriving.map { $0.uid?.text } == ["new"])
    #expect(!report.problems.contains { $0.problem.cause == .mayBeUnread })
    #expect(world.remote.counts.writes == 0)
  }

  @Test func `a meeting waits no longer than a day, and not for what was not given before`()
    throws
  {
    let world = world(event, unread: 0)
    _ = try sync(world)
    world.remote.put(Href("other.ics"), event("other"))
    world.remote.answer(looksAt: Href("other.ics"), Self.trouble)
    world.local.put(Href("new.ics"), meeting("new"))
    _ = try sync(world)
    #expect(world.remote.counts.writes == 0)
    world.executor.advance(Self.day)
    _ = try sync(world)
    #expect(world.remote.counts.writes == 1)
    world.local.put(Href("later.ics"), meeting("later"))
    _ = try sync(world)
    #expect(world.remote.counts.writes == 2)
  }

  @Test func `once something is agreed on, what is not given holds the new item of its name`()
    throws
  {
    let world = world(event, unread: 0)
    _ = try sync(world)
    world.remote.put(Href("dentist.ics"), event("d"))
    world.remote.answer(looksAt: Href("dentist.ics"), Self.trouble)
    world.local.put(Href("dentist.ics"), event("d"))
    world.set("gym", "A", on: .local)
    for _ in 0..<2 {
      let held = try sync(world).problems.filter { $0.problem.cause == .mayBeUnread }
      #expect(held.map { $0.item.uid?.text } == ["d"])
      #expect(world.remote.counts.writes == 1 && world.letter("gym", on: .remote) == "A")
      world.executor.advance(Self.day)
    }
    world.remote.answer(looksAt: Href("dentist.ics"), nil)
    #expect(try sync(world).problems.isEmpty)
    #expect(world.remote.counts.writes == 1 && world.local.items.count == 6)
  }

  @Test func `what is listed and said not to be there holds the others for one run`() throws {
    let world = world(event, unread: 0)
    let phantom = Href("phantom.ics")
    world.remote.put(phantom, event("phantom"))
    world.remote.withhold(phantom, true)
    world.set("new", "A", on: .local)
    let held = try sync(world).problems.filter { $0.problem.message.contains("may be it") }
    #expect(held.map { $0.item.uid?.text } == ["new"])
    #expect(world.remote.counts.writes == 0)
    for _ in 0..<2 {
      _ = try sync(world)
      #expect(world.remote.counts.writes == 1 && world.letter("new", on: .remote) == "A")
    }
  }

  @Test func `a look names what waits`() throws {
    let world = world(event)
    let pending = try world.executor.run { [engine = world.engine()] in
      try await engine.inspect([.local, .remote]).get()
    }
    let held = pending.filter { $0.problem?.message.contains("may be it") ?? false }
    #expect(held.map { $0.item.uid?.text } == ["u0", "u1"])
  }
}
