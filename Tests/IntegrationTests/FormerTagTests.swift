import SyncExecution
import SyncModel
import TestSupport
import Testing

/// A server whose entity tags count an item's writes (SOGo): what is deleted and made again has its
/// former tag, and is seen all the same.
@Suite struct FormerTagTests {
  /// Two items, so that the server gives itself away, or one, so that it does not.
  static let worlds = [["a"], ["a", "b"]]

  private func pair(_ uids: [String]) async throws -> ModelPair {
    let pair = ModelPair { $0.tagIsCounter = true }
    for uid in uids { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.removeRemote("a")
    pair.putRemote("a", ModelPair.event("a", "Theirs"))
    return pair
  }

  @Test(arguments: worlds, [0, 24 * 3600 * 1000] as [Int64])
  func `what was made anew comes to the folder`(uids: [String], later: Int64) async throws {
    let pair = try await pair(uids)
    pair.clock.advance(milliseconds: later)
    try await pair.sync()
    #expect(pair.summaries("a") == "Theirs|Theirs")
    try await pair.expectSilence()
  }

  @Test(arguments: worlds)
  func `a deletion in the folder does not take it away`(uids: [String]) async throws {
    let pair = try await pair(uids)
    pair.removeFile("a")
    try await pair.sync()
    #expect(pair.summaries("a") == "Theirs|Theirs")
    try await pair.expectSilence()
  }

  @Test(arguments: worlds)
  func `an edit in the folder does not write over it unseen`(uids: [String]) async throws {
    let pair = try await pair(uids)
    pair.putFile("a", ModelPair.event("a", "Ours"))
    try await pair.sync()
    let kept = pair.journal.state.history.compactMap(\.entry.before)
    let theirs = ModelPair.event("a", "Theirs")
    let isThere = pair.summaries("a") == "Theirs|Theirs"
    #expect(isThere || kept.contains(sha256(Array(theirs.utf8))))
    try await pair.expectSilence()
  }
}
