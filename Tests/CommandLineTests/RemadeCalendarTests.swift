import Foundation
import TestSupport
import Testing

/// A calendar that was deleted on its server, as a run has told, and is made again there.
@Suite struct RemadeCalendarTests {
  private static let path = FolderAndCalendar.path
  private let world: FolderAndCalendar

  init() throws { world = try FolderAndCalendar() }

  /// It has some items then, of those that both sides had.
  private func remake(_ items: [(uid: String, text: String)], with uids: Set<String>) async throws {
    for (uid, text) in items { world.model.put("\(uid).ics", text, in: Self.path) }
    _ = try await world.sync()
    world.model.removeCalendar(Self.path)
    let gone = try await world.calgw("sync")
    #expect(gone.status == 1 && gone.errors.contains("[collection-gone]"), "\(gone.errors)")
    world.model.makeCalendar("work")
    for (uid, text) in items where uids.contains(uid) {
      world.model.put("\(uid).ics", text, in: Self.path)
    }
  }

  @Test func `what it lacks is not deleted here, and goes there again`() async throws {
    try await remake(["a", "b", "c", "d"].map { ($0, event($0, $0)) }, with: ["a"])
    world.model.put("new.ics", event("new", "New"), in: Self.path)
    let counts = "p/work: down: 1 new; up: 3 new\n"
    let plan = try await world.calgw("sync", "--dry-run")
    #expect(plan.output.contains("up: 3 new"), "\(plan.output)")
    let sync = try await world.sync()
    #expect(sync.run.output == counts)
    #expect(sync.run.errors.contains("what it lacks (3) is"), "\(sync.run.errors)")
    #expect(try world.here() == ["a", "b", "c", "d", "new"])
    #expect(world.there() == ["a", "b", "c", "d", "new"])
    try await world.expectQuiet()
    // From now on it counts as any other.
    world.model.remove(Array("new.ics".utf8), in: Self.path)
    #expect(try await world.sync().run.output == "p/work: down: 1 deleted\n")
  }

  @Test func `an edit here goes on from what both shared`() async throws {
    try await remake(["a", "b"].map { ($0, event($0, $0)) }, with: ["a"])
    try world.write("a.ics", event("a", "Sports"))
    try world.write("b.ics", event("b", "Choir"))
    #expect(try await world.sync().run.output == "p/work: up: 1 new, 1 changed\n")
    try await world.expectQuiet()
  }

  @Test func `nobody is invited anew without a yes`() async throws {
    let meeting = event("b", "b").replacing(
      "END:VEVENT",
      with: "ORGANIZER:mailto:anna@example.org\r\nATTENDEE:mailto:b@example.org\r\nEND:VEVENT")
    try await remake([("a", event("a", "a")), ("b", meeting)], with: ["a"])
    for _ in 0..<2 {
      let sync = try await world.sync(status: 1)
      #expect(sync.writes.isEmpty)
      #expect(sync.run.errors.contains("nobody said yes to that"), "\(sync.run.errors)")
      #expect(try world.here() == ["a", "b"])
    }
    try world.configure("invitations = \"server\"")
    #expect(try await world.sync().run.output == "p/work: up: 1 new\n")
    #expect(world.there() == ["a", "b"])
  }

  @Test func `what it lacks is not deleted here where the folder was renamed meanwhile`()
    async throws
  {
    for uid in ["a", "b"] { world.model.put("\(uid).ics", event(uid, uid), in: Self.path) }
    _ = try await world.sync()
    world.model.removeCalendar(Self.path)
    let gone = try await world.calgw("sync")
    #expect(gone.status == 1 && gone.errors.contains("[collection-gone]"), "\(gone.errors)")
    try FileManager.default.moveItem(
      atPath: world.calgw.home + "/calendars/work", toPath: world.calgw.home + "/calendars/job")
    world.model.makeCalendar("work")
    let sync = try await world.sync()
    #expect(sync.run.output.contains("p/job: up: 2 new"), "\(sync.run.output)")
    #expect(sync.run.errors.contains("what it lacks (2) is"), "\(sync.run.errors)")
    #expect(world.there() == ["a", "b"])
    #expect(try world.folders() == ["job"])
    // From now on it counts as any other.
    let name = try #require(world.model.names(in: Self.path).first)
    world.model.remove(name, in: Self.path)
    #expect(try await world.sync().run.output == "p/job: down: 1 deleted\n")
  }

  // MARK: Made anew by calgw itself

  /// Two items in step; then the calendar vanishes, and the account's URL is another one of the
  /// same server before a run has seen that: to that URL the calendar is new.
  private func loseUnseen() async throws {
    for uid in ["a", "b"] { world.model.put("\(uid).ics", event(uid, uid), in: Self.path) }
    _ = try await world.sync()
    world.model.removeCalendar(Self.path)
    try world.calgw.configure(server: world.server.url + ModelServer.homePath.dropFirst())
  }

  @Test func `one that a run makes at its former address starts anew`() async throws {
    try await loseUnseen()
    let plan = try await world.calgw("sync", "--dry-run")
    #expect(plan.output.contains("up: 2 new"), "\(plan.output)")
    let sync = try await world.sync()
    #expect(sync.run.output.contains("made the calendar"), "\(sync.run.output)")
    #expect(sync.run.output.contains("up: 2 new"), "\(sync.run.output)")
    #expect(sync.run.errors.contains("p/work was gone and is there anew"), "\(sync.run.errors)")
    #expect(try world.here() == ["a", "b"])
    #expect(world.there() == ["a", "b"])
    try await world.expectQuiet()
  }

  /// Nobody can say that it was not made all the same, as where the run ends amid that.
  @Test func `one that a run has begun to make deletes nothing when it is there`() async throws {
    try await loseUnseen()
    world.model.interfere { $0.method.hasPrefix("MK") ? .answer(500) : nil }
    #expect(try await world.calgw("sync").status == 76)
    world.model.interfere(nil)
    world.model.makeCalendar("work")
    let sync = try await world.sync()
    #expect(sync.run.output == "p/work: up: 2 new\n", "\(sync.run.output)")
    #expect(sync.run.errors.contains("what it lacks (2) is"), "\(sync.run.errors)")
    #expect(try world.here() == ["a", "b"])
    #expect(world.there() == ["a", "b"])
  }
}
