import Foundation
import TestSupport
import Testing

/// Two pairs of folders, both in step, of which one cannot be looked into any more.
@Suite struct OnePairFailsTests {
  private let calgw: CommandLine

  init() async throws {
    calgw = try CommandLine()
    try calgw.configure(
      ["a", "b"].map { "[pair.\($0)]\nlocal = \"~/\($0)1\"\nremote = { local = \"~/\($0)2\" }\n" }
        .joined())
    for pair in ["a", "b"] {
      try calgw.write("\(pair)1/c/dentist.ics", event("dentist-\(pair)", "Dentist"))
    }
    #expect(try await calgw("sync").status == 0)
    try calgw.write("b1/c/dentist.ics", event("dentist-b", "Another title"))
    #expect(try await calgw("sync").status == 0)
    let journal = calgw.home + "/state/calgw/a.sqlite"
    try FileManager.default.removeItem(atPath: journal)
    try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
  }

  @Test func `the other one is forgotten all the same, in whatever order`() async throws {
    let run = try await calgw("forget", "a", "b")
    #expect(run.status == 74, "\(run.errors)")
    #expect(run.output == "forgotten: b/c\n")
    #expect(run.errors.contains("a.sqlite"), "\(run.errors)")
  }

  @Test(arguments: ["b", "b/c"])
  func `and its log is there under its name`(name: String) async throws {
    let run = try await calgw("log", name)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("replaced"), "\(run.output)")
    #expect(run.errors.isEmpty, "\(run.errors)")
  }

  /// Nobody knows whether that one has the item.
  @Test func `but of an item it is told`() async throws {
    let run = try await calgw("log", "nobody")
    #expect(run.status == 74, "\(run.output)")
    #expect(run.errors.contains("a.sqlite"), "\(run.errors)")
  }
}
