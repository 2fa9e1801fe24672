import Glibc
import Simulation
import TestSupport
import Testing

/// The same seed gives the same run, in every process.
@Suite struct DeterminismTests {
  private static let seeds = 200

  @Test func `two processes play 200 seeds alike, although Swift hashes otherwise in each`()
    throws
  {
    let (one, other) = (try trace(), try trace())
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

  /// The lines of the helper process.
  private func trace() throws -> [String] {
    let path = Checkout.program("simulate")
    let command = "env -u SWIFT_DETERMINISTIC_HASHING '\(path)' hash 0 \(Self.seeds)"
    let stream = try #require(popen(command, "re"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    #expect(pclose(stream) == 0)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
