import Foundation
import Glibc
import TestSupport
import Testing

/// A calendar in one file that another program has open while calgw runs.
@Suite struct FileBeingWrittenTests {
  @Test func `it is left alone until the program has closed it`() async throws {
    let calgw = try CommandLine()
    try calgw.configure(
      "[pair.one]\nlocal = \"~/calendars\"\nremote = { file = \"~/all.ics\" }\ncalendar = \".\"\n")
    for uid in ["a", "b"] { try calgw.write("calendars/\(uid).ics", event(uid, "Old \(uid)")) }
    #expect(try await calgw("sync").status == 0)
    let file = calgw.home + "/all.ics"
    let whole = try String(contentsOfFile: file, encoding: .utf8)

    // It has saved one of the two, in a calendar of its own, and goes on with the other.
    let program = open(file, O_WRONLY | O_TRUNC | O_CLOEXEC)
    try #require(program >= 0)
    let (first, second) = (Array(event("a", "New a").utf8), Array(event("b", "New b").utf8))
    #expect(write(program, first, first.count) == first.count)
    try calgw.write("calendars/c.ics", event("c", "Here"))
    let run = try await calgw("sync")
    #expect(run.status == 74, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("another program has it open for writing"), "\(run.errors)")
    #expect(run.errors.contains("nothing is deleted meanwhile"), "\(run.errors)")
    #expect(calgw.exists("calendars/b.ics"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) != whole)
    #expect(write(program, second, second.count) == second.count)
    close(program)

    #expect(try await calgw("sync").status == 0)
    for uid in ["a", "b"] {
      let item = try String(contentsOfFile: calgw.home + "/calendars/\(uid).ics", encoding: .utf8)
      #expect(item.contains("SUMMARY:New \(uid)"), "\(item)")
    }
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("SUMMARY:Here"))
  }
}
