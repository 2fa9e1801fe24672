import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// What a server says of attendees in its answer to a write, as that a room declined, comes into
/// the folder; what else it makes of the item stays there.
@Suite struct ServerAnswersTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The lines that a person saved, those that the server stores in their place, and those that
    /// the file has in the end.
    let saved: String
    let stored: String
    let file: String

    init(_ what: String, saved: String, stored: String, file: String) {
      testDescription = what
      self.saved = saved
      self.stored = stored
      self.file = file
    }
  }

  static let cases = [
    Case(
      "a room declines",
      saved: "ATTENDEE;CUTYPE=ROOM;PARTSTAT=NEEDS-ACTION:mailto:room@example.org",
      stored: "ATTENDEE;CUTYPE=ROOM;PARTSTAT=DECLINED;SCHEDULE-STATUS=2.0:mailto:room@example.org",
      file: "ATTENDEE;CUTYPE=ROOM;PARTSTAT=DECLINED;SCHEDULE-STATUS=2.0:mailto:room@example.org"),
    Case(
      "nobody has the address",
      saved: "ATTENDEE:mailto:bob@example.org | ATTENDEE:mailto:eve@example.org",
      stored: "ATTENDEE;SCHEDULE-STATUS=3.7:mailto:bob@example.org"
        + " | ATTENDEE;SCHEDULE-STATUS=1.2:mailto:eve@example.org",
      file: "ATTENDEE;SCHEDULE-STATUS=3.7:mailto:bob@example.org"
        + " | ATTENDEE;SCHEDULE-STATUS=1.2:mailto:eve@example.org"),
    Case(
      "an answer was delivered",
      saved: "ORGANIZER:mailto:ann@example.org | ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org",
      stored: "ORGANIZER;SCHEDULE-STATUS=1.2:mailto:ann@example.org"
        + " | ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org",
      file: "ORGANIZER;SCHEDULE-STATUS=1.2:mailto:ann@example.org"
        + " | ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org"),
    Case(
      "an answer that the server does not take stays here",
      saved: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org",
      stored: "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@example.org",
      file: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org"),
    Case(
      "how the server writes a name stays there",
      saved: "ATTENDEE;CN=Bob;RSVP=TRUE:mailto:bob@example.org",
      stored: "ATTENDEE;CN=BOB;SCHEDULE-STATUS=1.2:mailto:bob@example.org | X-SERVER:1",
      file: "ATTENDEE;CN=Bob;RSVP=TRUE;SCHEDULE-STATUS=1.2:mailto:bob@example.org"),
    Case(
      "that nobody has answered is no news",
      saved: "ATTENDEE:mailto:bob@example.org",
      stored: "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@example.org",
      file: "ATTENDEE:mailto:bob@example.org"),
    Case(
      "what the server leaves out stays here",
      saved: "ATTENDEE;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0:mailto:bob@example.org",
      stored: "ATTENDEE:mailto:bob@example.org",
      file: "ATTENDEE;PARTSTAT=ACCEPTED;SCHEDULE-STATUS=2.0:mailto:bob@example.org"),
    Case(
      "whom the server adds stays there",
      saved: "ATTENDEE:mailto:bob@example.org",
      stored: "ATTENDEE:mailto:bob@example.org"
        + " | ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.org",
      file: "ATTENDEE:mailto:bob@example.org"),
  ]

  private static let room = cases[0]
  private static let href = Href("meeting.ics")

  private static func lines(_ text: String) -> String {
    text.replacing(" | ", with: "\r\n") + "\r\nEND:VEVENT"
  }

  private static func meeting(_ people: String, _ title: Character = "A") -> ItemData {
    let text = String(decoding: World.event("meeting", title).bytes, as: UTF8.self)
    let organizer = people.contains("ORGANIZER") ? "" : "ORGANIZER:mailto:ann@example.org | "
    return ItemData(
      bytes: Array(text.replacing("END:VEVENT", with: lines(organizer + people)).utf8))
  }

  private static func world(_ one: Case) -> World {
    var traits = World.serverTraits
    traits.mayNotify = true
    let world = World(remoteTraits: traits) { data in
      let text = String(decoding: data.bytes, as: UTF8.self)
      return ItemData(
        bytes: Array(text.replacing(lines(one.saved), with: lines(one.stored)).utf8))
    }
    world.local.put(href, meeting(one.saved))
    return world
  }

  private func text(_ data: ItemData?) -> String {
    data.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
  }

  @Test(arguments: cases)
  func `what the server answers comes, without a second mail`(one: Case) throws {
    let world = Self.world(one)
    let report = try world.sync()
    #expect(text(world.local.items[Self.href]) == text(Self.meeting(one.file)))
    #expect(report.pushed.created == 1 && report.invitations == 1)
    #expect(report.pulled.updated == (one.file == one.saved ? 0 : 1))
    #expect(report.unchanged == 0)
    #expect(world.remote.counts.writes == 1)

    let (writes, reads) = (world.writes, world.remote.counts.reads)
    #expect(try world.sync().unchanged == 1)
    #expect(world.writes == writes && world.remote.counts.reads == reads)
  }

  @Test func `the edit after that is sent once`() throws {
    let world = Self.world(Self.room)
    _ = try world.sync()
    world.local.put(Self.href, Self.meeting(Self.room.file, "B"))
    let report = try world.sync()
    #expect(report.pushed.updated == 1 && report.pulled.updated == 0)
    #expect(world.remote.counts.writes == 2)
    #expect(text(world.remote.items[Self.href]) == text(Self.meeting(Self.room.file, "B")))
  }

  @Test func `stopped at every effect and resumed, it ends the same`() throws {
    let unbroken = Self.world(Self.room)
    _ = try unbroken.sync()
    for number in 1...unbroken.fuse.effects {
      for moment in Fuse.Moment.allCases {
        let world = Self.world(Self.room)
        world.fuse.stop(at: number, moment)
        _ = try world.sync()
        world.fuse.replace()
        _ = try world.sync()
        let place: Comment = "stopped \(moment) effect \(number)"
        #expect(
          text(world.local.items[Self.href]) == text(Self.meeting(Self.room.file)), place)
        #expect(world.remote.counts.writes == 1, place)
        let writes = world.writes
        #expect(try world.sync().problems.isEmpty, place)
        #expect(world.writes == writes, place)
      }
    }
  }

  /// There it would be a change that nobody may fetch, and in the way of the next edit.
  @Test func `where nothing ever comes into the folder, neither does that`() throws {
    let world = Self.world(Self.room)
    func push() throws -> CollectionReport {
      try world.sync {
        $0.direction = .push
        $0.pairDirection = .push
      }
    }
    _ = try push()
    #expect(text(world.local.items[Self.href]) == text(Self.meeting(Self.room.saved)))
    world.local.put(Self.href, Self.meeting(Self.room.saved, "B"))
    let report = try push()
    #expect(report.conflicts.isEmpty && report.pushed.updated == 1)
  }

  @Test func `two servers do not answer each other without end`() throws {
    let executor = StepExecutor(seed: 1)
    func server(_ answer: String) -> MemoryStorage {
      MemoryStorage(
        traits: World.serverTraits, surroundings: executor.surroundings, extent: .changesOnly
      ) { data in
        let text = String(decoding: data.bytes, as: UTF8.self)
        return ItemData(
          bytes: Array(text.replacing("PARTSTAT=NEEDS-ACTION", with: answer).utf8))
      }
    }
    let (one, other) = (server("PARTSTAT=ACCEPTED"), server("PARTSTAT=DECLINED"))
    one.put(Self.href, Self.meeting(Self.room.saved))
    let engine = CollectionSync(
      name: "test", local: one, remote: other, journal: MemoryJournal(),
      surroundings: executor.surroundings, digest: sha256, options: SyncOptions())
    for _ in 0..<3 { _ = try executor.run { await engine.run() } }
    #expect(one.counts.writes == 0 && other.counts.writes == 1)
  }
}
