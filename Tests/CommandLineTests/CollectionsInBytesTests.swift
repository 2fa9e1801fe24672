import Glibc
import TestSupport
import Testing

/// A collection whose folder's name is not UTF-8 is named like any other: by its bytes, as `%XX`,
/// or as reports call it.
@Suite struct CollectionsInBytesTests {
  /// Commands that are run with `p/fé` in ISO 8859-1 as their last word.
  private static let byBytes = ["/bin/sh", "-c", #"exec "$0" "$@" "$(printf 'p/f\351')""#]
  private static let byText = ["/bin/sh", "-c", #"exec "$0" "$@" 'p/f%E9'"#]
  private static let asReported = ["/bin/sh", "-c", "exec \"$0\" \"$@\" 'p/f\u{FFFD}'"]
  private static let days = ["--from", "2026-01-01", "--to", "2026-02-01"]

  private let calgw: CommandLine

  /// A pair `p` whose folder `work` is called `fé` by now.
  init() throws {
    calgw = try TwoFolders().calgw
    try calgw.write("one/work/a.ics", event("a", "Dentist"))
    try calgw.write("one/home/b.ics", event("b", "Standup"))
    try rename("work", lastByte: 0xE9)
  }

  private func rename(_ folder: String, lastByte: UInt8) throws {
    let name = Array("\(calgw.home)/one/f".utf8) + [lastByte, 0]
    try #require(
      Glibc.rename("\(calgw.home)/one/\(folder)", name.map { CChar(bitPattern: $0) }) == 0)
  }

  @Test(
    arguments: [
      ["sync"], ["status"], ["list"] + days, ["check"], ["log"], ["forget"],
      ["new", "--summary", "Gym", "--start", "2026-01-07", "--in"],
    ], [byBytes, byText, asReported])
  func `every command finds it`(command: [String], wrapper: [String]) async throws {
    let first = try await calgw("sync")
    #expect(first.status == 0, "\(first.errors)")
    let run = try await calgw.run(command, within: wrapper)
    #expect(run.status == 0, "\(command) \(run.output) \(run.errors)")
    if command[0] == "list" {
      #expect(run.output.contains("Dentist") && !run.output.contains("Standup"), "\(run.output)")
    }
    if command[0] == "new" {
      let list = try await calgw.run(["list"] + Self.days, within: Self.byBytes)
      #expect(list.output.contains("Gym"), "\(list.output)")
    }
  }

  @Test func `one of two that reports call the same`() async throws {
    #expect(try await calgw("sync").status == 0)
    try calgw.write("one/other/c.ics", event("c", "Concert"))
    try rename("other", lastByte: 0xE8)
    for wrapper in [Self.byBytes, Self.byText] {
      let list = try await calgw.run(["list"] + Self.days, within: wrapper)
      #expect(list.output.contains("Dentist") && !list.output.contains("Concert"), "\(list.output)")
      let status = try await calgw.run(["status"], within: wrapper)
      #expect(status.status == 0 && !status.output.contains("Concert"), "\(status.output)")
    }
    let other = try await calgw("status", "p/f%E8")
    #expect(other.status == 0 && other.output.contains("Concert"), "\(other.output)")
  }

  @Test func `what is called just so comes first`() async throws {
    try calgw.write("one/f%E9/c.ics", event("c", "Concert"))
    let text = try await calgw.run(["list"] + Self.days, within: Self.byText)
    #expect(text.output.contains("Concert") && !text.output.contains("Dentist"), "\(text.output)")
    let bytes = try await calgw.run(["list"] + Self.days, within: Self.byBytes)
    #expect(bytes.output.contains("Dentist") && !bytes.output.contains("Concert"))
  }
}
