import SyncExecution
import TestSupport
import Testing

/// Servers that answer a token which they do not know any more with all that there is, and say
/// nothing of what is gone (DAViCal, Stalwart, Purelymail, OX).
@Suite struct LostTokenTests {
  @Test(arguments: [2, 6])
  func `what was deleted there meanwhile goes in the same run`(count: Int) async throws {
    let pair = ModelPair {
      $0.invalidTokenListsAll = true
      $0.tokenLifetime = 0
    }
    let uids = (1...count).map { "event-\($0)" }
    for uid in uids { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.removeRemote("event-1")
    try await pair.sync()
    #expect(pair.summaries("event-1") == "-|-")
    for uid in uids.dropFirst() { #expect(pair.summaries(uid) == "A|A") }
    try await pair.expectSilence()
  }
}
