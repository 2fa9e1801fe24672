import SyncExecution
import TestSupport
import Testing

/// A server that ends the address of what is gone in a slash, beside other changes.
@Suite struct SlashedAddressSyncTests {
  @Test func `what is deleted there goes here in the same run`() async throws {
    let pair = ModelPair { $0.endOfGone = "/" }
    for uid in ["a", "b", "c"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.removeRemote("b")
    pair.putRemote("c", ModelPair.event("c", "B"))
    let report = try await pair.sync()
    #expect(report.failure == nil && report.problems.isEmpty, "\(report.problems)")
    #expect(["a", "b", "c"].map(pair.summaries) == ["A|A", "-|-", "B|B"])
    try await pair.expectSilence()
  }

  @Test func `a sync in both directions goes as elsewhere`() async throws {
    try await ModelPair { $0.endOfGone = "/" }.makeRound()
  }
}
