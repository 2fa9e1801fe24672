import SyncExecution
import SyncModel
import SyncPlanning
import Synchronization
import TestSupport
import Testing

/// A server that stores an edit and puts a value back to what it was.
@Suite struct KeptFormerTests {
  private static let day: Int64 = 25 * 3_600_000
  private static let href = Href("dentist.ics")

  private static func text(_ letter: Character, _ changes: [String: String] = [:]) -> ItemData {
    var text = String(decoding: World.event("dentist", letter).bytes, as: UTF8.self)
    for (old, new) in changes { text = text.replacing(old, with: new) }
    return ItemData(bytes: Array(text.utf8))
  }

  private func lines(_ data: ItemData?) -> [String] {
    let text = data.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    return text.split(separator: "\r\n").map(String.init)
  }

  /// Each version A begins at 10:05, B at 10:06. The server has each begin when A does, and notes
  /// that it wrote.
  private func punctualWorld() throws -> World {
    let world = World { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
        .replacing("T100600Z", with: "T100500Z")
      if text.contains("LAST-MODIFIED") { return ItemData(bytes: Array(text.utf8)) }
      let stamp = "LAST-MODIFIED:20260101T000000Z\r\nEND:VEVENT"
      return ItemData(bytes: Array(text.replacing("END:VEVENT", with: stamp).utf8))
    }
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    world.set("dentist", "B", on: .local)
    let report = try world.sync()
    #expect(report.pushed.updated == 1)
    #expect(messages(report) == ["the remote side stored it, and kept the former time"])
    return world
  }

  private func messages(_ report: CollectionReport) -> [String] {
    report.problems.map(\.problem.message)
  }

  @Test func `the time that it put back is named in each run, and the file stays`() throws {
    let world = try punctualWorld()
    for _ in 0..<2 {
      #expect(messages(try world.sync()) == ["the remote side stored it, and kept the former time"])
      #expect(world.remote.counts.writes == 2)
      #expect(world.local.items[Self.href] == World.event("dentist", "B"))
      #expect(world.letter("dentist", on: .remote) == "B")
    }
    let writes = world.journal.state
    #expect(try world.sync().problems.count == 1)
    #expect(world.journal.state.observations == writes.observations)
  }

  @Test func `who takes the edit back has nothing left to send`() throws {
    let world = try punctualWorld()
    world.local.put(Self.href, Self.text("B", ["T100600Z": "T100500Z"]))
    #expect(try world.sync().problems.isEmpty)
    #expect(world.remote.counts.writes == 2)
  }

  @Test func `an edit there comes, the time is offered with it, and a person takes what is there`()
    throws
  {
    let world = try punctualWorld()
    world.remote.put(
      Self.href, Self.text("B", ["T100600Z": "T100500Z", "END:VEVENT": "LOCATION:X\r\nEND:VEVENT"]))
    let report = try world.sync()
    #expect(report.conflicts.isEmpty && report.problems.count == 1)
    #expect(lines(world.local.items[Self.href]).contains("LOCATION:X"))
    #expect(lines(world.local.items[Self.href]).contains("DTSTART:20260105T100600Z"))
    #expect(try world.sync().problems.count == 1)
    #expect(world.remote.counts.writes == 3)
    let taken = try world.executor.run { [engine = world.engine()] in
      await engine.resolve(ItemID("dentist"), taking: .remote)
    }
    #expect(taken.problems.isEmpty)
    #expect(lines(world.local.items[Self.href]).contains("DTSTART:20260105T100500Z"))
    #expect(try world.sync().problems.isEmpty)
  }

  @Test func `what a person sends over an edit there, in vain, is named and not sent again`() throws
  {
    let insists = Mutex(false)
    let world = World { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      guard insists.withLock({ $0 }) else { return data }
      return ItemData(bytes: Array(text.replacing("dentist A", with: "dentist B").utf8))
    }
    world.set("dentist", "A", on: .local)
    _ = try world.sync()
    insists.withLock { $0 = true }
    world.remote.put(Self.href, Self.text("A", ["dentist A": "dentist B"]))
    let sent = try world.executor.run { [engine = world.engine()] in
      await engine.resolve(ItemID("dentist"), taking: .local)
    }
    #expect(messages(sent) == ["the remote side took it, and kept the former title"])
    for _ in 0..<2 {
      #expect(messages(try world.sync()) == ["the remote side took it, and kept the former title"])
    }
    #expect(world.remote.counts.writes == 2)
    #expect(world.local.items[Self.href] == World.event("dentist", "A"))
  }

