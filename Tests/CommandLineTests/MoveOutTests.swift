import Glibc
import Testing

/// A move out of a folder from which nothing can be removed: the copy would be a second event.
@Suite struct MoveOutTests {
  /// What takes from the program what lets root write and rename everything.
  static let plainly =
    geteuid() == 0
    ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"] : []

  private let calgw: CommandLine
  private var work: String { calgw.home + "/one/work" }

  init() throws {
    calgw = try TwoFolders().calgw
    try calgw.write("one/work/a.ics", event("a", "Dentist"))
    try calgw.write("one/home/b.ics", event("b", "Choir"))
  }

  private func move(_ options: [String] = []) async throws -> CommandLine.Run {
    try await calgw.run(["move", "a", "p/home"] + options, within: Self.plainly)
  }

  @Test(arguments: [["--dry-run"], []])
  func `that may not be written copies nothing`(options: [String]) async throws {
    try #require(chmod(work, 0o555) == 0)
    defer { chmod(work, 0o755) }
    let run = try await move(options)
    #expect(run.status == 74 && run.output.isEmpty, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("one/work may not be written to"), "\(run.errors)")
    #expect(run.errors.contains("Permission denied"), "\(run.errors)")
    #expect(calgw.exists("one/work/a.ics") && !calgw.exists("one/home/a.ics"))
  }

  @Test func `a dry run says that nothing may be made in the other one`() async throws {
    let home = calgw.home + "/one/home"
    try #require(chmod(home, 0o555) == 0)
    defer { chmod(home, 0o755) }
    for options in [["--dry-run"], []] {
      let run = try await move(options)
      #expect(run.status == 73 && run.output.isEmpty, "\(run.output) \(run.errors)")
    }
    #expect(calgw.exists("one/work/a.ics"))
  }

  /// Somebody else's file in a folder with the sticky bit: that shows only when it is to go.
  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `that locks the one file takes the copy back`() async throws {
    let file = work + "/a.ics"
    try #require(chown(file, 12_345, 12_345) == 0 && chown(work, 12_345, 12_345) == 0)
    try #require(chmod(file, 0o644) == 0 && chmod(work, 0o1777) == 0)
    let run = try await move()
    #expect(run.status == 65 && run.output.isEmpty, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("nothing was moved to p/home: a.ics may be"), "\(run.errors)")
    #expect(calgw.exists("one/work/a.ics") && !calgw.exists("one/home/a.ics"))

    // What was in the other folder before is no copy of this move.
    try calgw.write("one/home/a.ics", event("a", "Dentist"))
    let again = try await move()
    #expect(again.status == 65, "\(again.output) \(again.errors)")
    #expect(again.errors.contains("the item is in p/home now"), "\(again.errors)")
    #expect(calgw.exists("one/work/a.ics") && calgw.exists("one/home/a.ics"))

    try #require(chown(work, 0, 0) == 0 && chown(file, 0, 0) == 0)
    #expect(try await move().status == 0)
    #expect(!calgw.exists("one/work/a.ics") && calgw.exists("one/home/a.ics"))
  }
}
