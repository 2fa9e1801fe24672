import SyncExecution
import SyncModel
import TestSupport
import Testing

/// A server that lists a calendar's items where the calendar is not, as after a move that was done
/// by halves: that they are not where they were proves nothing.
@Suite struct MembersElsewhereTests {
  static let places = ["/dav2/alice/work/", "https://elsewhere.example/calendars/alice/work/"]

  /// Two items on both sides.
  private func settled(_ change: (inout ModelSwitches) -> Void) async throws -> ModelPair {
    let pair = ModelPair(change)
    for uid in ["a", "b"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    return pair
  }

  @Test(arguments: places, [true, false])
  func `the files of items that are listed elsewhere stay`(place: String, hasSync: Bool)
    async throws
  {
    let pair = try await settled {
      $0.hasSyncCollection = hasSync
      $0.tokenLifetime = 0
    }
    pair.server.change { $0.itemsAreListedAt = place }
    pair.putRemote("new", ModelPair.event("new", "A"))
    for _ in 0..<2 {
      let problems = try await pair.sync().problems.map(\.problem.message)
      #expect(problems.count { $0.contains("is not") } == 3, "\(problems)")
      #expect(problems.count { $0.contains("may be it") } == 2, "\(problems)")
      #expect(["a", "b"].map { pair.files($0).count } == [1, 1])
    }
  }

  /// Those of a first sync as well as those that a lost journal knew.
  @Test(arguments: places, [true, false])
  func `items that are listed elsewhere are not sent again`(place: String, hasSync: Bool)
    async throws
  {
    let pair = try await settled { $0.hasSyncCollection = hasSync }
    pair.putFile("m", ModelPair.meeting("m", "A"))
    try await pair.settle()
    pair.server.change { $0.itemsAreListedAt = place }
    let (journal, mails) = (MemoryJournal(), pair.server.mails)
    pair.server.forgetRequests()
    for _ in 0..<2 {
      let problems = try await pair.sync(with: journal).problems.map(\.problem.message)
      #expect(problems.count { $0.hasPrefix("it waits until") } == 3, "\(problems)")
    }
    #expect(pair.server.count("PUT") == 0 && pair.server.mails == mails)
    #expect(["a", "b", "m"].map(pair.summaries) == ["A|A", "A|A", "A|A"])
  }
}
