import SyncExecution
import SyncModel
import SyncPlanning
import Synchronization
import TestSupport
import Testing

/// Items with attendees, of which a server may tell people.
@Suite struct InvitationTests {
  private static var serverTraits: StorageTraits {
    var traits = World.serverTraits
    traits.mayNotify = true
    return traits
  }

  /// What waits for a yes, from run to run.
  private final class Waiting: Sendable {
    private let kept = Mutex<Set<ItemID>>([])
    var items: Set<ItemID> { kept.withLock { $0 } }

    func sync(
      _ world: World, _ answer: InvitationConsent.Answer = .nobody,
      _ change: (inout SyncOptions) -> Void = { _ in }
    ) throws -> CollectionReport {
      try world.sync { options in
        options.invitations.answer = answer
        options.invitations.held = items
        options.invitations.keep = { held in self.kept.withLock { $0 = held } }
        change(&options)
      }
    }
  }

  /// A folder with a meeting and an event, before its first sync.
  private func world() -> World {
    let world = World(remoteTraits: Self.serverTraits)
    world.local.put(Href("meeting.ics"), World.meeting("meeting"))
    world.set("gym", "A", on: .local)
    return world
  }

  @Test func `before a first sync sends meetings, a person is asked once, for all of them`() throws
  {
    let world = world()
    world.local.put(Href("other.ics"), World.meeting("other"))
    let asked = Mutex<[Int]>([])
    let waiting = Waiting()
    let refused = try waiting.sync(
      world,
      .asked { count in
        asked.withLock { $0.append(count) }
        return false
      })
    #expect(asked.withLock { $0 } == [2])
    #expect(refused.pushed.created == 1 && refused.invitations == 0)
    #expect(refused.problems.count == 2)
    #expect(world.letter("meeting", on: .remote) == "-")
    #expect(world.letter("gym", on: .remote) == "A")

    // A later run that cannot ask holds them back; one that can asks again.
    let held: Set = [ItemID("meeting"), ItemID("other")]
    #expect(waiting.items == held)
    let later = try waiting.sync(world)
    #expect(later.problems.count == 2 && waiting.items == held)
    #expect(world.letter("meeting", on: .remote) == "-")
    // Nor does one that does not write there at all let them go.
    _ = try waiting.sync(world) { $0.direction = .pull }
    #expect(waiting.items == held)
    let agreed = try waiting.sync(world, .asked { _ in true })
    #expect(agreed.problems.isEmpty && agreed.invitations == 2)
    #expect(waiting.items.isEmpty)
    #expect(world.letter("meeting", on: .remote) == "A")
  }

  @Test(arguments: ["B", "-"] as [Character], [true, false])
  func `what is edited or removed while the question stands does not go as it was`(
    letter: Character, secondAnswer: Bool
  ) throws {
    let world = world()
    world.local.put(Href("other.ics"), World.meeting("other"))
    let asked = Mutex<[Int]>([])
    let waiting = Waiting()
    let report = try waiting.sync(
      world,
      .asked { count in
        let isFirst = asked.withLock {
          $0.append(count)
          return $0.count == 1
        }
        if !isFirst { return secondAnswer }
        world.local.remove(Href("meeting.ics"))
        if letter != "-" { world.local.put(Href("meeting.ics"), World.meeting("meeting", letter)) }
        return true
      })
    #expect(asked.withLock { $0 } == (letter == "-" ? [2] : [2, 1]))
    let isSent = letter != "-" && secondAnswer
    #expect(world.letter("meeting", on: .remote) == (isSent ? letter : "-"))
    #expect(world.letter("other", on: .remote) == "A")
    #expect(world.remote.counts.writes == (isSent ? 3 : 2), "with the gym")
    #expect(report.invitations == (isSent ? 2 : 1) && report.failure == nil)
    let waits = letter != "-" && !secondAnswer
    #expect(report.problems.map(\.item.uid) == (waits ? [ItemID("meeting")] : []))
    #expect(report.heldInvitations == (waits ? [ItemID("meeting")] : []))
  }

  @Test func `who says yes, or cannot be asked, sends them, and is told how many`() throws {
    for answer in [InvitationConsent.Answer.given, .asked { _ in true }, .nobody] {
      let world = world()
      let report = try world.sync { $0.invitations.answer = answer }
      #expect(report.problems.isEmpty && report.invitations == 1)
      #expect(world.letter("meeting", on: .remote) == "A")
    }
  }

  @Test func `once the sides were in step, what a person makes goes without a question`() throws {
    let world = world()
    _ = try world.sync()
    world.local.put(Href("new.ics"), World.meeting("new"))
    let report = try world.sync { $0.invitations.answer = .asked { _ in false } }
    #expect(report.problems.isEmpty && report.invitations == 1)
    #expect(world.letter("new", on: .remote) == "A")
  }

  /// The sides were in step, another meeting is made here, and the journal goes.
  private func forgetful() throws -> World {
    let world = world()
    _ = try world.sync()
    world.local.put(Href("new.ics"), World.meeting("new"))
    world.set("walk", "A", on: .local)
    return World(withoutJournalOf: world)
  }

  @Test func `after the journal was lost, a new meeting waits until somebody says yes`() throws {
    let world = try forgetful()
    let waiting = Waiting()
    // The later runs know that both sides share something again.
    for _ in 0..<3 {
      let report = try waiting.sync(world)
      #expect(report.invitations == 0)
      #expect(report.problems.map(\.item.uid) == [ItemID("new")])
      #expect(waiting.items == [ItemID("new")])
      #expect(world.letter("new", on: .remote) == "-")
      #expect(world.letter("walk", on: .remote) == "A", "nobody is invited to that")
    }
    #expect(try waiting.sync(world, .given).invitations == 1)
    #expect(world.letter("new", on: .remote) == "A")
  }

