import SyncExecution
import SyncModel
import SyncPlanning
import TestSupport
import Testing

/// A meeting is sent to the server only because a person made or changed it: the server may tell
/// every attendee of a write.
@Suite struct InviteSilenceTests {
  /// A meeting that both sides have, and what the server has got of it meanwhile.
  private func met(_ here: String, _ there: String) async throws -> ModelPair {
    let pair = ModelPair()
    pair.putFile("m", here)
    try await pair.sync()
    pair.putRemote("m", there)
    pair.server.forgetRequests()
    return pair
  }

  private let meeting = ModelPair.meeting("m", "Choir")

  @Test func `after the journal was lost, what servers drop by habit is no reason to write`()
    async throws
  {
    let own = meeting.replacing("END:VEVENT", with: "X-KEEP:this\r\nEND:VEVENT")
    let pair = try await met(own, meeting)
    let mails = pair.server.mails
    let journal = MemoryJournal()
    for _ in 0..<2 {
      let report = try await pair.sync(with: journal)
      #expect(report.conflicts.isEmpty && report.problems.isEmpty)
    }
    #expect(pair.server.mails == mails && pair.server.count("PUT") == 0)
    #expect(pair.files("m") == [own], "the folder keeps it")
    pair.putFile("m", own.replacing("Choir", with: "Opera"))
    try await pair.sync(with: journal)
    #expect(pair.summaries("m") == "Opera|Opera")
    #expect(pair.server.mails == mails + 1, "a person's edit is sent")
  }

  @Test func `after the journal was lost, an edit there comes and nothing is sent`() async throws {
    let pair = try await met(meeting, ModelPair.meeting("m", "Choir", answer: "ACCEPTED"))
    let mails = pair.server.mails
    try await pair.sync(with: MemoryJournal())
    #expect(pair.files("m").first?.contains("PARTSTAT=ACCEPTED") == true)
    #expect(pair.server.mails == mails && pair.server.count("PUT") == 0)
  }

  @Test(arguments: ["LOCATION:Room 4", "PRIORITY:5", "BEGIN:VALARM\r\nTRIGGER:PT0S\r\nEND:VALARM"])
  func `after the journal was lost, what may be an edit here waits for a word`(lines: String)
    async throws
  {
    let own = meeting.replacing("END:VEVENT", with: "\(lines)\r\nEND:VEVENT")
    let pair = try await met(own, meeting)
    let journal = MemoryJournal()
    let report = try await pair.sync(with: journal)
    #expect(report.conflicts.map(\.reason) == [.neverAgreed])
    #expect(pair.server.count("PUT") == 0)
    #expect(pair.files("m") == [own])
    let settled = try await pair.resolve("m", taking: .merged, with: journal)
    #expect(settled.conflicts.isEmpty && settled.failure == nil)
    #expect(pair.server.count("PUT") == 1, "a person asked for it")
  }

  @Test(arguments: [ConflictPolicy.local, .newest])
  func `after the journal was lost, no policy sends what a server made of a meeting`(
    policy: ConflictPolicy
  ) async throws {
    let moved = meeting.replacing(
      "END:VEVENT", with: "LAST-MODIFIED:20260701T090000Z\r\nEND:VEVENT")
    let doings = [
      meeting.replacing("PARTSTAT=", with: "SCHEDULE-STATUS=1.1;PARTSTAT="),
      meeting.replacing("END:VEVENT", with: "SEQUENCE:5\r\nEND:VEVENT"),
      meeting.replacing("END:VEVENT", with: "X-SERVER:1\r\nEND:VEVENT"),
    ]
    for there in doings {
      let pair = try await met(moved, there)
      let mails = pair.server.mails
      let journal = MemoryJournal()
      for _ in 0..<2 {
        let report = try await pair.sync(with: journal, policy: policy)
        #expect(report.conflicts.isEmpty && report.problems.isEmpty)
      }
      #expect(pair.server.mails == mails && pair.server.count("PUT") == 0)
      pair.putFile("m", moved.replacing("Choir", with: "Opera"))
      try await pair.sync(with: journal, policy: policy)
      #expect(pair.server.mails == mails + 1, "a person's edit is sent")
    }
  }

  @Test(arguments: [
    ("SUMMARY:Choir", "SUMMARY:Opera"), ("END:VEVENT", "LOCATION:Room 4\r\nEND:VEVENT"),
  ])
  func `after the journal was lost, the policy sends no meeting that nobody edited for certain`(
    old: String, new: String
  ) async throws {
    let own = meeting.replacing(old, with: new)
    let pair = try await met(own, meeting)
    let journal = MemoryJournal()
    let report = try await pair.sync(with: journal, policy: .local)
    #expect(report.conflicts.map(\.reason) == [.neverAgreed])
    #expect(pair.server.count("PUT") == 0 && pair.files("m") == [own])
    let settled = try await pair.resolve("m", taking: .local, with: journal)
    #expect(settled.conflicts.isEmpty && settled.failure == nil)
    #expect(pair.server.count("PUT") == 1, "a person asked for it")
  }

  @Test func `without attendees the policy decides`() async throws {
    let pair = try await met(ModelPair.event("m", "Choir"), ModelPair.event("m", "Opera"))
    let report = try await pair.sync(with: MemoryJournal(), policy: .local)
    #expect(report.conflicts.isEmpty)
    #expect(pair.summaries("m") == "Choir|Choir")
  }

  @Test func `without attendees the same is merged`() async throws {
    let event = ModelPair.event("m", "Choir")
    let own = event.replacing("END:VEVENT", with: "LOCATION:Room 4\r\nEND:VEVENT")
    let pair = try await met(own, event)
    let report = try await pair.sync(with: MemoryJournal())
    #expect(report.conflicts.isEmpty)
    #expect(pair.remotes("m").first?.contains("LOCATION:Room 4") == true)
  }

  @Test func `counters that both sides moved are no reason to write`() async throws {
    func touched(_ count: Int) -> String {
      meeting.replacing("END:VEVENT", with: "SEQUENCE:\(count)\r\nEND:VEVENT")
    }
    let pair = try await met(meeting, touched(1))
    pair.putFile("m", touched(2))
    let report = try await pair.sync()
    #expect(report.conflicts.isEmpty)
    #expect(pair.server.count("PUT") == 0)
    pair.server.forgetRequests()
    try await pair.sync()
    #expect(pair.server.count("PUT") == 0)
  }
}
