import SyncExecution
import TestSupport
import Testing

/// A server that stores new items under names of its own, says nothing of these, and lets one UID
/// stand twice.
@Suite struct StrayedItemSyncTests {
  @Test(arguments: [true, false])
  func `a new item whose answer was lost is there once`(listsChanges: Bool) async throws {
    let pair = ModelPair {
      $0.choosesNames = true
      $0.tellsNames = false
      $0.hasSyncCollection = listsChanges
    }
    pair.putFile("a", ModelPair.event("a", "A"))
    try await pair.settle()
    pair.putFile("n", ModelPair.event("n", "A"))
    pair.server.plan(.unanswered(isDone: true), for: "PUT")
    let report = try await pair.sync()
    #expect(report.problems.isEmpty, "\(report.problems)")
    #expect(pair.remotes("n").count == 1)
    try await pair.settle()
    #expect(pair.summaries("n") == "A|A")
    try await pair.expectSilence()
    pair.editFile("n", ModelPair.event("n", "B"))
    try await pair.settle()
    #expect(pair.summaries("n") == "B|B")
  }
}
