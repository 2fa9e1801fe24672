import SyncExecution
import SyncModel
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

  private func meeting(_ uid: String, _ title: String = "A") -> ItemData {
    let text = String(decoding: World.event(uid, Character(title)).bytes, as: UTF8.self)
    return ItemData(
      bytes: Array(
        text.replacing(
          "END:VEVENT",
          with: "ORGANIZER:mailto:a@example.org\r\nATTENDEE:mailto:b@example.org\r\nEND:VEVENT"
        ).utf8))
  }

  /// A folder with a meeting and an event, before its first sync.
  private func world() -> World {
    let world = World(remoteTraits: Self.serverTraits)
    world.local.put(Href("meeting.ics"), meeting("meeting"))
    world.set("gym", "A", on: .local)
    return world
  }

  @Test func `before a first sync sends meetings, a person is asked once, for all of them`() throws
  {
    let world = world()
    world.local.put(Href("other.ics"), meeting("other"))
    let asked = Mutex<[Int]>([])
    let refused = try world.sync { options in
      options.confirmInvitations = { count in
        asked.withLock { $0.append(count) }
        return false
      }
    }
    #expect(asked.withLock { $0 } == [2])
    #expect(refused.pushed.created == 1 && refused.invitations == 0)
    #expect(refused.problems.count == 2)
    #expect(world.letter("meeting", on: .remote) == "-")
    #expect(world.letter("gym", on: .remote) == "A")

    // A later run that cannot ask holds them back; one that can asks again.
    let held = refused.heldInvitations
    #expect(held == [ItemID("meeting"), ItemID("other")])
    let later = try world.sync { $0.heldInvitations = held }
    #expect(later.problems.count == 2 && later.heldInvitations == held)
    #expect(world.letter("meeting", on: .remote) == "-")
    let agreed = try world.sync { options in
      options.heldInvitations = held
      options.confirmInvitations = { _ in true }
    }
    #expect(agreed.problems.isEmpty && agreed.heldInvitations.isEmpty && agreed.invitations == 2)
    #expect(world.letter("meeting", on: .remote) == "A")
  }

  @Test func `who says yes, or cannot be asked, sends them, and is told how many`() throws {
    for confirm in [{ @Sendable (_: Int) in true }, nil] {
      let world = world()
      let report = try world.sync { options in
        options.confirmInvitations = confirm.map { yes in { @Sendable in yes($0) } }
      }
      #expect(report.problems.isEmpty && report.invitations == 1)
      #expect(world.letter("meeting", on: .remote) == "A")
    }
  }

  @Test func `once the sides were in step, what a person makes goes without a question`() throws {
    let world = world()
    _ = try world.sync()
    world.local.put(Href("new.ics"), meeting("new"))
    let report = try world.sync { $0.confirmInvitations = { _ in false } }
    #expect(report.problems.isEmpty && report.invitations == 1)
    #expect(world.letter("new", on: .remote) == "A")
  }

  @Test func `a changed meeting counts, and so does a deleted one, but nothing else`() throws {
    let world = world()
    _ = try world.sync()
    world.local.put(Href("meeting.ics"), meeting("meeting", "B"))
    world.set("gym", "B", on: .local)
    #expect(try world.sync().invitations == 1)
    world.local.remove(Href("meeting.ics"))
    let report = try world.sync()
    #expect(report.pushed.deleted == 1 && report.invitations == 1)
    #expect(try world.sync().invitations == 0)
  }
}