  /// An edit of the title alone, of which nothing is stored under a new entity tag.
  private func stubbornWorld(
    _ isStubborn: @escaping @Sendable () -> Bool, _ more: [String: String] = [:]
  ) throws -> World {
    var traits = World.serverTraits
    traits.mayNotify = true
    let world = World(remoteTraits: traits) { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      let kept = text.replacing("SUMMARY:Edited", with: "SUMMARY:dentist A")
      return ItemData(bytes: Array((isStubborn() ? kept : text).utf8))
    }
    world.local.put(Self.href, Self.text("A", more))
    _ = try world.sync()
    var edited = more
    edited["SUMMARY:dentist A"] = "SUMMARY:Edited"
    world.local.put(Self.href, Self.text("A", edited))
    let report = try world.sync()
    #expect(report.pushed.updated == 0)
    #expect(messages(report) == ["the remote side took it, and kept the former title"])
    return world
  }

  @Test func `an edit that is wholly ignored is named, and offered once a day until it is taken`()
    throws
  {
    let isStubborn = Mutex(true)
    let world = try stubbornWorld { isStubborn.withLock { $0 } }
    #expect(try world.sync().problems.count == 1)
    #expect(world.remote.counts.writes == 2)
    world.executor.advance(Self.day)
    for _ in 0..<2 { #expect(try world.sync().problems.count == 1) }
    #expect(world.remote.counts.writes == 3)
    isStubborn.withLock { $0 = false }
    world.executor.advance(Self.day)
    #expect(try world.sync().problems.isEmpty)
    #expect(lines(world.remote.items[Self.href]).contains("SUMMARY:Edited"))
  }

  @Test func `a meeting is offered when a person says so, and not day by day`() throws {
    let world = try stubbornWorld({ true }, ["END:VEVENT": World.people + "END:VEVENT"])
    world.executor.advance(Self.day)
    #expect(try world.sync().problems.count == 1)
    #expect(world.remote.counts.writes == 2)
    _ = try world.executor.run { [engine = world.engine()] in
      await engine.resolve(ItemID("dentist"), taking: .local)
    }
    #expect(world.remote.counts.writes == 3)
  }

  /// The one item and another one, which stays; the server deletes the first.
  private func deleteThere(_ world: World) throws -> CollectionReport {
    world.set("choir", "A", on: .local)
    #expect(try world.sync().problems.count == 1)
    world.remote.remove(Self.href)
    return try world.sync()
  }

  @Test func `what is called off there goes here, too, with the edit that was not taken`() throws {
    let world = try stubbornWorld({ true }, ["END:VEVENT": World.people + "END:VEVENT"])
    let edit = try #require(world.local.items[Self.href])
    let report = try deleteThere(world)
    #expect(report.problems.isEmpty && report.pulled.deleted == 1)
    #expect(world.local.items[Self.href] == nil && world.remote.counts.writes == 3)
    let history = try world.executor.run {
      try await world.journal.history(of: ItemID("dentist"))
    }
    #expect(history.contains { $0.entry.before == sha256(edit.bytes) })
    #expect(try world.sync().problems.isEmpty)
  }

  @Test func `no day brings back what is deleted there, and an edit made later does`() throws {
    let world = try punctualWorld()
    #expect(try deleteThere(world).problems.isEmpty)
    #expect(world.letter("dentist", on: .local) == "-")
    world.executor.advance(Self.day)
    _ = try world.sync()
    #expect(world.letter("dentist", on: .remote) == "-")

    let edited = try punctualWorld()
    edited.remote.remove(Self.href)
    edited.set("dentist", "C", on: .local)
    _ = try edited.sync()
    #expect(edited.letter("dentist", on: .remote) == "C")
  }

  /// It has its own name for the zone, and drops the definition: what it makes of the folder's
  /// version is what it had before.
  @Test func `a person's word holds where a server has another name for the zone`() throws {
    func zoned(_ zone: String, isDefined: Bool) -> ItemData {
      let definition =
        "BEGIN:VTIMEZONE\r\nTZID:\(zone)\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\n"
        + "TZOFFSETFROM:+0000\r\nTZOFFSETTO:+0000\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
      let text = String(decoding: World.meeting("dentist").bytes, as: UTF8.self)
        .replacing("DTSTART:20260105T100500Z", with: "DTSTART;TZID=\(zone):20260105T100500")
        .replacing("BEGIN:VEVENT", with: (isDefined ? definition : "") + "BEGIN:VEVENT")
      return ItemData(bytes: Array(text.utf8))
    }
    let kept = zoned("Etc/UTC", isDefined: false)
    var traits = World.serverTraits
    traits.mayNotify = true
    let world = World(remoteTraits: traits) { _ in kept }
    world.local.put(Self.href, zoned("Greenwich of ours", isDefined: true))
    world.remote.put(Self.href, kept)
    #expect(try world.sync().conflicts.count == 1)
    let report = try world.executor.run { [engine = world.engine()] in
      await engine.resolve(ItemID("dentist"), taking: .local)
    }
    #expect(report.problems.isEmpty && report.conflicts.isEmpty, "\(report.problems)")
    let writes = world.remote.counts.writes
    #expect(writes == 1)
    let next = try world.sync()
    #expect(next.problems.isEmpty && next.conflicts.isEmpty)
    #expect(world.remote.counts.writes == writes && world.remote.items[Self.href] == kept)
  }
}
