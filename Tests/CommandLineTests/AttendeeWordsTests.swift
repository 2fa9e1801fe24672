import Foundation
import TestSupport
import Testing

/// What `status` and `diff` say where attendees came or went.
@Suite struct AttendeeWordsTests {
  /// A rehearsal with an organizer and the people, as an item of both sides of a pair of folders.
  private func rehearsal(with people: [String]) -> String {
    let lines = ["ORGANIZER:mailto:otto@example.org"] + people.map { "ATTENDEE:mailto:\($0)" }
    return event("choir", "Choir").replacing(
      "END:VEVENT", with: (lines + ["END:VEVENT"]).joined(separator: "\r\n"))
  }

  private static let ann = "ann@example.org"
  private static let bob = "bob@example.org"
  private static let carol = "carol@example.org"

  private func synced(_ people: [String]) async throws -> CommandLine {
    let calgw = try TwoFolders().calgw
    try calgw.write("one/work/choir.ics", rehearsal(with: people))
    #expect(try await calgw("sync").status == 0)
    return calgw
  }

  private func objects(_ run: CommandLine.Run) throws -> [[String: Any]] {
    try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test(
    arguments: [
      ([ann], [ann, bob, carol], "2 attendees added"),
      ([ann, bob, carol], [ann], "2 attendees removed"),
      ([ann], [ann, bob], "attendee \(bob) added"), ([ann, bob], [ann], "attendee \(bob) removed"),
    ] as [([String], [String], String)])
  func `who came or went on a side is told as that side's change`(
    before: [String], after: [String], words: String
  ) async throws {
    for (side, name) in [("one", "local"), ("two", "remote")] {
      let calgw = try await synced(before)
      try calgw.write("\(side)/work/choir.ics", rehearsal(with: after))
      let status = try await calgw("status")
      #expect(status.status == 0, "\(status.errors)")
      #expect(status.output.contains("\n    \(name): \(words)\n"), "\(status.output)")
      let pending = try objects(try await calgw("status", "--json"))
      #expect(pending.map { $0["\(name)Changes"] as? [String] } == [[words]])
      #expect(try await calgw("sync").status == 0)
      #expect(try await calgw("status", "--exit-code").status == 0)
    }
  }

  @Test func `show writes addresses as people do`() async throws {
    let calgw = try await synced(["ann%2Bchoir@example.org,bob@example.org"])
    let file = calgw.home + "/one/work/choir.ics"
    let words = "ann+choir@example.org, bob@example.org"
    let shown = try await calgw("show", file)
    #expect(shown.output.contains(words), "\(shown.output) \(shown.errors)")
    let object = try await calgw("show", file, "--json")
    #expect(object.output.contains("\"address\":\"\(words)\""), "\(object.output)")
  }

  @Test func `diff says how many came here, and who`() async throws {
    let calgw = try await synced([Self.ann])
    try calgw.write(
      "one/work/choir.ics", rehearsal(with: [Self.ann, Self.bob, Self.carol]))
    for options in [[], ["--remote"], ["choir"]] {
      let diff = try await calgw.run(["diff", "--exit-code"] + options)
      #expect(diff.status == 1, "\(diff.errors)")
      #expect(
        diff.output == """
          p/work
            "Choir" (choir.ics)
              2 attendees added
                + \(Self.bob)
                + \(Self.carol)

          """)
    }
    let entries = try objects(try await calgw("diff", "--json"))
    let changes = try #require(entries.first?["changes"] as? [[String: Any]])
    #expect(changes.map { $0["property"] as? String } == ["ATTENDEE"])
    #expect(changes.map { $0["words"] as? String } == ["2 attendees added"])
    #expect(changes.map { $0["after"] as? String } == ["\(Self.bob), \(Self.carol)"])
  }

  @Test func `of very many that came here diff names the first, and counts the rest`() async throws
  {
    let calgw = try await synced([Self.ann])
    let many = (100..<303).map { "singer\($0)@example.org" }
    try calgw.write("one/work/choir.ics", rehearsal(with: [Self.ann] + many))
    let lines = try await calgw("diff").output.split(separator: "\n")
    #expect(lines.count == 204)
    #expect(lines.dropFirst(2).first == "    203 attendees added")
    #expect(lines.suffix(2) == ["      + singer299@example.org", "      … and 3 more lines"])
  }

  @Test func `what came on the other side is missing here, as diff --remote has it`() async throws {
    let calgw = try await synced([Self.ann])
    try calgw.write(
      "two/work/choir.ics", rehearsal(with: [Self.ann, Self.bob, Self.carol]))
    #expect(try await calgw("diff", "--exit-code").status == 0, "nothing changed here")
    let against = try await calgw("diff", "--remote", "--exit-code")
    #expect(against.status == 1)
    #expect(against.output.contains("\n    2 attendees removed\n"), "\(against.output)")
  }

  /// Programs are told as much as people.
  @Test func `diff as JSON has what the words leave out`() async throws {
    let calgw = try await synced([Self.ann])
    let named = rehearsal(with: [Self.ann])
      .replacing("ATTENDEE:", with: "ATTENDEE;ROLE=CHAIR:")
      .replacing("ORGANIZER:", with: "ORGANIZER;CN=Otto:")
    try calgw.write("one/work/choir.ics", named)
    let diff = try objects(try await calgw("diff", "--json"))
    let changes = try #require(diff.first?["changes"] as? [[String: Any]])
    var details: [String: [[String: String]]] = [:]
    for change in changes {
      let property = try #require(change["property"] as? String)
      details[property] = try #require(change["details"] as? [[String: String]])
    }
    #expect(
      details == [
        "ATTENDEE": [["mark": "changed", "text": "role: CHAIR added"]],
        "ORGANIZER": [["mark": "changed", "text": "name: Otto added"]],
      ])
    let text = try await calgw("diff").output
    #expect(text.contains("organizer: parameters changed\n      name: Otto added\n"), "\(text)")
  }
}
