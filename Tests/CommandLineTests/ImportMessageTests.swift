import Foundation
import TestSupport
import Testing

/// What comes by mail (iTIP, RFC 5546) is imported for what it is: a part of a series changes that
/// part, and an attendee's answer is no event.
@Suite struct ImportMessageTests {
  private static let zone = [
    "BEGIN:VTIMEZONE", "TZID:Lab", "BEGIN:STANDARD", "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200", "END:STANDARD", "END:VTIMEZONE",
  ]

  private func calendar() throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.write("cal/standup.ics", EventCommandTests.series)
    return calgw
  }

  private func message(_ method: String, _ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//mail//", "METHOD:\(method)"] + lines
      + ["END:VCALENDAR", ""]).joined(separator: "\r\n")
  }

  private func occurrence(_ id: String, _ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:standup", "DTSTAMP:20260102T000000Z", "RECURRENCE-ID\(id)"] + lines
      + ["END:VEVENT"]).joined(separator: "\r\n")
  }

  private func text(_ calgw: CommandLine) throws -> String {
    try String(contentsOfFile: calgw.home + "/cal/standup.ics", encoding: .utf8)
  }

  private func starts(_ calgw: CommandLine) async throws -> [String] {
    let list = try await calgw(
      "expand", "cal/standup.ics", "--from", "2026-01-01", "--to", "2027-01-01", "--json")
    return list.output.matches(of: /"start":"([^"]*)"/).map { String($0.1) }
  }

  @Test func `one occurrence of a series changes that one alone`() async throws {
    let calgw = try calendar()
    let moved = occurrence(
      ":20260112T090000Z", "DTSTART:20260112T140000Z", "DTEND:20260112T141500Z", "SUMMARY:Late")
    try calgw.write("mail.ics", message("REQUEST", moved))
    let asked = try await calgw("import", "mail.ics", "--in", "cal")
    #expect(asked.status == 1)
    #expect(try text(calgw) == EventCommandTests.series, "a person's file is not to be lost")
    #expect(try await calgw("import", "mail.ics", "--in", "cal", "--update").status == 0)
    #expect(try text(calgw).contains("RRULE:FREQ=WEEKLY;COUNT=4"))
    #expect(
      try await starts(calgw) == [
        "2026-01-05T09:00:00Z", "2026-01-12T14:00:00Z", "2026-01-19T09:00:00Z",
        "2026-01-26T09:00:00Z",
      ])
    let again = try await calgw("import", "mail.ics", "--in", "cal", "--update", "--json")
    #expect(again.output.contains("\"unchanged\":1"), "\(again.output)")
  }

  /// The same occurrence by the wall time of a zone that the mail alone defines.
  @Test func `the next word on an occurrence takes the place of the last`() async throws {
    let calgw = try calendar()
    let moved = occurrence(":20260112T090000Z", "DTSTART:20260112T140000Z", "SUMMARY:Late")
    try calgw.write("mail.ics", message("REQUEST", moved))
    #expect(try await calgw("import", "mail.ics", "--in", "cal", "--update").status == 0)
    let off = occurrence(
      ":20260112T090000Z", "DTSTART;TZID=Lab:20260112T110000", "STATUS:CANCELLED", "SUMMARY:Off")
    try calgw.write(
      "cancel.ics", message("CANCEL", Self.zone.joined(separator: "\r\n"), off))
    #expect(try await calgw("import", "cancel.ics", "--in", "cal", "--update").status == 0)
    let now = try text(calgw)
    #expect(now.contains("STATUS:CANCELLED") && !now.contains("SUMMARY:Late"), "\(now)")
    #expect(now.contains("TZID:Lab"), "\(now)")
    #expect(now.components(separatedBy: "RECURRENCE-ID").count == 2, "\(now)")
    #expect(now.contains("SUMMARY:Stand-up"))
    #expect(try await calgw("check", "cal/standup.ics").status == 0)
  }

  @Test(arguments: ["REPLY", "COUNTER", "DECLINECOUNTER", "REFRESH", "reply"])
  func `an answer is named and never imported`(method: String) async throws {
    let calgw = try calendar()
    try calgw.write(
      "mail.ics",
      message(
        method, "BEGIN:VEVENT", "UID:standup", "DTSTAMP:20260102T000000Z",
        "ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.org", "DTSTART:20260105T090000Z",
        "END:VEVENT"))
    let run = try await calgw("import", "mail.ics", "--in", "cal", "--update")
    #expect(run.status == 1)
    #expect(run.errors.contains("an attendee's answer (METHOD:\(method.uppercased()))"))
    #expect(try text(calgw) == EventCommandTests.series)
  }

  @Test func `a whole event still replaces the one that is there`() async throws {
    let calgw = try calendar()
    try calgw.write(
      "mail.ics",
      message(
        "REQUEST", "BEGIN:VEVENT", "UID:standup", "DTSTAMP:20260102T000000Z",
        "DTSTART:20260105T100000Z", "SUMMARY:Once", "END:VEVENT"))
    #expect(try await calgw("import", "mail.ics", "--in", "cal", "--update").status == 0)
    #expect(try await starts(calgw) == ["2026-01-05T10:00:00Z"])
  }

  @Test(arguments: [("VEVENT", ""), ("VTODO", "RRULE:FREQ=DAILY\r\n")])
  func `an occurrence takes the place of no single event, and of no task`(
    kind: String, rule: String
  ) async throws {
    let calgw = try CommandLine()
    let there = event("standup", "Once").replacing("VEVENT", with: kind)
      .replacing("SUMMARY:", with: rule + "SUMMARY:")
    try calgw.write("cal/standup.ics", there)
    let moved = occurrence(":20260112T090000Z", "DTSTART:20260112T140000Z", "SUMMARY:Late")
    try calgw.write("mail.ics", message("REQUEST", moved))
    let run = try await calgw("import", "mail.ics", "--in", "cal", "--update")
    #expect(run.status == 1)
    #expect(
      run.errors.contains("what is there does not repeat, or is of another kind"),
      "\(run.errors)")
    #expect(try text(calgw) == there)
  }

  @Test func `an occurrence without its series is an item of its own`() async throws {
    let calgw = try calendar()
    try calgw.write(
      "mail.ics",
      message("REQUEST", occurrence(":20260112T090000Z", "DTSTART:20260112T140000Z", "SUMMARY:One"))
        .replacing("UID:standup", with: "UID:elsewhere"))
    #expect(try await calgw("import", "mail.ics", "--in", "cal").status == 0)
    #expect(calgw.exists("cal/elsewhere.ics"))
  }

  @Test func `an added occurrence does not take the place of its series`() async throws {
    let calgw = try calendar()
    let added = [
      "BEGIN:VEVENT", "UID:standup", "DTSTAMP:20260102T000000Z", "DTSTART:20260213T090000Z",
      "SUMMARY:Stand-up", "SEQUENCE:1", "END:VEVENT",
    ].joined(separator: "\r\n")
    try calgw.write("mail.ics", message("ADD", added))
    let run = try await calgw("import", "mail.ics", "--in", "cal", "--update")
    #expect(run.status == 1)
    #expect(
      (run.output + run.errors).contains("it adds an occurrence to the series that is there"),
      "\(run.output)\(run.errors)")
    #expect(try text(calgw) == EventCommandTests.series)
  }

  @Test func `a cancellation of what is not there makes no event`() async throws {
    let calgw = try calendar()
    let cancelled = [
      "BEGIN:VEVENT", "UID:never", "DTSTAMP:20260102T000000Z", "DTSTART:20260213T090000Z",
      "STATUS:CANCELLED", "SEQUENCE:1", "END:VEVENT",
    ].joined(separator: "\r\n")
    try calgw.write("mail.ics", message("CANCEL", cancelled))
    let run = try await calgw("import", "mail.ics", "--in", "cal")
    #expect(run.status == 1)
    #expect(
      (run.output + run.errors).contains("it cancels what is not there (METHOD:CANCEL)"),
      "\(run.output)\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/cal").count == 1)
  }

  /// RFC 5546 §3.2.5: such a message need not hold more than this.
  private func cancellation(_ lines: String...) -> String {
    let text = ["BEGIN:VEVENT", "UID:standup", "DTSTAMP:20260102T000000Z", "SEQUENCE:6"] + lines
    return message("CANCEL", (text + ["END:VEVENT"]).joined(separator: "\r\n"))
  }

  @Test func `the cancellation of a series leaves all that it says, and calls it off`() async throws
  {
    let calgw = try calendar()
    try calgw.write(
      "mail.ics", cancellation("STATUS:CANCELLED", "ORGANIZER:mailto:ann@example.org"))
    let asked = try await calgw("import", "mail.ics", "--in", "cal")
    #expect(asked.status == 1)
    #expect(asked.errors.contains("it cancels what is there; --update does so"))
    #expect(try text(calgw) == EventCommandTests.series)
    #expect(try await calgw("import", "mail.ics", "--in", "cal", "--update").status == 0)
    let now = try text(calgw)
    #expect(now.contains("STATUS:CANCELLED") && now.contains("SEQUENCE:6"), "\(now)")
    #expect(now.contains("RRULE:FREQ=WEEKLY;COUNT=4") && now.contains("SUMMARY:Stand-up"))
    #expect(try await starts(calgw).isEmpty)
    #expect(try await calgw("check", "cal/standup.ics").status == 0)
    let again = try await calgw("import", "mail.ics", "--in", "cal", "--update", "--json")
    #expect(again.output.contains("\"unchanged\":1"), "\(again.output)")
  }

  @Test func `the cancellation of one occurrence need not say when it is`() async throws {
    let calgw = try calendar()
    try calgw.write(
      "mail.ics", cancellation("STATUS:CANCELLED", "RECURRENCE-ID:20260112T090000Z"))
    #expect(try await calgw("import", "mail.ics", "--in", "cal", "--update").status == 0)
    let now = try text(calgw)
    #expect(now.components(separatedBy: "STATUS:CANCELLED").count == 2, "\(now)")
    #expect(now.components(separatedBy: "SUMMARY:Stand-up").count == 3, "\(now)")
    #expect(try await starts(calgw).count == 3)
    #expect(try await calgw("check", "cal/standup.ics").status == 0)
    try calgw.write(
      "mail.ics", cancellation("STATUS:CANCELLED", "RECURRENCE-ID:20260113T090000Z"))
    let never = try await calgw("import", "mail.ics", "--in", "cal", "--update")
    #expect(never.status == 1)
    #expect(never.errors.contains("there is no occurrence of 20260113T090000Z"), "\(never.errors)")
    #expect(try text(calgw) == now)
  }

  @Test func `who is taken off the list is told so, and the event stays`() async throws {
    let calgw = try calendar()
    try calgw.write("mail.ics", cancellation("ATTENDEE:mailto:bob@example.org"))
    let run = try await calgw("import", "mail.ics", "--in", "cal", "--update")
    #expect(run.status == 1)
    #expect(run.errors.contains("it takes an attendee off the list"), "\(run.errors)")
    #expect(try text(calgw) == EventCommandTests.series)
  }

  @Test func `a second invitation to one occurrence stands beside the first`() async throws {
    let calgw = try calendar()
    for day in ["12", "19", "12"] {
      let one = occurrence(
        ":202601\(day)T090000Z", "DTSTART:202601\(day)T140000Z", "SUMMARY:On \(day)")
      try calgw.write(
        "mail.ics", message("REQUEST", one).replacing("UID:standup", with: "UID:elsewhere"))
      _ = try await calgw("import", "mail.ics", "--in", "cal", "--update")
    }
    let path = calgw.home + "/cal/elsewhere.ics"
    let now = try String(contentsOfFile: path, encoding: .utf8)
    #expect(now.contains("SUMMARY:On 12") && now.contains("SUMMARY:On 19"), "\(now)")
    #expect(now.components(separatedBy: "RECURRENCE-ID").count == 3, "\(now)")
  }
}
