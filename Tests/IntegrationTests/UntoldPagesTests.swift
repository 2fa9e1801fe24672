import SyncExecution
import TestSupport
import Testing

/// A server that cuts its answers and does not say so: what it left out is not missing there.
@Suite struct UntoldPagesTests {
  private static let cuts: [@Sendable (inout ModelSwitches) -> Void] = [
    {
      $0.pageSize = 5
      $0.tellsOfPages = false
    },
    // Under the newest token.
    { $0.mostInWholeReport = 5 },
  ]

  @Test(arguments: cuts.indices)
  func `what both sides have is there once after a first sync and after a lost journal`(
    index: Int
  ) async throws {
    let pair = ModelPair(Self.cuts[index])
    let uids = (0..<12).map { "i\($0)" }
    for uid in uids {
      pair.putFile(uid, ModelPair.event(uid, "A"))
      pair.putRemote(uid, ModelPair.event(uid, "A"))
    }
    for journal in [MemoryJournal(), MemoryJournal()] {
      let report = try await pair.sync(with: journal)
      #expect(report.problems.isEmpty, "\(report.problems)")
    }
    #expect(pair.server.count("PUT") == 0)
    for uid in uids { #expect(pair.summaries(uid) == "A|A") }
  }

  @Test(arguments: cuts.indices)
  func `all of it comes down in a first sync`(index: Int) async throws {
    let pair = ModelPair(Self.cuts[index])
    let uids = (0..<12).map { "i\($0)" }
    for uid in uids { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.sync()
    for uid in uids { #expect(pair.summaries(uid) == "A|A") }
    try await pair.expectSilence()
  }
}
