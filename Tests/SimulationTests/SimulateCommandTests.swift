import Foundation
import TestSupport
import Testing

/// What `Scripts/simulate` makes of its options, and what it adds up.
@Suite(.timeLimit(.minutes(20))) struct SimulateCommandTests {
  /// So many seeds would take years: it ends by its time alone.
  @Test(arguments: ["0", "0.02"])
  func `it stops after so many minutes, and says at which seed`(minutes: String) async throws {
    let (status, lines) = try await SimulateProgram.run(
      "seeds", "7", "100000000000", "--minutes", minutes)
    #expect(status == 0, "\(lines.filter { $0.hasPrefix("seed ") })")
    let last = try #require(lines.last)
    let match = last.wholeMatch(
      of: /(\d+) seeds, (\d+) runs, 0 failed \(7 to before (\d+)\)/)
    let counts = try #require(match, "\(last)")
    let played = try #require(Int(counts.1))
    #expect(Int(counts.3) == 7 + played)
    if minutes == "0" { #expect(played == 0 && counts.2 == "0") }
  }

  @Test func `with time left it plays all that it was asked for`() async throws {
    let (status, lines) = try await SimulateProgram.run(
      "seeds", "7", "10", "--minutes", "600", "--threads", "2")
    #expect(status == 0)
    #expect(lines.last?.hasPrefix("3 seeds, ") == true, "\(lines.last ?? "")")
    #expect(lines.last?.hasSuffix(" (7 to before 10)") == true, "\(lines.last ?? "")")
  }

  private static let sound =
    "C1.1\t3\tone fault\nC1.2\t0\tanother fault\n12 seeds, 40 runs, 0 failed (0 to before 12)\n"

  private static let broken =
    "seed 21: Quiet (run 3) it wrote again\nC1.2\t5\tanother fault\nC1.1\t4\tone fault\n"
    + "C9.9\t1\ta new fault\n8 seeds, 30 runs, 1 failed (20 to before 28)\n"

  @Test(
    arguments: [
      (
        [sound], 0,
        ["C1.1\t3\tone fault", "C1.2\t0\tanother fault", "12 seeds, 40 runs, 0 failed"]
      ),
      (
        [sound, broken], 1,
        [
          "seed 21: Quiet (run 3) it wrote again", "C1.1\t7\tone fault",
          "C1.2\t5\tanother fault", "C9.9\t1\ta new fault", "20 seeds, 70 runs, 1 failed",
        ]
      ),
    ] as [([String], Int32, [String])])
  func `tables are added up by the names of their faults`(
    tables: [String], status: Int32, sum: [String]
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "calgw-simulate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let files = try tables.enumerated().map { number, table in
      let file = folder.appending(path: "\(number).txt")
      try Data(table.utf8).save(to: file)
      return file.path()
    }
    let added = try await SimulateProgram.script(["--sum"] + files)
    #expect(added.status == status)
    #expect(added.lines == sum)
  }

  @Test(arguments: [["--sum"], ["--seeds", "7"], ["--minutes", "soon"], ["--fast"]])
  func `what it does not know it says, and plays nothing`(arguments: [String]) async throws {
    let run = try await SimulateProgram.script(arguments)
    #expect(run.status == 64)
    #expect(run.lines == [])
  }
}
