import Glibc
import TestSupport
import Testing

/// Two long versions of a text are told apart by what is shown of them.
@Suite(.timeLimit(.minutes(20)))
struct LongDifferenceTests {
  @Test func `diff shows of a long line what was changed in it`() async throws {
    let folders = try TwoFolders()
    let alike = String(repeating: "word ", count: 100)
    func write(_ day: String) throws {
      try folders.write("one", "choir", at: 10, "Choir\nDESCRIPTION:\(alike)\(day)")
    }
    try write("monday")
    #expect(try await folders.calgw("sync").status == 0)
    try write("friday")
    let diff = try await folders.calgw("diff")
    for (mark, day) in [("-", "monday"), ("+", "friday")] {
      let line = diff.output.split(separator: "\n").first { $0.hasSuffix("word \(day)") }
      #expect(line?.contains("  \(mark) …") == true, "\(diff.output)")
    }
  }

  @Test(.enabled(if: access("/dev/ptmx", R_OK | W_OK) == 0))
  func `the question shows of long notes where they differ`() async throws {
    let folders = try TwoFolders("conflict = \"ask\"")
    func write(_ side: String, _ own: String) throws {
      let notes = (1...40).map { $0 == 30 ? own : "line \($0)" }.joined(separator: "\\n")
      try folders.write(side, "choir", at: 10, "Choir\nDESCRIPTION:\(notes)")
    }
    try write("one", "as agreed")
    #expect(try await folders.calgw("sync").status == 0)
    try write("one", "said here")
    try write("two", "said there")
    let run = try await folders.calgw.onTerminal(
      ["sync"], answers: [("or leave it (Enter)? ", "l")])
    #expect(run.status == 0, "\(run.screen)")
    for words in ["local:  …", "remote: …", "line 29", "said here", "said there", "line 31"] {
      #expect(run.screen.contains(words), "\(words): \(run.screen)")
    }
    #expect(!run.screen.contains("line 2\r\n"), "\(run.screen)")
  }
}
