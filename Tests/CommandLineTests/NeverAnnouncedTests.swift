import Foundation
import TestSupport
import Testing

/// `invitations = "never"` and a meeting of which the server tells people by itself: to make the
/// client its agent tells them that it is off, so nothing is written to it.
@Suite struct NeverAnnouncedTests {
  private static let people = [
    "ORGANIZER:mailto:anna@example.org",
    "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:bernd@example.org", "LOCATION:Room 1",
    "END:VEVENT",
  ]

  private let world: FolderAndCalendar

  /// The meeting was made on the server, and is in the folder.
  init() async throws {
    var switches = ModelSwitches()
    switches.givesScheduleTags = true
    world = try FolderAndCalendar(switches: switches)
    try world.configure("invitations = \"never\"")
    world.model.put("review.ics", Self.meeting("Review"), in: FolderAndCalendar.path)
    world.model.put("gym.ics", event("gym", "Gym"), in: FolderAndCalendar.path)
    _ = try await world.sync()
  }

  private static func meeting(_ title: String) -> String {
    event("review", title).replacing("END:VEVENT", with: people.joined(separator: "\r\n"))
  }

  private var onServer: String {
    let data = world.model.data(Array("review.ics".utf8), in: FolderAndCalendar.path)
    return String(decoding: data ?? [], as: UTF8.self)
  }

  /// Another program changes it there.
  private func changeThere(_ old: String, to new: String) {
    let text = onServer.replacing(old, with: new)
    #expect(text != onServer)
    world.model.put("review.ics", text, in: FolderAndCalendar.path)
  }

  /// Runs a sync that is to send nothing, and to say why.
  private func expectSilence(at place: SourceLocation = #_sourceLocation) async throws {
    let (before, text) = (world.server.requests.count, onServer)
    let run = try await world.calgw("sync")
    let methods = Set(world.server.requests.dropFirst(before).map(\.method))
    #expect(methods.isDisjoint(with: ["PUT", "DELETE"]), sourceLocation: place)
    #expect(run.status == 1, "\(run.output) \(run.errors)", sourceLocation: place)
    #expect(run.errors.contains("review.ics"), "\(run.errors)", sourceLocation: place)
    #expect(!run.errors.contains("may have sent"), "\(run.errors)", sourceLocation: place)
    #expect(onServer == text, sourceLocation: place)
  }

  @Test func `an edit waits, and is named, until the server may tell`() async throws {
    let edit = Self.meeting("Review with agenda")
    try world.write("review.ics", edit)
    try world.write("gym.ics", event("gym", "Gym at noon"))
    let first = try await world.calgw("sync")
    #expect(first.status == 1)
    #expect(first.errors.contains("invitations = \"server\""), "\(first.errors)")
    #expect(onServer == Self.meeting("Review"))
    for _ in 0..<2 { try await expectSilence() }
    let status = try await world.calgw("status")
    #expect(status.output.contains("forbids"), "\(status.output)")
    #expect(world.text("review.ics") == edit)

    try world.configure("invitations = \"server\"")
    let last = try await world.sync()
    #expect(last.writes.map(\.body) == [Array(edit.utf8)])
    #expect(last.run.errors.contains("may have sent invitations or updates for 1 item"))
  }

  @Test func `an edit that is made on the server instead is no trouble any more`() async throws {
    try world.write("review.ics", Self.meeting("Review with agenda"))
    try await expectSilence()
    changeThere("SUMMARY:Review", to: "SUMMARY:Review with agenda")
    #expect(try await world.sync().writes.isEmpty)
    try await world.expectQuiet()
  }

  @Test func `what changes there comes while an edit here waits`() async throws {
    try world.write("review.ics", Self.meeting("Review with agenda"))
    try await expectSilence()
    changeThere("LOCATION:Room 1", to: "LOCATION:Room 2")
    for _ in 0..<2 { try await expectSilence() }
    let text = try #require(world.text("review.ics"))
    #expect(text.contains("SUMMARY:Review with agenda") && text.contains("Room 2"), "\(text)")
  }

  @Test func `a meeting that is deleted there while an edit here waits goes there anew`()
    async throws
  {
    try world.write("review.ics", Self.meeting("Review with agenda"))
    try await expectSilence()
    world.model.remove(Array("review.ics".utf8), in: FolderAndCalendar.path)
    let run = try await world.sync()
    #expect(run.writes.count == 1)
    let sent = String(decoding: run.writes.first?.body ?? [], as: UTF8.self)
    #expect(sent.contains("SCHEDULE-AGENT=CLIENT"), "\(sent)")
    try await world.expectQuiet()
  }

  @Test func `that the server may have called a meeting off is said, and of no other one`()
    async throws
  {
    let folder = "\(world.calgw.home)/calendars/work/"
    try world.write("own.ics", Self.meeting("Own").replacing("UID:review", with: "UID:own"))
    _ = try await world.sync()
    try FileManager.default.removeItem(atPath: folder + "own.ics")
    let own = try await world.sync()
    #expect(own.writes.map(\.method) == ["DELETE"])
    #expect(!own.run.errors.contains("may have sent"), "\(own.run.errors)")
    try FileManager.default.removeItem(atPath: folder + "review.ics")
    let theirs = try await world.sync()
    #expect(theirs.writes.map(\.method) == ["DELETE"])
    let words = "may have sent cancellations of 1 item, where you organize it ("
    #expect(theirs.run.errors.contains(words), "\(theirs.run.errors)")
    #expect(theirs.run.errors.contains("is the server's own to tell of"), "\(theirs.run.errors)")
  }

  @Test func `of a merge the folder gets its half`() async throws {
    try world.write("review.ics", Self.meeting("Review with agenda"))
    changeThere("NEEDS-ACTION", to: "ACCEPTED")
    for _ in 0..<2 { try await expectSilence() }
    let text = try #require(world.text("review.ics"))
    #expect(text.contains("SUMMARY:Review with agenda") && text.contains("ACCEPTED"), "\(text)")
  }

  @Test func `after the journal was lost nobody is told of what others changed`() async throws {
    let text = try #require(world.text("review.ics"))
    changeThere("LOCATION:Room 1\r\n", to: "")
    try FileManager.default.removeItem(atPath: world.calgw.home + "/state")
    for _ in 0..<2 { try await expectSilence() }
    #expect(world.text("review.ics") == text)
  }
}
