import SyncExecution
import TestSupport
import Testing

/// A server that compares two states (Xandikos) names nothing of what came and went in between:
/// what calgw stored, and somebody has deleted by the next listing.
@Suite struct UntoldOwnWritesTests {
  private func settled() async throws -> ModelPair {
    let pair = ModelPair {
      $0.comparesStates = true
      // One that moves, and tells nothing, has all tags compared.
      $0.hasCalendarTag = false
    }
    for uid in ["a", "c", "d"] { pair.putFile(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    return pair
  }

  @Test func `what is gone before the listing after its upload goes here, too`() async throws {
    let pair = try await settled()
    pair.putFile("b", ModelPair.event("b", "A"))
    // The first report reads back what was stored.
    pair.before(["REPORT"]) { pair.before(["REPORT"]) { pair.removeRemote("b") } }
    try await pair.settle()
    #expect(pair.summaries("b") == "-|-")
    try await pair.expectSilence()
  }

  @Test func `so it does where the run was cut off before that listing`() async throws {
    let pair = try await settled()
    pair.putFile("b", ModelPair.event("b", "A"))
    pair.before(["REPORT"]) {
      pair.before(["REPORT"]) {
        pair.server.interfere { $0.method == "REPORT" ? .noConnection : nil }
      }
    }
    #expect(try await pair.sync().failure != nil)
    #expect(pair.remotes("b").count == 1)
    pair.removeRemote("b")
    pair.server.interfere(nil)
    try await pair.settle()
    #expect(pair.summaries("b") == "-|-")
    try await pair.expectSilence()
  }
}
