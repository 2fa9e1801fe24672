import Simulation
import Testing

/// The same seed gives the same run, in every process.
@Suite struct DeterminismTests {
  private static let seeds = 200

  @Test func `two processes play 200 seeds alike, although Swift hashes otherwise in each`()
    async throws
  {
    let (one, other) = (try await trace(), try await trace())
    #expect(one.count == Self.seeds + 1)
    // The first line is the hash of a text: where it were the same, the proof would be none.
    #expect(one.first != other.first)
    #expect(one.dropFirst() == other.dropFirst())
  }

  @Test func `one process plays a seed twice alike`() {
    for seed in 0..<UInt64(20) {
      let story = Story(seed: seed)
      #expect(Simulation.play(story).hash == Simulation.play(story).hash, "seed \(seed)")
    }
  }

  @Test func `a story is what its text says`() throws {
    for seed in 0..<UInt64(500) {
      let story = Story(seed: seed)
      #expect(try Story(text: story.description) == story, "seed \(seed)")
    }
  }

  private func trace() async throws -> [String] {
    let (status, lines) = try await SimulateProgram.run("hash", "0", "\(Self.seeds)")
    #expect(status == 0)
    return lines
  }
}
