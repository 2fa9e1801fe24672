import Glibc
import TestSupport
import Testing

/// Two calendars of a pair, of which one cannot be opened.
@Suite struct UnreadableFolderTests {
  /// What takes from the program what lets root read everything.
  private static let plainly =
    geteuid() == 0
    ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
  private static let days = ["--from", "2026-01-01", "--to", "2026-02-01"]

  private let calgw: CommandLine

  init() throws {
    calgw = try TwoFolders().calgw
    try calgw.write("one/home/a.ics", event("a", "Dentist"))
    try calgw.write("one/work/b.ics", event("b", "Standup"))
  }

  /// Runs it while the folder `work` cannot be opened.
  private func run(_ arguments: [String]) async throws -> CommandLine.Run {
    let folder = calgw.home + "/one/work"
    try #require(chmod(folder, 0) == 0)
    defer { chmod(folder, 0o755) }
    return try await calgw.run(arguments, within: Self.plainly)
  }

  @Test(arguments: [
    [], ["p"], ["one"], ["one/home", "one/work"], ["p/home", "p/work"], ["p/work", "one/home"],
  ])
  func `the other one is printed`(targets: [String]) async throws {
    // `expand` takes paths alone.
    let arePaths = !targets.isEmpty && targets.allSatisfy { $0.hasPrefix("one") }
    for command in [["list"] + Self.days] + (arePaths ? [["expand"]] : []) {
      let run = try await run(command + targets)
      #expect(run.status == 1, "\(run.output) \(run.errors)")
      #expect(run.output.contains("Dentist"), "\(run.output)")
      #expect(run.errors.contains("work\n  why:   "), "\(run.errors)")
      #expect(run.errors.contains("Permission denied\n  do:    "), "\(run.errors)")
    }
  }

  @Test(arguments: [[], ["p"], ["one"], ["one/home", "one/work"]])
  func `the other one is checked`(targets: [String]) async throws {
    try calgw.write("one/home/empty.ics", "")
    let run = try await run(["check"] + targets)
    #expect(run.status == 1)
    #expect(run.output.contains("[empty-file]"), "\(run.output)")
    #expect(run.errors.contains("Permission denied"), "\(run.errors)")
  }

  @Test func `where nothing else was named nothing was done`() async throws {
    let run = try await run(["list", "p/work"] + Self.days)
    #expect(run.status == 74 && run.output.isEmpty, "\(run.output)")
    #expect(run.errors.contains("Permission denied"), "\(run.errors)")
  }

  @Test func `an item of the other one is found`() async throws {
    for command in [["show", "a"], ["edit", "a", "--summary", "Tooth", "--dry-run"]] {
      let run = try await run(command)
      #expect(run.status == 0 && run.output.contains("Dentist"), "\(run.output) \(run.errors)")
    }
    let missing = try await run(["show", "b"])
    #expect(missing.status == 74)
    #expect(missing.errors.contains("called b is in the folders that could be read"))
    #expect(missing.errors.contains("\n  where: p/work\n"), "\(missing.errors)")
    let there = try await run(["show", "b", "--in", "p/work"])
    #expect(there.status == 74 && there.errors.hasPrefix("error: opening the folder"))
  }

  @Test func `a pair whose folder cannot be read is not taken for an empty one`() async throws {
    try #require(chmod(calgw.home + "/one", 0) == 0)
    defer { chmod(calgw.home + "/one", 0o755) }
    for command in [["list", "p"] + Self.days, ["list"] + Self.days, ["show", "a"]] {
      let run = try await calgw.run(command, within: Self.plainly)
      #expect(run.status == 74, "\(command) \(run.output)")
      #expect(run.errors.contains("Permission denied"), "\(run.errors)")
    }
  }
}
