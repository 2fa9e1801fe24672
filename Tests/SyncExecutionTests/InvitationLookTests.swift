import SyncExecution
import SyncModel
import TestSupport
import Testing

/// What a look says of items with attendees that wait for a yes, against what a sync says.
@Suite struct InvitationLookTests {
  /// A folder with a meeting and an event, before its first sync with a server that sends mail.
  private func world() -> World {
    var traits = World.serverTraits
    traits.mayNotify = true
    let world = World(remoteTraits: traits)
    world.local.put(Href("meeting.ics"), World.meeting("meeting"))
    world.set("gym", Character("A"), on: .local)
    return world
  }

  /// Looks, then syncs: both name the same items, for the same reason.
  private func expectSame(
    _ world: World, _ answer: InvitationConsent.Answer, waiting: [String],
    at place: SourceLocation = #_sourceLocation
  ) throws {
    var options = SyncOptions()
    options.invitations.answer = answer
    let look = CollectionSync(
      name: "test", local: world.local, remote: world.remote,
      journal: MemoryJournal(world.journal.state), surroundings: world.surroundings,
      digest: sha256, options: options)
    let items = try world.executor.run { try await look.inspect([.local, .remote]).get() }
    let problems = items.filter { $0.problem != nil }
    let report = try world.sync { $0.invitations.answer = answer }
    #expect(problems.map(\.item.uid) == waiting.map { ItemID($0) }, sourceLocation: place)
    #expect(
      problems.compactMap(\.problem) == report.problems.map(\.problem), sourceLocation: place)
    #expect(
      problems.map(\.item.uid) == report.problems.map(\.item.uid), sourceLocation: place)
  }

  @Test func `before a first sync they wait where a person would be asked, and only there`() throws
  {
    try expectSame(world(), .asked { _ in false }, waiting: ["meeting"])
    try expectSame(world(), .nobody, waiting: [])
    try expectSame(world(), .given, waiting: [])
  }

  @Test func `after the journal was lost they wait, whoever looks`() throws {
    for answer in [InvitationConsent.Answer.nobody, .asked { _ in false }, .given] {
      let world = world()
      _ = try world.sync()
      world.local.put(Href("new.ics"), World.meeting("new"))
      world.set("walk", Character("A"), on: .local)
      var waiting = ["new"]
      if case .given = answer { waiting = [] }
      try expectSame(World(withoutJournalOf: world), answer, waiting: waiting)
    }
  }

  @Test func `once the sides were in step nothing waits`() throws {
    let world = world()
    _ = try world.sync()
    world.local.put(Href("new.ics"), World.meeting("new"))
    try expectSame(world, .asked { _ in false }, waiting: [])
  }
}
