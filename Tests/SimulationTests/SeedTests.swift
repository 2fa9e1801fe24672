import Simulation
import TestSupport
import Testing

/// Random worlds by seed: people edit, things break, calgw is killed and goes on, and every promise
/// of docs/reliability.md is checked all the way.
@Suite struct SeedTests {
  /// About two minutes on two cores with nothing else to do.
  #if DEBUG
    static let seeds = 600
  #else
    static let seeds = 20_000
  #endif

  /// One a core; each lets other tests go on after every seed.
  private static let blocks = 2

  @Test func `no seed breaks a promise, and every fault comes up`() async {
    let blocks = await withTaskGroup(of: Block.self) { group in
      for block in 0..<Self.blocks {
        group.addTask { await Block(seeds: block..<Self.seeds, by: Self.blocks) }
      }
      return await group.reduce(into: [Block]()) { $0.append($1) }
    }
    let failures = blocks.flatMap(\.failures)
    for failure in failures { Issue.record("\(failure)") }
    var hits: [String: Int] = [:]
    for block in blocks { hits.merge(block.hits, uniquingKeysWith: +) }
    #if !DEBUG
      let never = FaultTable.entries.map(\.name).filter { hits[$0] == nil }
      #expect(never == [], "these faults never came up")
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

/// Every second seed.
private struct Block: Sendable {
  var hits: [String: Int] = [:]
  var failures: [String] = []

  init(seeds: Range<Int>, by stride: Int) async {
    for seed in Swift.stride(from: seeds.lowerBound, to: seeds.upperBound, by: stride) {
      let outcome = Simulation.play(Story(seed: UInt64(seed)))
      await Task.yield()
      hits.merge(outcome.hits, uniquingKeysWith: +)
      if let first = outcome.violations.first {
        failures.append("seed \(seed): \(first); `Scripts/simulate --show \(seed)` shows it")
      }
    }
  }
}
