import TestSupport
import Testing

/// What `list` and `expand` say of times that cannot be read.
@Suite struct UnreadTimesTests {
  private let calgw: CommandLine

  init() throws { calgw = try CommandLine() }

  private func write(_ name: String, _ old: String, _ new: String) throws {
    try calgw.write("cal/\(name).ics", event(name, "Dentist").replacing(old, with: new))
  }

  @Test(arguments: [
    ("DTSTART:20260105T100000Z", "DTSTART:2026-01-05", "DTSTART", 7, 0),
    ("SUMMARY:", "RRULE:FREQ=DAILY;COUNT=x\r\nSUMMARY:", "RRULE", 8, 1),
    ("SUMMARY:", "RDATE:tomorrow\r\nSUMMARY:", "RDATE", 8, 1),
  ])
  func `they are told in a note`(
    old: String, new: String, property: String, line: Int, listed: Int
  ) async throws {
    try write("a", old, new)
    let note =
      "note: the \(property) of \"Dentist\" in line \(line) cannot be read, and is left out: "
      + "see `calgw check \(calgw.home)/cal/a.ics`\n"
    for command in [
      ["list", "cal", "--from", "2026-01-01", "--to", "2026-02-01"], ["expand", "cal/a.ics"],
    ] {
      let run = try await calgw.run(command + ["--json"])
      #expect(run.status == 0)
      #expect(run.output.split(separator: "\n").count == listed, "\(run.output)")
      #expect(run.errors == note)
      let quiet = try await calgw.run(command + ["--json", "--quiet"])
      #expect(quiet.errors.isEmpty && quiet.output == run.output)
    }
  }

  @Test func `of several lines of a file one is named`() async throws {
    try write(
      "a", "SUMMARY:", "RRULE:FREQ=DAILY;COUNT=x\r\nRDATE:tomorrow\r\nSUMMARY:")
    let run = try await calgw("expand", "cal")
    #expect(run.errors.hasPrefix("note: the RRULE of \"Dentist\" in line 8 cannot be read"))
    #expect(run.errors.contains("left out (one of 2): see"), "\(run.errors)")
  }

  @Test func `an end and what is taken away hide nothing`() async throws {
    try write("a", "SUMMARY:", "DTEND:x\r\nEXDATE:x\r\nSUMMARY:")
    let run = try await calgw("expand", "cal")
    #expect(run.errors.isEmpty && run.output.contains("Dentist"), "\(run.errors)")
  }
}
