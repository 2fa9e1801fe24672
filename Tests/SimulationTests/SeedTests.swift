import Simulation
import TestSupport
import Testing

/// Random worlds by seed: people edit, things break, calgw is killed and goes on, and every promise
/// of docs/reliability.md is checked all the way.
@Suite struct SeedTests {
  #if DEBUG
    static let seeds = 600
  #else
    static let seeds = 20_000
  #endif

  @Test func `no seed breaks a promise, and every fault comes up`() async throws {
    let (status, lines) = try await SimulateProgram.run("seeds", "0", "\(Self.seeds)")
    let failures = lines.filter { $0.hasPrefix("seed ") }
    #expect(failures == [], "`Scripts/simulate --show SEED` shows what happens in it")
    #expect(status == 0)
    #expect(lines.last?.hasPrefix("\(Self.seeds) seeds, ") == true)
    #if !DEBUG
      let columns = lines.map { $0.split(separator: "\t") }.filter { $0.count == 3 }
      let hits = Dictionary(uniqueKeysWithValues: columns.map { ($0[0], Int($0[1])) })
      for entry in FaultTable.entries {
        let count = try #require(hits[Substring(entry.name)], "\(entry.name) is not in the table")
        #expect(count ?? 0 > 0, "\(entry.name) never came up: \(entry.title)")
      }
    #endif
  }

  /// The stories of failures that were found once: they never come back.
  @Test(arguments: (try? Project.files(in: "Fixtures/seeds", endingIn: ".story")) ?? [])
  func `what was found once stays mended`(name: String) throws {
    let outcome = Simulation.play(
      try Story(text: try Project.text("Fixtures/seeds/\(name)")))
    #expect(outcome.violations == [])
  }
}
