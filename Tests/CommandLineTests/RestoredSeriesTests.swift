import Foundation
import Testing

/// A series from before it was split has the occurrences of both halves.
@Suite struct RestoredSeriesTests {
  @Test func `one that a sync replaced comes back with a word about its other part`() async throws {
    let folders = try TwoFolders()
    let calgw = folders.calgw
    try calgw.write("one/work/standup.ics", EventCommandTests.series)
    #expect(try await calgw("sync").status == 0)
    let split = try await calgw(
      "edit", "standup", "--in", "one/work", "--span", "future", "--occurrence",
      "2026-01-19T09:00Z", "--summary", "New")
    #expect(split.status == 0, "\(split.errors)")
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
}
