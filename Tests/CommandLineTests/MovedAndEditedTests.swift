import Foundation
import TestSupport
import Testing

/// What was moved between the folders of two calendars here, and edited on the server before the
/// next sync.
@Suite struct MovedAndEditedTests {
  private static let old = ModelServer.homePath + "private/"
  private static let new = ModelServer.homePath + "work/"

  private let pair: TwoCalendars

  init() throws { pair = try TwoCalendars() }

  private var calgw: CommandLine { pair.calgw }
  private var model: ModelServer { pair.model }

  private let meeting = event("review", "Review").replacing(
    "END:VEVENT",
    with: "ORGANIZER:mailto:anna@example.org\r\nATTENDEE:mailto:b@example.org\r\nEND:VEVENT")

  /// Moves an event here and edits it there.
  private func fill(_ text: String = event("review", "Review"), keys: String = "") async throws {
    try pair.configure(keys)
    try calgw.write("calendars/private/review.ics", text)
    try calgw.write("calendars/private/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/work/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("move", "review", "p/work").status == 0)
    let there = try #require(
      model.items(in: Self.old).first {
        String(decoding: $0.value, as: UTF8.self).contains("UID:review")
      })
    let edited = String(decoding: there.value, as: UTF8.self)
      .replacing("SUMMARY:Review", with: "SUMMARY:Second review")
    model.put(there.key, Array(edited.utf8), in: Self.old)
    model.forgetRequests()
  }

  private var writes: [String] {
    model.requests.map(\.method).filter { ["PUT", "DELETE", "MOVE"].contains($0) }
  }

  /// On the server, in the new calendar.
  private var there: [String] {
    model.items(in: Self.new).values.map { String(decoding: $0, as: UTF8.self) }
  }

  private func file(_ name: String) throws -> String {
    try String(contentsOfFile: "\(calgw.home)/calendars/\(name)/review.ics", encoding: .utf8)
  }

  private func expectOnce(
    _ lines: [String], at place: SourceLocation = #_sourceLocation
  ) async throws {
    let before = writes
    let quiet = try await calgw("sync")
    #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)", sourceLocation: place)
    #expect(writes == before, sourceLocation: place)
    #expect(pair.counts("private", "work") == [1, 2], sourceLocation: place)
    let here = try file("work")
    for line in lines {
      #expect(here.contains(line), "\(here)", sourceLocation: place)
      #expect(there.contains { $0.contains(line) }, "\(there)", sourceLocation: place)
    }
    let former = "\(calgw.home)/calendars/private/review.ics"
    #expect(!FileManager.default.fileExists(atPath: former), sourceLocation: place)
  }

  @Test(arguments: ["merge", "newest", "local", "remote", "ask"])
  func `goes with that edit, whatever the policy`(policy: String) async throws {
    try await fill(keys: "conflict = \"\(policy)\"\n")
    let dry = try await calgw("sync", "--dry-run")
    #expect(dry.status == 0 && dry.errors.isEmpty, "\(dry.errors)")
    #expect(dry.output.contains("p/private: up: 1 deleted"), "\(dry.output)")
    #expect(dry.output.contains("p/work: up: 1 new"), "\(dry.output)")
    #expect(writes.isEmpty)
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(run.output.contains("p/private: up: 1 deleted"), "\(run.output)")
    #expect(writes == ["MOVE"])
    try await expectOnce(["SUMMARY:Second review"])
  }

  /// What both sides shared in the old calendar is the base of it.
  @Test func `is merged with what was edited here as well`() async throws {
    try await fill()
    try calgw.write(
      "calendars/work/review.ics",
      event("review", "Review").replacing("END:VEVENT", with: "LOCATION:Hall\r\nEND:VEVENT"))
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE", "PUT"])
    try await expectOnce(["SUMMARY:Second review", "LOCATION:Hall"])
  }

  @Test func `and nobody is invited to a meeting once more`() async throws {
    try await fill(meeting, keys: "invitations = \"server\"\n")
    let mails = model.mails
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE"] && model.mails == mails)
    try await expectOnce(["SUMMARY:Second review"])
  }

  @Test func `also where the run ends right after it was moved`() async throws {
    try await fill()
    let hasMoved = Switch()
    model.interfere { request in
      defer { if request.method == "MOVE" { hasMoved.turn(true) } }
      return hasMoved.isOn ? .answer(500) : nil
    }
    #expect(try await calgw("sync").status != 0)
    model.interfere(nil)
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(writes == ["MOVE"])
    try await expectOnce(["SUMMARY:Second review"])
  }

  /// Brought back by it, the event would be in both calendars.
  @Test func `waits in a run over the old calendar alone`() async throws {
    try await fill()
    let alone = try await calgw("sync", "p/private")
    #expect(alone.status == 0, "\(alone.output) \(alone.errors)")
    #expect(alone.errors.contains("\"Second review\" was moved out of p/private, and stays there"))
    #expect(writes.isEmpty)
    #expect(try await calgw("sync").status == 0)
    #expect(writes == ["MOVE"])
    try await expectOnce(["SUMMARY:Second review"])
  }

  @Test func `waits where the server fails to move it, and only then`() async throws {
    try await fill()
    model.change { $0.moveRefusal = 500 }
    let run = try await calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("the server failed to move it"), "\(run.errors)")
    #expect(writes == ["MOVE"] && pair.counts("private", "work") == [2, 1])
    model.change { $0.moveRefusal = nil }
    #expect(try await calgw("sync").status == 0)
    #expect(writes == ["MOVE", "MOVE"])
    try await expectOnce(["SUMMARY:Second review"])
  }

  /// The edit outlives the move as it does a deletion.
  @Test(arguments: [403, 405])
  func `is in both calendars where the server does not move it, and that is said`(
    status: Int
  ) async throws {
    try await fill()
    model.change { $0.moveRefusal = status }
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("it is in p/work, too, without it"), "\(run.errors)")
    #expect(writes == ["MOVE", "PUT"] && pair.counts("private", "work") == [2, 2])
    #expect(try file("private").contains("SUMMARY:Second review"))
    #expect(try file("work").contains("SUMMARY:Review"))
  }
}
