import Foundation
import TestSupport
import Testing

/// `invitations`: what a server is told of a meeting that a person has in the folder.
@Suite struct InvitationsTests {
  private static let agent = ";SCHEDULE-AGENT=CLIENT"

  /// Folded and quoted as calgw would not do it.
  private func meeting(_ title: String) -> String {
    let people = [
      "ORGANIZER;CN=Anna:mailto:anna@example.org", "ATTENDEE;CN=\"Bernd Huber\";",
      " PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:", " bernd@example.org", "END:VEVENT",
    ]
    return event("review", title).replacing("END:VEVENT", with: people.joined(separator: "\r\n"))
  }

  private func world(_ keys: String) throws -> FolderAndCalendar {
    var switches = ModelSwitches()
    switches.givesScheduleTags = true
    let world = try FolderAndCalendar(switches: switches)
    try world.configure(keys)
    return world
  }

  /// The request that wrote the meeting.
  private func upload(_ sync: FolderAndCalendar.Sync) throws -> ReceivedRequest {
    try #require(
      sync.writes.first { String(decoding: $0.body, as: UTF8.self).contains("UID:review") })
  }

  /// What went over the wire, its lines unfolded.
  private func wire(_ request: ReceivedRequest) -> String {
    String(decoding: request.body, as: UTF8.self).replacing("\r\n ", with: "")
  }

  /// A meeting that the server deleted while the journal was lost looks like a new one.
  private func forgetful() async throws -> FolderAndCalendar {
    let world = try world("")
    try world.write("gym.ics", event("gym", "Gym"))
    _ = try await world.sync()
    try world.write("review.ics", meeting("Review"))
    try world.write("walk.ics", event("walk", "Walk"))
    try FileManager.default.removeItem(atPath: world.calgw.home + "/state")
    return world
  }

  @Test func `after the journal was lost, a meeting waits until the configuration says yes`()
    async throws
  {
    let world = try await forgetful()
    for _ in 0..<2 {
      let run = try await world.calgw("sync")
      #expect(run.status == 1)
      #expect(run.errors.contains("\"Review\" (review.ics)"), "\(run.errors)")
      #expect(run.errors.contains("set invitations = \"server\""), "\(run.errors)")
      #expect(!run.errors.contains("may have sent invitations"), "\(run.errors)")
      #expect(world.there() == ["gym", "walk"])
      let status = try await world.calgw("status")
      #expect(status.output.contains("nobody said yes to that"), "\(status.output)")
    }
    try world.configure("invitations = \"server\"")
    let status = try await world.calgw("status")
    #expect(status.output.contains("created on the local side"), "\(status.output)")
    #expect(!status.output.contains("problem"), "\(status.output)")
    let last = try await world.sync()
    #expect(last.run.errors.contains("the server may have sent invitations or updates for 1 item"))
    #expect(world.there() == ["gym", "review", "walk"])
  }

  @Test func `what waits goes along with a folder that is renamed`() async throws {
    let world = try await forgetful()
    #expect(try await world.calgw("pull").status == 0)
    let calendars = world.calgw.home + "/calendars/"
    try FileManager.default.moveItem(atPath: calendars + "work", toPath: calendars + "office")
    let run = try await world.calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("\"Review\" (review.ics)"), "\(run.errors)")
    #expect(run.errors.contains("where: p/office"), "\(run.errors)")
    #expect(world.there() == ["gym", "walk"])
  }

  @Test func `with never the wire alone says that the client invites`() async throws {
    let world = try world("invitations = \"never\"")
    let gym = event("gym", "Gym")
    var text = meeting("Review")
    try world.write("gym.ics", gym)
    try world.write("review.ics", text)
    let first = try await world.sync()
    #expect(first.run.output == "p/work: up: 2 new\n")
    #expect(first.run.errors.isEmpty, "\(first.run.errors)")
    #expect(first.writes.count == 2)
    let sent = wire(try upload(first))
    #expect(sent.components(separatedBy: Self.agent).count == 3, "\(sent)")
    #expect(sent.contains("RSVP=TRUE\(Self.agent):mailto:bernd@example.org\r\n"), "\(sent)")
    #expect(first.writes.contains { $0.body == Array(gym.utf8) })
    #expect(world.text("review.ics") == text)
    try await world.expectQuiet()

    text = meeting("Second review")
    try world.write("review.ics", text)
    let second = try await world.sync()
    let edit = try upload(second)
    #expect(second.writes.count == 1)
    #expect(wire(edit).components(separatedBy: Self.agent).count == 3)
    // The guard is of what is on the server, which no file ever was.
    #expect(edit.header("If-Schedule-Tag-Match")?.hasPrefix("\"s") == true)
    #expect(second.run.errors.isEmpty, "\(second.run.errors)")
    #expect(world.text("review.ics") == text)
    try await world.expectQuiet()
  }

  @Test func `with never what others change comes without the word, and a deletion is silent`()
    async throws
  {
    let world = try world("invitations = \"never\"")
    try world.write("gym.ics", event("gym", "Gym"))
    try world.write("review.ics", meeting("Review"))
    let address = try upload(try await world.sync()).target
    let name = ModelServer.name(ofPath: Array(address.utf8))
    let there = try #require(world.model.data(name, in: FolderAndCalendar.path))
    let changed = String(decoding: there, as: UTF8.self)
      .replacing("SUMMARY:Review", with: "SUMMARY:Third review")
    #expect(changed.contains("SUMMARY:Third review"))
    world.model.put(name, Array(changed.utf8), in: FolderAndCalendar.path)
    let third = try await world.sync()
    #expect(third.run.output == "p/work: down: 1 changed\n")
    #expect(third.writes.isEmpty)
    let text = try #require(world.text("review.ics"))
    #expect(text.contains("SUMMARY:Third review") && text.contains("ATTENDEE;CN="), "\(text)")
    #expect(!text.contains("SCHEDULE-AGENT"), "\(text)")

    try world.remove("review.ics")
    let last = try await world.sync()
    #expect(last.writes.map(\.method) == ["DELETE"])
    #expect(last.writes.first?.target == address)
    #expect(last.writes.first?.header("Schedule-Reply") == "F")
    #expect(last.run.errors.isEmpty, "\(last.run.errors)")
    #expect(world.there() == ["gym"])
  }

  /// Without a terminal nobody is asked, and a pair that says nothing is as one that says server.
  @Test(arguments: ["invitations = \"server\"", ""])
  func `else the server gets the very bytes, and the run says that it may have sent mail`(
    keys: String
  ) async throws {
    let world = try world(keys)
    let note = "the server may have sent invitations or updates for 1 item"
    let text = meeting("Review")
    try world.write("gym.ics", event("gym", "Gym"))
    try world.write("review.ics", text)
    let first = try await world.sync()
    #expect(try upload(first).body == Array(text.utf8))
    #expect(first.run.errors.contains(note), "\(first.run.errors)")
    #expect(world.text("review.ics") == text)
    try await world.expectQuiet()

    try world.remove("review.ics")
    let last = try await world.sync()
    #expect(last.writes.map(\.method) == ["DELETE"])
    // To decline an invitation is for who asks for it.
    let isAsked = !keys.isEmpty
    #expect(last.writes.first?.header("Schedule-Reply") == (isAsked ? nil : "F"))
    let kinds = isAsked ? "cancellations or refusals of 1 item" : "cancellations of 1 item, where"
    let cancellation = "the server may have sent \(kinds)"
    #expect(last.run.errors.contains(cancellation), "\(last.run.errors)")
    #expect(world.there() == ["gym"])
  }

  @Test func `of several that are deleted those may be called off that a person organizes`()
    async throws
  {
    let world = try world("")
    for uid in ["one", "other"] {
      try world.write("\(uid).ics", meeting("Review").replacing("UID:review", with: "UID:\(uid)"))
    }
    for uid in ["gym", "walk", "swim"] { try world.write("\(uid).ics", event(uid, "Sport")) }
    _ = try await world.sync()
    for uid in ["one", "other"] { try world.remove("\(uid).ics") }
    let run = try await world.sync()
    #expect(run.writes.map(\.method) == ["DELETE", "DELETE"])
    let words = "may have sent cancellations of up to 2 items, where you organize them ("
    #expect(run.run.errors.contains(words), "\(run.run.errors)")
  }

  @Test func `of a meeting of the organizer alone nobody is told`() async throws {
    let world = try world("")
    let alone = meeting("Focus").replacing("bernd@example.org", with: "Anna@example.org")
    try world.write("gym.ics", event("gym", "Gym"))
    try world.write("review.ics", alone)
    #expect(try await world.sync().run.errors.isEmpty)
    #expect(world.there() == ["gym", "review"])
    try world.write("review.ics", meeting("Focus"))
    let second = try await world.sync()
    #expect(second.run.errors.contains("invitations or updates for 1 item"), "\(second.run.errors)")
    // Who is taken off the list is told so.
    try world.write("review.ics", alone)
    let third = try await world.sync()
    #expect(third.run.errors.contains("invitations or updates for 1 item"), "\(third.run.errors)")
    try world.remove("review.ics")
    let last = try await world.sync()
    #expect(last.writes.map(\.method) == ["DELETE"])
    #expect(last.run.errors.isEmpty, "\(last.run.errors)")
  }

  @Test(arguments: [("", 1), ("invitations = \"never\"", 0)])
  func `a run's JSON says for how many items the server may have sent mail`(
    keys: String, count: Int
  ) async throws {
    let world = try world(keys)
    try world.write("gym.ics", event("gym", "Gym"))
    try world.write("review.ics", meeting("Review"))
    let runs: [([String], Int)] = [(["--dry-run"], 0), ([], count), ([], 0)]
    for (options, expected) in runs {
      let run = try await world.calgw.run(["sync", "--json"] + options)
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(run.output.contains(#""invitations":\#(expected),"#), "\(run.output)")
    }
    #expect(world.there() == ["gym", "review"])
  }
}
