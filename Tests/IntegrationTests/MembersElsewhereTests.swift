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
}
