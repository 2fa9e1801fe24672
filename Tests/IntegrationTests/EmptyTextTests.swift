import SyncExecution
import TestSupport
import Testing

/// A server that stores new items under names of its own, says nothing of these or of tags, and
/// gives each item an empty text.
@Suite struct EmptyTextTests {
  private static func makePair() -> ModelPair {
    ModelPair {
      $0.choosesNames = true
      $0.tellsNames = false
      $0.putTag = .none
      $0.addsEmptyTexts = true
    }
  }

  @Test func `a new item is found under the server's name, and the empty text stays there`()
    async throws
  {
    let pair = Self.makePair()
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

  @Test func `an edit that outlives a deletion there is found under the server's name, too`()
    async throws
  {
    let pair = Self.makePair()
    for uid in ["k", "m"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.removeRemote("m")
    let text = ModelPair.event("m", "B", ["X-KEEP:this"])
    pair.editFile("m", text)
    let report = try await pair.sync()
    #expect(report.failure == nil && report.problems.isEmpty, "\(report.problems)")
    #expect(report.conflicts.isEmpty && report.merged == 0)
    #expect(pair.server.acts.isSuperset(of: [.emptyTextAdded, .ownAddress]))
    #expect(pair.remotes("m").count == 1)
    try await pair.expectSilence()
    #expect(pair.files("m") == [text])
    pair.editFile("m", ModelPair.event("m", "C"))
    try await pair.settle()
    #expect(pair.summaries("m") == "C|C")
  }
}
