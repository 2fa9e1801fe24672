import Foundation
import Testing

/// A series from before it was split has the occurrences of both halves.
@Suite struct RestoredSeriesTests {
  /// A series that both folders have, and that the first one has split since.
  private func splitHere() async throws -> CommandLine {
    let calgw = try TwoFolders().calgw
    try calgw.write("one/work/standup.ics", EventCommandTests.series)
    #expect(try await calgw("sync").status == 0)
    let split = try await calgw(
      "edit", "standup", "--in", "one/work", "--span", "future", "--occurrence",
      "2026-01-19T09:00Z", "--summary", "New")
    #expect(split.status == 0, "\(split.errors)")
    return calgw
  }

  @Test func `one that a sync replaced comes back with a word about its other part`() async throws {
    let calgw = try await splitHere()
    #expect(try await calgw("sync").status == 0)
    let other = try #require(
      try FileManager.default.contentsOfDirectory(atPath: "\(calgw.home)/one/work")
        .first { $0.hasSuffix(".ics") && $0 != "standup.ics" })
    for arguments in [["--dry-run"], []] {
      let restored = try await calgw.run(["restore", "p/1"] + arguments)
      #expect(restored.status == 0, "\(restored.errors)")
      #expect(restored.errors.contains("has of it is there twice"), "\(restored.errors)")
      #expect(restored.errors.contains("calgw delete --span all "), "\(restored.errors)")
      #expect(restored.errors.contains("/one/work/\(other)"), "\(restored.errors)")
    }
    let deleted = try await calgw("delete", "--span", "all", "one/work/\(other)")
    #expect(deleted.status == 0, "\(deleted.errors)")
    #expect(try await calgw("sync").status == 0)
    let again = try await calgw("restore", "p/1")
    #expect(again.status == 0 && !again.errors.contains("there twice"), "\(again.errors)")
  }

  /// The split gives way to an edit of the whole series on the other side.
  @Test(arguments: [["sync", "--conflict", "remote"], ["resolve", "standup", "--take", "remote"]])
  func `where the series holds unsplit, its new part is named`(arguments: [String]) async throws {
    let calgw = try await splitHere()
    let there = try await calgw(
      "edit", "standup", "--in", "two/work", "--span", "all", "--start", "2026-01-05T10:00Z")
    #expect(there.status == 0, "\(there.errors)")
    if arguments.first == "resolve" { #expect(try await calgw("sync").status == 1) }
    let run = try await calgw.run(arguments)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("what \"New\" has of it is there twice"), "\(run.errors)")
    let words = run.errors.split(whereSeparator: { " `\n".contains($0) }).map(String.init)
    let uid = try #require(words.last)
    #expect(run.errors.contains("`calgw delete --span all --in p/work \(uid)`"), "\(run.errors)")
    #expect(try await calgw("delete", "--span", "all", uid).status == 0)
    #expect(try await calgw("sync").status == 0)
  }

  /// Two people move the end of one series, each in their own way.
  @Test func `where both sides split it at one place, one part is named`() async throws {
    let calgw = try await splitHere()
    let there = try await calgw(
      "edit", "standup", "--in", "two/work", "--span", "future", "--occurrence",
      "2026-01-19T09:00Z", "--location", "Room 2")
    #expect(there.status == 0, "\(there.errors)")
    let run = try await calgw("sync")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(
      run.errors.contains(
        "both sides have split the series, and what \"Stand-up\" has of it is there twice"),
      "\(run.errors)")
    let words = run.errors.split(whereSeparator: { " `\n".contains($0) }).map(String.init)
    let uid = try #require(words.last)
    let deleted = try await calgw("delete", "--span", "all", "--in", "p/work", uid)
    #expect(deleted.status == 0, "\(deleted.errors)")
    #expect(try await calgw("sync").output.contains("1 deleted"))
  }
}
