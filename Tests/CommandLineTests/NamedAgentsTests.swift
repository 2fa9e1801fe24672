import Foundation
import TestSupport
import Testing

/// `invitations = "never"` and SCHEDULE-AGENT: what a person or another client wrote stays as it
/// is, also once the key is taken out, and what calgw has put on the wire goes (RFC 6638 §7.1).
@Suite struct NamedAgentsTests {
  private static let agent = ";SCHEDULE-AGENT=CLIENT"

  private let world: FolderAndCalendar

  init() throws {
    var switches = ModelSwitches()
    switches.givesScheduleTags = true
    world = try FolderAndCalendar(switches: switches)
    try world.configure("invitations = \"never\"")
    try world.write("gym.ics", event("gym", "Gym"))
  }

  private func meeting(_ title: String, _ organizer: String, _ attendees: [String]) -> String {
    let people = ["ORGANIZER\(organizer):mailto:anna@example.org"] + attendees + ["END:VEVENT"]
    return event("review", title).replacing("END:VEVENT", with: people.joined(separator: "\r\n"))
  }

  /// Cleo and Dan are not to be told by the server.
  private func excluding(_ title: String, organizer: String = "") -> String {
    meeting(
      title, organizer,
      [
        "ATTENDEE;SCHEDULE-AGENT=NONE:mailto:cleo@example.org",
        "ATTENDEE;schedule-agent=client:mailto:dan@example.org",
      ])
  }

  private func plain(_ title: String, agent: String = "") -> String {
    meeting(title, agent, ["ATTENDEE\(agent):mailto:bob@example.org"])
  }

  /// What a sync sends that has one thing to send.
  private func sent() async throws -> String {
    let sync = try await world.sync()
    #expect(sync.writes.count == 1)
    return String(decoding: try #require(sync.writes.first).body, as: UTF8.self)
  }

  @Test func `whom a file excludes is excluded on the server, with the key and without`()
    async throws
  {
    _ = try await world.sync()
    try world.write("review.ics", excluding("Review"))
    #expect(try await sent() == excluding("Review", organizer: Self.agent))
    #expect(world.text("review.ics") == excluding("Review"))
    try await world.expectQuiet()
    try world.configure()
    try world.write("review.ics", excluding("Second review"))
    #expect(try await sent() == excluding("Second review"))
    try await world.expectQuiet()
  }

  @Test func `what another client has stored with the word keeps it, with the key and without`()
    async throws
  {
    world.model.put("review.ics", plain("Review", agent: Self.agent), in: FolderAndCalendar.path)
    _ = try await world.sync()
    #expect(world.text("review.ics") == plain("Review", agent: Self.agent))
    for (keys, title) in [("invitations = \"never\"", "Second"), ("", "Third")] {
      try world.configure(keys)
      let edit = plain(title, agent: Self.agent)
      try world.write("review.ics", edit)
      #expect(try await sent() == edit)
      #expect(world.text("review.ics") == edit)
    }
  }

  @Test func `the word that another client adds later comes into the file`() async throws {
    world.model.put("review.ics", plain("Review"), in: FolderAndCalendar.path)
    _ = try await world.sync()
    #expect(world.text("review.ics") == plain("Review"))
    world.model.put("review.ics", plain("Review", agent: Self.agent), in: FolderAndCalendar.path)
    #expect(try await world.sync().writes.isEmpty)
    #expect(world.text("review.ics") == plain("Review", agent: Self.agent))
  }

  @Test func `calgw's own word goes with the next edit once the key is taken out`() async throws {
    _ = try await world.sync()
    try world.write("review.ics", plain("Review"))
    #expect(try await sent() == plain("Review", agent: Self.agent))
    try world.configure()
    try await world.expectQuiet()
    try world.write("review.ics", plain("Second review"))
    #expect(try await sent() == plain("Second review"))
  }

  /// As by an address that the account has on that server alone.
  @Test func `so it does on an organizer whom the server names otherwise`() async throws {
    let other = "mailto:anna.b@example.net"
    _ = try await world.sync()
    try world.write("review.ics", plain("Review"))
    let there = try await sent().replacing("mailto:anna@example.org", with: other)
    let name = try #require(
      world.model.items(in: FolderAndCalendar.path).first { _, data in
        String(decoding: data, as: UTF8.self).contains("UID:review")
      }?.key)
    world.model.put(name, Array(there.utf8), in: FolderAndCalendar.path)
    #expect(try await world.sync().writes.isEmpty)
    let here = plain("Review").replacing("mailto:anna@example.org", with: other)
    #expect(world.text("review.ics") == here)
    try world.configure()
    try await world.expectQuiet()
    let edit = here.replacing("SUMMARY:Review", with: "SUMMARY:Second review")
    try world.write("review.ics", edit)
    #expect(try await sent() == edit)
  }

  /// Nothing says any more whose word it is: nobody gets mail then.
  @Test func `after the journal was lost no file changes, and the word stays on the server`()
    async throws
  {
    _ = try await world.sync()
    try world.write("review.ics", plain("Review"))
    _ = try await world.sync()
    try FileManager.default.removeItem(atPath: world.calgw.home + "/state")
    #expect(try await world.sync().writes.isEmpty)
    #expect(world.text("review.ics") == plain("Review"))
    try await world.expectQuiet()
    try world.configure()
    try world.write("review.ics", plain("Second review"))
    let text = try await sent()
    #expect(text.contains("SUMMARY:Second review"), "\(text)")
    #expect(text.components(separatedBy: Self.agent).count == 3, "\(text)")
    #expect(world.text("review.ics") == plain("Second review"))
  }
}
