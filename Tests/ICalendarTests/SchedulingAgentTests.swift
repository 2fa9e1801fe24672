import ICalendar
import Testing

@Suite struct SchedulingAgentTests {
  private func item(_ lines: [String]) -> [UInt8] {
    (["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:u"] + lines + ["END:VEVENT", "END:VCALENDAR"])
      .flatMap { Array(($0 + "\r\n").utf8) }
  }

  private let plain = [
    "SUMMARY:Attendees and an organizer", "ORGANIZER;CN=Ann:mailto:ann@example.org",
    "ATTENDEE;PARTSTAT=NEEDS-ACTION;CN=\"Bob, jr\":mailto:bob@example.org",
    "attendee:mailto:c@example.org",
  ]

  @Test func `the client is named on organizer and attendees, and taken away again`() {
    let quiet = SchedulingAgent.quieted(item(plain))
    #expect(
      text(quiet)
        == text(
          item([
            plain[0], "ORGANIZER;CN=Ann;SCHEDULE-AGENT=CLIENT:mailto:ann@example.org",
            "ATTENDEE;PARTSTAT=NEEDS-ACTION;CN=\"Bob, jr\";SCHEDULE-AGENT=CLIENT:mailto:bo\r\n"
              + " b@example.org",
            "attendee;SCHEDULE-AGENT=CLIENT:mailto:c@example.org",
          ])))
    #expect(SchedulingAgent.quieted(quiet) == quiet)
    let back = SyntaxTree(bytes: SchedulingAgent.unquieted(quiet, as: item(plain)))
    #expect(canonicalForm(of: back) == canonicalForm(of: SyntaxTree(bytes: item(plain))))
  }

  private func people(_ organizer: String, _ bob: String, _ cleo: String) -> [UInt8] {
    item([
      "ORGANIZER\(organizer):mailto:a@x", "ATTENDEE\(bob):mailto:b@x",
      "ATTENDEE\(cleo):mailto:c@x",
    ])
  }

  private let client = ";SCHEDULE-AGENT=CLIENT"

  @Test(arguments: [";SCHEDULE-AGENT=NONE", ";schedule-agent=client", ";SCHEDULE-AGENT=X-MINE"])
  func `another agent than the server is the word of a person`(word: String) {
    let own = people("", word, ";SCHEDULE-AGENT=Server")
    let wire = SchedulingAgent.quieted(own)
    #expect(text(wire) == text(people(client, word, client)))
    #expect(text(SchedulingAgent.unquieted(wire, as: own)) == text(own))
    #expect(SchedulingAgent.quieted(people(word, word, word)) == people(word, word, word))
  }

  @Test func `the client is taken away in any case from whom the former text left to the server`() {
    let wire = people(";SCHEDULE-AGENT=client", client, ";SCHEDULE-AGENT=NONE")
    let former = item(["organizer:MAILTO:a@x", "ATTENDEE:mailto:b@x", "ATTENDEE:mailto:c@x"])
    #expect(
      text(SchedulingAgent.unquieted(wire, as: former))
        == text(people("", "", ";SCHEDULE-AGENT=NONE")))
  }

  @Test func `whom the former text does not leave to the server keeps the word`() {
    let wire = people(client, client, client)
    let strangers = item(["ORGANIZER:mailto:d@x", "ATTENDEE:mailto:e@x"])
    #expect(SchedulingAgent.unquieted(wire, as: strangers) == wire)
    // Of one occurrence a person has said otherwise of Bob.
    let former = item([
      "ORGANIZER:mailto:a@x", "ATTENDEE:mailto:b@x", "ATTENDEE\(client):mailto:b@x",
    ])
    #expect(text(SchedulingAgent.unquieted(wire, as: former)) == text(people("", client, client)))
  }

  @Test func `a text names the client or does not`() {
    #expect(SchedulingAgent.isClient(in: people("", ";Schedule-Agent=client", "")))
    #expect(!SchedulingAgent.isClient(in: people("", ";SCHEDULE-AGENT=NONE", "")))
    #expect(!SchedulingAgent.isClient(in: item(["SUMMARY:ATTENDEE;SCHEDULE-AGENT=CLIENT:b"])))
  }

  @Test(arguments: [["SUMMARY:Alone"], ["SUMMARY:ATTENDEE;X:y"], ["X-ATTENDEE:z"]])
  func `a text without any of them keeps its bytes`(lines: [String]) {
    #expect(SchedulingAgent.quieted(item(lines)) == item(lines))
    #expect(SchedulingAgent.unquieted(item(lines), as: item(plain)) == item(lines))
    #expect(!SchedulingAgent.isScheduled(item(lines)))
  }

  @Test func `an item is scheduled that has both`() {
    #expect(SchedulingAgent.isScheduled(item(plain)))
    #expect(
      SchedulingAgent.isScheduled(item(["ATTEN\r\n DEE:mailto:b@x", "ORGANIZER:mailto:a@x"])))
    #expect(!SchedulingAgent.isScheduled(item(["ATTENDEE:mailto:b@x"])))
  }

  @Test func `the server tells people unless another agent is named for each of them`() {
    func isServer(_ organizer: String, _ attendees: String...) -> Bool {
      SchedulingAgent.isServer(
        of: item(
          ["ORGANIZER\(organizer):mailto:a@x"] + attendees.map { "ATTENDEE\($0):mailto:b@x" }))
    }
    let (client, none) = (";SCHEDULE-AGENT=CLIENT", ";schedule-agent=NONE")
    #expect(SchedulingAgent.isServer(of: item(plain)))
    #expect(!SchedulingAgent.isServer(of: SchedulingAgent.quieted(item(plain))))
    #expect(!isServer(client, none, client) && !isServer(client, ";SCHEDULE-AGENT=\"X-MINE\""))
    #expect(isServer(client, client, "") && isServer("", client))
    #expect(isServer(client, ";SCHEDULE-AGENT=server"))
    #expect(!isServer(""), "nobody is invited")
    #expect(!SchedulingAgent.isServer(of: item(["SUMMARY:Alone"])))
  }

  @Test(
    arguments: [
      (["ORGANIZER:mailto:a@x", "ATTENDEE:mailto:b@x"], true),
      (["ORGANIZER:mailto:a@x", "ATTENDEE;RSVP=TRUE:MAILTO:A@x"], false),
      (["ORGANIZER:mailto:a@x", "ATTENDEE:mailto:%61@x", "ATTENDEE:mailto:a@x"], false),
      (["ORGANIZER:mailto:a@x"], false), (["ATTENDEE:mailto:b@x"], false), ([], false),
      // The occurrence has one.
      (
        [
          "ORGANIZER:mailto:a@x", "ATTENDEE:mailto:a@x", "END:VEVENT", "BEGIN:VEVENT", "UID:u",
          "RECURRENCE-ID:20260105T090000Z", "ORGANIZER:mailto:a@x", "ATTENDEE:mailto:b@x",
        ], true
      ),
    ] as [([String], Bool)])
  func `the organizer is no guest of his own`(lines: [String], hasGuests: Bool) {
    #expect(SchedulingAgent.hasGuests(item(lines)) == hasGuests)
  }

  @Test func `answers are taken away, and nothing else`() {
    let answered = item([
      "ORGANIZER;SCHEDULE-STATUS=1.2;CN=Ann:mailto:a@x",
      "ATTENDEE;Partstat=ACCEPTED;CN=Bob;RSVP=TRUE;SCHEDULE-STATUS=\"2.0\":mailto:b@x",
    ])
    #expect(
      SchedulingAgent.withoutAnswers(answered)
        == item(["ORGANIZER;CN=Ann:mailto:a@x", "ATTENDEE;CN=Bob:mailto:b@x"]))
    let unanswered = item(["ORGANIZER:mailto:a@x", "ATTENDEE;CN=Bob:mailto:b@x"])
    #expect(SchedulingAgent.withoutAnswers(unanswered) == unanswered)
  }
}
