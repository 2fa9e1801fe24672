import SyncExecution
import SyncModel
import TestSupport
import Testing

/// Both sides are servers, and the local one spells RESOURCES in a way of its own, as Xandikos
/// does: what it makes of a merge is nobody's edit.
@Suite struct MergeIntoServerTests {
  private static let href = Href("talk.ics")

  private let executor = StepExecutor(seed: 1)
  private let fuse = Fuse()
  private let journal: MemoryJournal
  private let local: MemoryStorage
  private let remote: MemoryStorage

  init() {
    let traits = World.serverTraits
    let surroundings = executor.surroundings
    journal = MemoryJournal(fuse: fuse)
    local = MemoryStorage(
      traits: traits, surroundings: surroundings, fuse: fuse, extent: .changesOnly
    ) { Self.escaped($0) }
    remote = MemoryStorage(
      traits: traits, surroundings: surroundings, fuse: fuse, extent: .changesOnly)
  }

  /// `RESOURCES:A,B` as one word with a comma in it.
  private static func escaped(_ data: ItemData) -> ItemData {
    let lines = String(decoding: data.bytes, as: UTF8.self).split(separator: "\r\n").map(
      String.init
    ).map { line in
      guard line.hasPrefix("RESOURCES:") else { return line }
      return line.replacing("\\,", with: ",").replacing(",", with: "\\,")
    }
    return ItemData(bytes: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
  }

  private static func talk(_ letters: String, resources: String? = "SCREEN,CHAIRS") -> ItemData {
    let text = String(decoding: World.event("talk", letters).bytes, as: UTF8.self)
    let line = resources.map { "RESOURCES:\($0)\r\n" } ?? ""
    return ItemData(bytes: Array(text.replacing("END:VEVENT", with: line + "END:VEVENT").utf8))
  }

  private func sync() throws -> CollectionReport {
    let engine = CollectionSync(
      name: "test", local: local, remote: remote, journal: journal,
      surroundings: executor.surroundings, digest: sha256, options: SyncOptions())
    return try executor.run { await engine.run() }
  }

  /// Somebody edits it in the call after so many writes.
  private static func put(_ letters: String, in storage: MemoryStorage, afterWrite number: Int) {
    storage.beforeNextCall { storage in
      if storage.counts.writes < number {
        put(letters, in: storage, afterWrite: number)
      } else {
        storage.put(href, escaped(talk(letters)))
      }
    }
  }

  private func expectSilence(at place: SourceLocation = #_sourceLocation) throws {
    let writes = local.counts.writes + remote.counts.writes
    let report = try sync()
    #expect(report.problems.isEmpty && report.conflicts.isEmpty, sourceLocation: place)
    #expect(report.unchanged == 1 && report.merged == 0, sourceLocation: place)
    #expect(local.counts.writes + remote.counts.writes == writes, sourceLocation: place)
  }

  /// Both have it, each in its own spelling, and both have changed it since.
  private func editBoth() throws {
    remote.put(Self.href, Self.talk("AAA"))
    _ = try sync()
    executor.advance(60_000)
    local.put(Self.href, Self.escaped(Self.talk("BAA")))
    remote.put(Self.href, Self.talk("ABA"))
    executor.advance(60_000)
  }

  @Test func `a merge is written once to each`() throws {
    try editBoth()
    #expect(local.counts.writes == 1 && remote.counts.writes == 0)
    let report = try sync()
    #expect(report.merged == 1 && report.problems.isEmpty && report.conflicts.isEmpty)
    #expect(local.counts.writes == 2 && remote.counts.writes == 1)
    #expect(local.items[Self.href] == Self.escaped(Self.talk("BBA")))
    #expect(remote.items[Self.href] == Self.talk("BBA"))
    try expectSilence()
  }

  @Test func `what it adds to one that it did not have is no edit`() throws {
    for storage in [local, remote] { storage.put(Self.href, Self.talk("AAA", resources: nil)) }
    _ = try sync()
    executor.advance(60_000)
    local.put(Self.href, Self.talk("BAA", resources: nil))
    remote.put(Self.href, Self.talk("AAA"))
    executor.advance(60_000)
    #expect(try sync().merged == 1)
    #expect(local.items[Self.href] == Self.escaped(Self.talk("BAA")))
    #expect(remote.items[Self.href] == Self.talk("BAA"))
    try expectSilence()
  }

  @Test func `a later edit on either side goes to the other alone`() throws {
    try editBoth()
    _ = try sync()
    executor.advance(60_000)
    remote.put(Self.href, Self.talk("BCA"))
    let pulled = try sync()
    #expect(pulled.pulled.updated == 1 && pulled.pushed.total == 0 && pulled.merged == 0)
    #expect(local.items[Self.href] == Self.escaped(Self.talk("BCA")))
    local.put(Self.href, Self.escaped(Self.talk("CCA")))
    let pushed = try sync()
    #expect(pushed.pushed.updated == 1 && pushed.pulled.total == 0 && pushed.merged == 0)
    #expect(remote.items[Self.href] == Self.talk("CCA"))
    try expectSilence()
  }

  @Test func `an edit there before the look is kept, and goes to the other side`() throws {
    try editBoth()
    Self.put("BBC", in: local, afterWrite: 2)
    let report = try sync()
    #expect(report.conflicts.isEmpty && report.problems.isEmpty)
    #expect(local.items[Self.href] == Self.escaped(Self.talk("BBC")))
    #expect(remote.items[Self.href] == Self.talk("BBC"))
    try expectSilence()
  }

  @Test(arguments: 1...12) func `killed at any effect, the next run ends it`(at effect: Int) throws
  {
    try editBoth()
    fuse.stop(at: fuse.effects + effect, .after)
    _ = try? sync()
    fuse.replace()
    _ = try sync()
    #expect(local.items[Self.href] == Self.escaped(Self.talk("BBA")))
    #expect(remote.items[Self.href] == Self.talk("BBA"))
    try expectSilence()
  }
}
