import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What a server notes of attendees by itself is not told to another server.
@Suite struct TwoServersTests {
  private static let href = Href("meeting.ics")
  private static let asked = "PARTSTAT=NEEDS-ACTION;RSVP=TRUE"

  private let executor = StepExecutor(seed: 1)
  private let journal = MemoryJournal()
  private let one: MemoryStorage
  private let other: MemoryStorage

  init() {
    var traits = World.serverTraits
    traits.mayNotify = true
    one = MemoryStorage(
      traits: traits, surroundings: executor.surroundings, extent: .changesOnly)
    // It is kept from sending mail: there is nothing to be kept from.
    traits.mayNotify = false
    traits.isSilenced = true
    other = MemoryStorage(
      traits: traits, surroundings: executor.surroundings, extent: .changesOnly)
    for server in [one, other] { server.put(Self.href, Self.meeting(Self.asked)) }
  }

  private static func meeting(
    _ answer: String, _ title: Character = "A", more: String = ""
  ) -> ItemData {
    let text = String(decoding: World.event("meeting", title).bytes, as: UTF8.self)
    let lines =
      "\(more)ORGANIZER:mailto:a@example.org\r\nATTENDEE;\(answer):mailto:b@example.org\r\n"
    return ItemData(
      bytes: Array(text.replacing("END:VEVENT", with: lines + "END:VEVENT").utf8))
  }

  private func sync() throws -> CollectionReport {
    let engine = CollectionSync(
      name: "test", local: one, remote: other, journal: journal,
      surroundings: executor.surroundings, digest: sha256, options: SyncOptions())
    return try executor.run { await engine.run() }
  }

  /// Neither now nor in the next run, which has nothing to look at.
  private func expectSilence(at place: SourceLocation = #_sourceLocation) throws {
    let report = try sync()
    #expect(report.problems.isEmpty && report.conflicts.isEmpty, sourceLocation: place)
    #expect(report.pushed.total + report.pulled.total == 0, sourceLocation: place)
    let reads = one.counts.reads + other.counts.reads
    #expect(try sync().unchanged == 1, sourceLocation: place)
    #expect(one.counts.reads + other.counts.reads == reads, sourceLocation: place)
    #expect(one.counts.writes + other.counts.writes == 0, sourceLocation: place)
  }

  @Test func `answers, and what became of messages, stay where they are`() throws {
    try expectSilence()
    let answers = [
      "PARTSTAT=NEEDS-ACTION;RSVP=TRUE;SCHEDULE-STATUS=\"1.2\"", "PARTSTAT=ACCEPTED",
      "PARTSTAT=DECLINED;SCHEDULE-STATUS=\"2.0\"", "PARTSTAT=DECLINED",
    ]
    for (number, answer) in answers.enumerated() {
      let touched = "LAST-MODIFIED:2026020\(number + 1)T000000Z\r\n"
      one.put(Self.href, Self.meeting(answer, more: touched))
      try expectSilence()
      #expect(other.items[Self.href] == Self.meeting(Self.asked))
    }
    // Both may have some to note.
    one.put(Self.href, Self.meeting("PARTSTAT=ACCEPTED"))
    other.put(Self.href, Self.meeting("PARTSTAT=TENTATIVE"))
    try expectSilence()
  }

  @Test func `after a lost journal unlike answers are no conflict`() throws {
    _ = try sync()
    one.put(Self.href, Self.meeting("PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0"))
    try expectSilence()
    let engine = CollectionSync(
      name: "test", local: one, remote: other, journal: MemoryJournal(),
      surroundings: executor.surroundings, digest: sha256, options: SyncOptions())
    for _ in 0..<2 {
      let report = try executor.run { await engine.run() }
      #expect(report.conflicts.isEmpty && report.problems.isEmpty, "\(report)")
      #expect(report.pushed.total + report.pulled.total == 0)
      #expect(report.unchanged == 1)
    }
    #expect(one.counts.writes + other.counts.writes == 0)
  }

  @Test func `a person's edit goes, and finds the answers as they are`() throws {
    _ = try sync()
    let noted = "PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0"
    one.put(Self.href, Self.meeting(noted))
    try expectSilence()
    one.put(Self.href, Self.meeting(noted, "B"))
    #expect(try sync().pushed.updated == 1)
    #expect(other.items[Self.href] == Self.meeting(Self.asked, "B"))
    // At the same moment as an answer, too.
    one.put(Self.href, Self.meeting("PARTSTAT=DECLINED", "B"))
    other.put(Self.href, Self.meeting(Self.asked, "C"))
    let report = try sync()
    #expect(report.pulled.updated == 1 && report.pushed.total == 0)
    #expect(one.items[Self.href] == Self.meeting("PARTSTAT=DECLINED", "C"))
    #expect(other.items[Self.href] == Self.meeting(Self.asked, "C"))
  }

  @Test func `an answer saves no meeting from its deletion`() throws {
    _ = try sync()
    one.put(Self.href, Self.meeting("PARTSTAT=ACCEPTED"))
    other.remove(Self.href)
    let report = try sync()
    #expect(report.pulled.deleted == 1 && report.pushed.total == 0)
    #expect(one.items.isEmpty)
  }

  @Test func `a name that somebody adds is an edit`() throws {
    _ = try sync()
    let added = "CN=Bob;\(Self.asked)"
    one.put(Self.href, Self.meeting(added))
    #expect(try sync().pushed.updated == 1)
    #expect(other.items[Self.href] == Self.meeting(added))
  }
}