  @Test func `a run that ends before it has sent anything does not forget what waits`() throws {
    let world = try forgetful()
    let waiting = Waiting()
    // Told to stop the moment that it is known.
    _ = try waiting.sync(world) { options in
      options.shouldStop = { !waiting.items.isEmpty }
    }
    #expect(waiting.items == [ItemID("new")])
    #expect(world.letter("walk", on: .remote) == "-")
  }

  @Test func `a run one way, or for some items, is no consent for those to come`() throws {
    for isPull in [true, false] {
      let world = try forgetful()
      let waiting = Waiting()
      _ = try waiting.sync(world) { options in
        if isPull { options.direction = .pull } else { options.only = [ItemID("gym")] }
      }
      #expect(waiting.items == [ItemID("new")])
      let report = try waiting.sync(world)
      #expect(report.problems.map(\.item.uid) == [ItemID("new")])
      #expect(report.invitations == 0)
    }
  }

  @Test func `what a person names is his doing`() throws {
    let world = try forgetful()
    let waiting = Waiting()
    let report = try waiting.sync(world) { $0.only = [ItemID("new")] }
    #expect(report.problems.isEmpty && report.invitations == 1)
    #expect(waiting.items.isEmpty)
  }

  @Test func `a yes in the configuration is a yes for good`() throws {
    let world = try forgetful()
    let waiting = Waiting()
    _ = try waiting.sync(world)
    #expect(try waiting.sync(world, .given).invitations == 1)
    #expect(waiting.items.isEmpty)
    // An edit here brings it back after a deletion there, as with any item.
    let there = world.remote.items.first {
      String(decoding: $0.value.bytes, as: UTF8.self).contains("UID:new")
    }
    world.remote.remove(try #require(there).key)
    world.local.put(Href("new.ics"), World.meeting("new", "B"))
    let report = try waiting.sync(world)
    #expect(report.problems.isEmpty && report.invitations == 1)
  }

  @Test func `where both sides got it meanwhile, nothing waits any more`() throws {
    let world = try forgetful()
    let waiting = Waiting()
    _ = try waiting.sync(world)
    world.remote.put(Href("new-there.ics"), World.meeting("new"))
    #expect(try waiting.sync(world).problems.isEmpty)
    #expect(waiting.items.isEmpty)
  }

  @Test func `a changed meeting counts, and so does a deleted one, but nothing else`() throws {
    let world = world()
    _ = try world.sync()
    world.local.put(Href("meeting.ics"), World.meeting("meeting", "B"))
    world.set("gym", "B", on: .local)
    #expect(try world.sync().invitations == 1)
    world.local.remove(Href("meeting.ics"))
    let report = try world.sync()
    #expect(report.pushed.deleted == 1 && report.invitations == 1)
    #expect(try world.sync().invitations == 0)
  }

  /// Its only attendee is its organizer, spelled otherwise.
  private func alone(_ letter: Character) -> ItemData {
    let people = "ORGANIZER:mailto:ann@example.org\r\nATTENDEE:MAILTO:Ann@example.org\r\n"
    let text = String(decoding: World.event("meeting", letter).bytes, as: UTF8.self)
    return ItemData(bytes: Array(text.replacing("END:VEVENT", with: people + "END:VEVENT").utf8))
  }

  @Test func `a meeting of its organizer alone counts where it has guests, or had some`() throws {
    let world = world()
    let file = Href("meeting.ics")
    world.local.put(file, alone("A"))
    #expect(try world.sync().invitations == 0)
    world.local.put(file, alone("B"))
    #expect(try world.sync().invitations == 0)
    world.local.put(file, World.meeting("meeting", "C"))
    #expect(try world.sync().invitations == 1)
    world.local.put(file, alone("D"))
    #expect(try world.sync().invitations == 1, "the guest is told that he is none any more")
    world.local.remove(file)
    let report = try world.sync()
    #expect(report.pushed.deleted == 1 && report.invitations == 0 && report.cancellations == 0)
  }

  /// Both sides in step, and a change here that the server has not got yet.
  private func changed(to letter: Character) throws -> World {
    let world = world()
    let file = Href("meeting.ics")
    if letter == "A" { world.local.remove(file) }
    _ = try world.sync()
    if letter == "-" {
      world.local.remove(file)
    } else {
      world.local.put(file, World.meeting("meeting", letter))
    }
    return world
  }

  /// A run has some ten effects before it writes to the server.
  private static let mostEffects = 50

  @Test(arguments: ["A", "B", "-"] as [Character])
  func `what a run sent that was killed over it is told by the next one`(letter: Character) throws {
    for number in 1...Self.mostEffects {
      let world = try changed(to: letter)
      world.fuse.stop(at: world.fuse.effects + number, .after)
      _ = try world.sync()
      world.fuse.replace()
      // The first such effect is the write itself.
      guard world.letter("meeting", on: .remote) == letter else { continue }
      let next = try world.sync()
      #expect(next.pushed.total == 0 && next.invitations == 1)
      #expect(next.cancellations == (letter == "-" ? 1 : 0))
      #expect(try world.sync().invitations == 0)
      return
    }
    Issue.record("it was not sent")
  }
}
