import Foundation
import TestSupport
import Testing

/// Items beside the folders of a pair's directory are in no collection, which is said.
@Suite struct StrayFileTests {
  private func pair() async throws -> CommandLine {
    let calgw = try CommandLine()
    try calgw.configure("[pair.p]\nlocal = \"~/one\"\nremote = { local = \"~/two\" }\n")
    try calgw.write("one/work/a.ics", event("a", "A"))
    #expect(try await calgw("sync").status == 0)
    return calgw
  }

  @Test func `each run names them until they are moved`() async throws {
    let calgw = try await pair()
    for name in ["b.ics", "c.ics", "d.ICS", "e.ics", "notes.txt", ".hidden.ics"] {
      try calgw.write("one/\(name)", event("stray", "Stray"))
    }
    try calgw.write("one/folder.ics/x.ics", event("x", "X"))
    for _ in 0..<2 {
      let run = try await calgw("sync")
      #expect(run.status == 0)
      #expect(
        run.errors.contains(
          "b.ics, c.ics, d.ICS and 1 more in \(calgw.home)/one are in no collection"),
        "\(run.errors)")
      #expect(!calgw.exists("two/b.ics"))
    }
    #expect(try await calgw("sync", "--quiet").errors.isEmpty)
    for name in ["b.ics", "c.ics", "d.ICS", "e.ics"] {
      try FileManager.default.removeItem(atPath: "\(calgw.home)/one/\(name)")
    }
    #expect(try await calgw("sync").errors.isEmpty)
    try calgw.write("two/f.ics", event("f", "F"))
    #expect(
      try await calgw("sync").errors.contains(
        "f.ics in \(calgw.home)/two is in no collection and not synced: move it"))
  }

  @Test(arguments: [
    ["new", "--summary", "X", "--start", "2026-01-05 10:00", "--in", "one"],
    ["import", "mail.ics", "--in", "./one"], ["move", "a", "one"], ["show", "a", "--in", "one"],
  ])
  func `the directory of a pair is no calendar to put things into`(arguments: [String])
    async throws
  {
    let calgw = try await pair()
    try calgw.write("mail.ics", event("mail", "Mail"))
    let run = try await calgw.run(arguments)
    #expect(run.status == 64, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("holds the collections of the pair p"), "\(run.errors)")
    #expect(run.errors.contains("p/work"), "\(run.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: calgw.home + "/one") == ["work"])
  }
}
