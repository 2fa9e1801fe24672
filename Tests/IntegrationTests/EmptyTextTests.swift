import SyncExecution
import TestSupport
import Testing

/// A server that stores new items under names of its own, says nothing of these or of tags, and
/// gives each item an empty text.
@Suite struct EmptyTextTests {
  @Test func `a new item is found under the server's name, and the empty text stays there`()
    async throws
  {
    let pair = ModelPair {
      $0.choosesNames = true
      $0.tellsNames = false
      $0.putTag = .none
      $0.addsEmptyTexts = true
    }
    pair.putRemote("m", ModelPair.event("m", "A"))
    try await pair.settle()
    let text = ModelPair.event("n", "A", ["X-KEEP:this"])
    pair.putFile("n", text)
    let report = try await pair.sync()
    #expect(report.failure == nil && report.problems.isEmpty, "\(report.problems)")
    #expect(report.conflicts.isEmpty && report.merged == 0)
    #expect(pair.server.acts.isSuperset(of: [.emptyTextAdded, .ownAddress]))
    #expect(pair.remotes("n").count == 1)
    try await pair.expectSilence()
    #expect(pair.files("n") == [text])
    pair.editFile("n", ModelPair.event("n", "B"))
    try await pair.settle()
    #expect(pair.summaries("n") == "B|B")
  }
}
