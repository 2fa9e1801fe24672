import Foundation
import TestSupport
import Testing

/// A meeting is moved to another calendar of a server that tells its attendees, and that does not
/// know how to move: to delete it where it was calls it off, whatever the client says (RFC 6638
/// §3.2.1, §8.1).
@Suite struct MoveMeetingTests {
  private let pair: TwoCalendars

  init() throws {
    pair = try TwoCalendars { switches in
      switches.givesScheduleTags = true
      switches.moveRefusal = 403
    }
  }

  private var calgw: CommandLine { pair.calgw }
  private var server: ScriptedServer { pair.server }

  private let meeting = event("review", "Review").replacing(
    "END:VEVENT",
    with: "ORGANIZER:mailto:anna@example.org\r\nATTENDEE:mailto:bernd@example.org\r\nEND:VEVENT")

  private func configure(_ invitations: String) throws {
    try pair.configure("invitations = \"\(invitations)\"\n")
  }

  private func counts() -> [Int] { pair.counts("private", "work") }

  private var deletions: Int { server.requests.count { $0.method == "DELETE" } }

  @Test func `it stays where no mail is to be sent, and goes with a word where it may`()
    async throws
  {
    try configure("never")
    pair.model.put("review.ics", meeting, in: ModelServer.homePath + "private/")
    try calgw.write("calendars/private/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/work/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("move", "review", "p/work").status == 0)
    for isAsked in [true, false] {
      let before = server.requests.count
      let run = try await calgw("sync")
      let asked = Set(server.requests.dropFirst(before).map(\.method))
      #expect(asked.isSuperset(of: ["MOVE", "OPTIONS"]) == isAsked, "\(asked)")
      #expect(asked.isDisjoint(with: ["MOVE", "OPTIONS"]) == !isAsked, "\(asked)")
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.errors.contains("would call the meeting off"), "\(run.errors)")
      #expect(counts() == [2, 1] && deletions == 0)
    }
    try configure("server")
    let last = try await calgw("sync")
    #expect(last.status == 0, "\(last.output) \(last.errors)")
    #expect(last.errors.contains("and cancellations or refusals of 1 item"), "\(last.errors)")
    #expect(counts() == [1, 2] && deletions == 1)
  }

  /// What passes is no reason to call it off. What lasts would keep it where it is for ever.
  @Test(arguments: [true, false], [423, 500])
  func `it waits where the server fails to move it, and goes the long way where that lasts`(
    lasts: Bool, status: Int
  ) async throws {
    try configure("server")
    pair.model.put("review.ics", meeting, in: ModelServer.homePath + "private/")
    try calgw.write("calendars/private/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/work/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("move", "review", "p/work").status == 0)
    pair.model.change { $0.moveRefusal = status }
    let run = try await calgw("sync")
    #expect(run.status == 1, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("the server failed to move it"), "\(run.errors)")
    #expect(counts() == [2, 1] && deletions == 0)
    if !lasts { pair.model.change { $0.moveRefusal = nil } }
    let last = try await calgw("sync")
    #expect(last.status == 0, "\(last.output) \(last.errors)")
    #expect(counts() == [1, 2] && deletions == (lasts ? 1 : 0))
    #expect(last.errors.contains("cancellations") == lasts, "\(last.errors)")
  }

  /// Who sent it has told the server that it is no business of its own.
  @Test func `it goes where the server was told to send nothing for it`() async throws {
    try configure("never")
    try calgw.write("calendars/private/review.ics", meeting)
    try calgw.write("calendars/private/gym.ics", event("gym", "Gym"))
    try calgw.write("calendars/work/choir.ics", event("choir", "Choir"))
    #expect(try await calgw("sync").status == 0)
    #expect(try await calgw("move", "review", "p/work").status == 0)
    let run = try await calgw("sync")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.output) \(run.errors)")
    #expect(counts() == [1, 2])
  }
}
