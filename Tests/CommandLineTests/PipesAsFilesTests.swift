import Glibc
import TestSupport
import Testing

/// What is named on the command line of a reading command and is no plain file.
@Suite struct PipesAsFilesTests {
  private static let mend = "save what comes out of it to a file, and name that\n"

  private let calgw: CommandLine

  init() throws {
    calgw = try CommandLine()
    try calgw.write("a.ics", event("a", "Dentist"))
    try #require(mkfifo(calgw.home + "/pipe", 0o600) == 0)
  }

  @Test(arguments: [("pipe", "pipe"), ("/dev/null", "device")])
  func `it is called what it is`(name: String, kind: String) async throws {
    let path = name == "pipe" ? calgw.home + "/pipe" : name
    for command in [["list", "--from", "2026-01-05"], ["expand"]] {
      let run = try await calgw.run(command + [path])
      #expect(run.status == 1)
      #expect(
        run.errors.hasSuffix(
          "error: it is a \(kind), and no plain file\n  where: \(path)\n  do:    \(Self.mend)"),
        "\(run.errors)")
    }
    let check = try await calgw.run(["check", path])
    #expect(check.status == 1)
    #expect(
      check.output.hasPrefix("\(path):1:1: error: it is a \(kind), and no plain file: save"),
      "\(check.output)")
    #expect(check.output.contains("[not-a-file]"), "\(check.output)")
    let show = try await calgw.run(["show", path])
    #expect(show.status == 65)
    #expect(show.errors.contains("\(path) is a \(kind), and no plain file"), "\(show.errors)")
    #expect(show.errors.contains("do:    \(Self.mend)"), "\(show.errors)")
  }

  @Test func `standard input that is a pipe`() async throws {
    let script = #"cat a.ics | "$0" "$@""#
    let run = try await calgw.run(
      ["check", "/dev/stdin", "--json"], within: ["/bin/sh", "-c", script])
    #expect(run.status == 1)
    #expect(run.output.contains("\"code\":\"not-a-file\""), "\(run.output)")
  }

  @Test func `a link to a file is read, or named where it is not`() async throws {
    try #require(symlink(calgw.home + "/a.ics", calgw.home + "/link.ics") == 0)
    #expect(try await calgw("expand", "link.ics").output.contains("Dentist"))
    let show = try await calgw("show", "link.ics")
    #expect(show.status == 65)
    #expect(show.errors.contains("a symbolic link, and no plain file"), "\(show.errors)")
    #expect(show.errors.contains("name the file that it leads to"), "\(show.errors)")
  }
}
