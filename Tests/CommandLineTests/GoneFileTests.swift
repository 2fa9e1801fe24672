import Foundation
import TestSupport
import Testing

/// A calendar in one file that is not there any more.
@Suite struct GoneFileTests {
  private func pair() throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure(
      """
      [pair.one]
      local = "~/calendars"
      remote = { file = "~/all.ics" }
      calendar = "."
      """)
    return calgw
  }

  private func synced(runs: Int = 2) async throws -> CommandLine {
    let calgw = try pair()
    try calgw.write("calendars/a.ics", event("a", "Dentist"))
    for _ in 0..<runs { #expect(try await calgw("sync").status == 0) }
    try FileManager.default.removeItem(atPath: calgw.home + "/all.ics")
    return calgw
  }

  private func expectGone(
    _ commands: [String], _ words: String, in calgw: CommandLine,
    at place: SourceLocation = #_sourceLocation
  ) async throws {
    for command in commands {
      let gone = try await calgw(command)
      #expect(gone.status == 74, "\(gone.output) \(gone.errors)", sourceLocation: place)
      #expect(gone.errors.contains(words), "\(gone.errors)", sourceLocation: place)
    }
  }

  @Test func `the mend can be pasted, and the sync after it makes the file anew`() async throws {
    let calgw = try await synced()
    try await expectGone(["sync", "status"], "put it back, or run `calgw forget one/", in: calgw)
    let errors = try await calgw("sync").errors
    let command = try #require(errors.split(separator: "`").first { $0.hasPrefix("calgw forget") })
    let words = command.split(separator: " ").dropFirst().map { String($0) }
    let forgotten = try await calgw.run(words)
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    #expect(try await calgw("sync").status == 0)
    #expect(calgw.exists("all.ics"))
    #expect(calgw.exists("calendars/a.ics"))
  }

  /// The listing of that run was older than the file.
  @Test func `one that went away right after the run that made it deletes nothing`() async throws {
    let calgw = try await synced(runs: 1)
    try await expectGone(["sync", "status", "push", "sync"], "all.ics is gone", in: calgw)
    #expect(calgw.exists("calendars/a.ics"))
  }

  @Test func `a link whose file is away for a run leads to the same calendar afterwards`()
    async throws
  {
    let calgw = try pair()
    for uid in ["a", "b", "c"] { try calgw.write("calendars/\(uid).ics", event(uid, uid)) }
    try calgw.write("disk/all.ics", event("d", "d"))
    let files = FileManager.default
    try files.createSymbolicLink(
      atPath: calgw.home + "/all.ics", withDestinationPath: calgw.home + "/disk/all.ics")
    #expect(try await calgw("sync").status == 0)
    #expect(calgw.exists("calendars/d.ics"))

    try files.moveItem(atPath: calgw.home + "/disk", toPath: calgw.home + "/away")
    let words = "all.ics is a link to a file that is not there"
    try await expectGone(["sync", "status"], words, in: calgw)
    try files.moveItem(atPath: calgw.home + "/away", toPath: calgw.home + "/disk")
    try files.removeItem(atPath: calgw.home + "/calendars/a.ics")
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output) \(run.errors)")
    #expect(!calgw.exists("calendars/a.ics"), "the deletion counts: nothing was forgotten")
    let text = try String(contentsOfFile: calgw.home + "/disk/all.ics", encoding: .utf8)
    #expect(!text.contains("UID:a\r\n") && text.contains("UID:d\r\n"))
  }

  @Test func `the mend of the doctor names the pair`() async throws {
    let calgw = try await synced()
    try FileManager.default.removeItem(atPath: calgw.home + "/calendars")
    let found = try await calgw("doctor")
    #expect(found.output.contains("or run `calgw forget one` to begin anew"), "\(found.output)")
  }
}
