import Foundation
import TestSupport
import Testing

/// `check` and `check --fix` by the real program.
@Suite struct CheckCommandTests {
  private static let bare =
    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Caf\u{E9} \(String(repeating: "x", count: 80))\n"
    + "DTSTART:20260105T100000Z\nX-KEEP;A=\"b\":c\nEND:VEVENT\nEND:VCALENDAR"

  private func objects(_ run: CommandLine.Run) throws -> [[String: Any]] {
    try run.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  /// Without what is hidden: a former file stays for a moment where a program that another test
  /// starts has it open.
  private func names(in calgw: CommandLine) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/cal")
      .filter { !$0.hasPrefix(".") }
  }

  @Test func `a file with nothing wrong is status 0 and says nothing`() async throws {
    let calgw = try CommandLine()
    try calgw.write("a.ics", event("a", "x"))
    let run = try await calgw.run(["check", "a.ics"])
    #expect(run.status == 0)
    #expect((run.output + run.errors).isEmpty)
  }

  @Test func `a finding has a place, a severity, a code and a mend`() async throws {
    let calgw = try CommandLine()
    try calgw.write("a.ics", Self.bare)
    let run = try await calgw.run(["check", "a.ics"])
    #expect(run.status == 1)
    #expect(
      run.output.hasPrefix(
        "\(calgw.home)/a.ics:1:1: error: the calendar has no PRODID [missing-prodid]\n"
          + "  fix: adds a PRODID\n"))
    let found = try objects(try await calgw.run(["check", "--json", "a.ics"]))
    #expect(
      found.map { "\($0["code"] ?? "") \($0["line"] ?? ""):\($0["column"] ?? "")" } == [
        "missing-prodid 1:1", "missing-version 1:1", "bare-line-feed 1:16", "missing-dtstamp 2:1",
        "missing-uid 2:1", "long-line 3:76", "missing-line-end 7:14",
      ])
    for one in found {
      #expect(
        Set(one.keys) == ["file", "line", "column", "severity", "code", "message", "fix"])
      #expect(one["file"] as? String == calgw.home + "/a.ics")
      #expect(one["fix"] is String)
    }
  }

  @Test func `warnings alone are status 0`() async throws {
    let calgw = try CommandLine()
    try calgw.write("a.ics", event("a", "one, two"))
    let run = try await calgw.run(["check", "a.ics"])
    #expect(run.status == 0)
    #expect(run.output.contains("warning:"))
    #expect(try await calgw.run(["check", "a.ics", "--quiet"]).output.isEmpty)
  }

  @Test func `a fix keeps every other byte, is kept in the log and needs to be done once`()
    async throws
  {
    let calgw = try CommandLine()
    try calgw.write("cal/a.ics", Self.bare)
    let run = try await calgw.run(["check", "cal", "--fix"])
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(run.output.contains("  fixed: adds VERSION:2.0"))
    let text = try String(contentsOfFile: calgw.home + "/cal/a.ics", encoding: .utf8)
    let lines = text.components(separatedBy: "\r\n")
    #expect(!text.replacing("\r\n", with: "").contains("\n"))
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    let stamp = try #require(lines.first { $0.hasPrefix("DTSTAMP:") })
    #expect(stamp.wholeMatch(of: /DTSTAMP:20[0-9]{6}T[0-9]{6}Z/) != nil)
    let uid = try #require(lines.first { $0.hasPrefix("UID:") })
    #expect(uid.wholeMatch(of: /UID:calgw-[0-9a-f]{32}/) != nil)
    let unfolded = text.replacing("\r\n ", with: "")
    let kept = ["SUMMARY:Caf\u{E9} \(String(repeating: "x", count: 80))", "X-KEEP;A=\"b\":c"]
    for line in kept { #expect(unfolded.contains(line + "\r\n")) }
    let again = try await calgw.run(["check", "cal", "--fix"])
    #expect((again.output + again.errors).isEmpty)
    let log = try await calgw.run(["log", "--json", "--content"])
    #expect(log.output.contains("mended by calgw check --fix"))
    #expect(log.output.contains("END:VCALENDAR\",\"after\""))
    #expect(try names(in: calgw) == ["a.ics"])
  }

  @Test func `the UID is that of an import, so that it makes no second event`() async throws {
    let calgw = try CommandLine()
    try calgw.write("cal/a.ics", Self.bare)
    try calgw.write("export.ics", Self.bare)
    _ = try await calgw.run(["check", "cal", "--fix"])
    let run = try await calgw.run(["import", "export.ics", "--in", "cal"])
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(try names(in: calgw) == ["a.ics"])
  }

  @Test func `what is cut off is left to a person`() async throws {
    let calgw = try CommandLine()
    let cut = String(Self.bare.dropLast(20))
    try calgw.write("cal/a.ics", cut)
    let run = try await calgw.run(["check", "cal", "--fix", "--json"])
    #expect(run.status == 1)
    let found = try objects(run)
    #expect(found.contains { $0["code"] as? String == "missing-end" })
    #expect(found.allSatisfy { $0["fix"] is NSNull })
    #expect(try String(contentsOfFile: calgw.home + "/cal/a.ics", encoding: .utf8) == cut)
  }

  @Test func `a part of a series that another part doubles`() async throws {
    let calgw = try CommandLine()
    func write(_ uid: String, from start: String, _ count: Int, naming part: String) throws {
      let lines = "RRULE:FREQ=WEEKLY;COUNT=\(count)\r\nRELATED-TO;RELTYPE=SIBLING:\(part)\r\n"
      try calgw.write(
        "cal/\(uid).ics",
        event(uid, uid).replacing("20260105T", with: start)
          .replacing("END:VEVENT", with: lines + "END:VEVENT"))
    }
    try write("series", from: "20260105T", 4, naming: "ours")
    try write("ours", from: "20260202T", 4, naming: "series")
    #expect(try await calgw.run(["check", "cal", "--json"]).output == "")
    // Its second occurrence is the last of ours.
    try write("theirs", from: "20260216T", 4, naming: "series")
    let run = try await calgw.run(["check", "cal", "--json"])
    #expect(run.status == 0)
    let found = try #require(try objects(run).first)
    #expect((found["file"] as? String)?.hasSuffix("/theirs.ics") == true, "\(run.output)")
    #expect(found["code"] as? String == "part-twice")
    #expect((found["message"] as? String)?.hasPrefix("ours.ics has") == true)
    try write("theirs", from: "20260302T", 4, naming: "series")
    #expect(try await calgw.run(["check", "cal", "--json"]).output == "")
  }

  @Test func `files of a folder: twins, several UIDs, and what is no file`() async throws {
    let calgw = try CommandLine()
    try calgw.write("cal/a.ics", event("same", "x"))
    try calgw.write("cal/b.ics", event("same", "y"))
    try calgw.write(
      "cal/c.ics",
      event("c", "x").replacing("END:VCALENDAR\r\n", with: "")
        + event("d", "x").replacing(
          "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//\r\n", with: ""))
    try calgw.write("cal/d.ics", "")
    try FileManager.default.createSymbolicLink(
      atPath: calgw.home + "/cal/e.ics", withDestinationPath: "/etc/passwd")
    let run = try await calgw.run(["check", "cal", "--json"])
    #expect(run.status == 1)
    let codes = try objects(run).map {
      "\(($0["file"] as? String ?? "").suffix(5)) \($0["code"] ?? "")"
    }
    #expect(
      codes == [
        "a.ics duplicate-uid", "b.ics duplicate-uid", "c.ics several-uids", "d.ics empty-file",
        "e.ics not-a-file",
      ])
    let alone = try await calgw.run(["check", "cal/c.ics"])
    #expect(alone.status == 0)
    #expect(alone.output.contains("[several-uids]"))
    #expect(alone.output.contains("c.ics:11:1: warning"), "the second UID: \(alone.output)")
  }

  @Test func `what cannot be read is a finding, also where it was named`() async throws {
    let calgw = try CommandLine()
    // Reading it fails for everybody.
    let found = try objects(try await calgw.run(["check", "--json", "/proc/self/mem"]))
    #expect(found.map { $0["code"] as? String } == ["unreadable"])
    #expect(try await calgw.run(["check", "/proc/self/mem"]).status == 1)
  }

  @Test func `what is not there is status 66`() async throws {
    let run = try await CommandLine().run(["check", "none.ics"])
    #expect(run.status == 66)
    #expect(run.errors.contains("none.ics"))
  }
}
