import SyncExecution
import SyncModel
import TestSupport
import Testing

/// Another client moves items on the server, and what the server says of changes has the new
/// addresses alone.
@Suite struct UntoldMoveTests {
  /// Deletions are told by none (Bedework), or in no answer to a token that is not known any more
  /// (DAViCal).
  private static let silent: [@Sendable (inout ModelSwitches) -> Void] = [
    { $0.forgetsDeletions = true },
    {
      $0.tokenLifetime = 0
      $0.invalidTokenListsAll = true
    },
  ]

  @Test(arguments: silent.indices)
  func `items that were moved are told to be nothing else`(index: Int) async throws {
    let pair = ModelPair(Self.silent[index])
    let uids = ["a", "b", "c", "d", "e", "f"]
    for uid in uids { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    // Most of them, so that the answer names little that is known.
    let moved = Array(uids.dropLast(2))
    for uid in moved {
      pair.removeRemote(uid)
      pair.server.put("re-\(uid).ics", ModelPair.event(uid, "A"), in: ModelPair.calendar)
    }
    let report = try await pair.sync()
    #expect(report.failure == nil && report.problems.isEmpty, "\(report.problems)")
    #expect(uids.map(pair.summaries) == uids.map { _ in "A|A" })
    try await pair.expectSilence()
    pair.editFile("a", ModelPair.event("a", "B"))
    try await pair.settle()
    #expect(pair.summaries("a") == "B|B")
    pair.removeFile("b")
    try await pair.settle()
    #expect(pair.summaries("b") == "-|-")
  }

  @Test func `duplicates that stay cost one request a run`() async throws {
    let pair = ModelPair()
    pair.putRemote("a", ModelPair.event("a", "A"))
    try await pair.settle()
    pair.server.forgetRequests()
    try await pair.settle()
    let quiet = pair.server.requests.count
    pair.server.put("re-a.ics", ModelPair.event("a", "A"), in: ModelPair.calendar)
    try await pair.settle()
    pair.server.forgetRequests()
    try await pair.settle()
    #expect(pair.server.requests.count == quiet + 2, "one more in each of two runs")
    let report = try await pair.sync()
    #expect(report.problems.map(\.problem.code) == [.duplicateUID, .duplicateUID])
  }
}
