import SyncExecution
import SyncModel
import TestSupport
import Testing

/// A server that lists a calendar's items where the calendar is not, as after a move that was done
/// by halves: that they are not where they were proves nothing.
@Suite struct MembersElsewhereTests {
  static let places = ["/dav2/alice/work/", "https://elsewhere.example/calendars/alice/work/"]

  /// Two items on both sides, and from now on listed elsewhere alone.
  private func moved(to place: String, hasSync: Bool = true) async throws -> ModelPair {
    let pair = ModelPair {
      $0.hasSyncCollection = hasSync
      $0.tokenLifetime = 0
    }
    for uid in ["a@x", "b"] { pair.putRemote(uid, ModelPair.event(uid, "A")) }
    try await pair.settle()
    pair.server.change { $0.itemsAreListedAt = place }
    return pair
  }

  private func isHeld(_ problem: ReportedProblem) -> Bool {
    problem.problem.code == .refused
      && problem.problem.message.contains("that side lists it at")
  }

  @Test(arguments: places, [true, false])
  func `the files of items that are listed elsewhere stay`(place: String, hasSync: Bool)
    async throws
  {
    let pair = try await moved(to: place, hasSync: hasSync)
    pair.putRemote("new", ModelPair.event("new", "A"))
    for _ in 0..<2 {
      let report = try await pair.sync()
      #expect(report.problems.filter(isHeld).compactMap(\.item.uid?.text).sorted() == ["a@x", "b"])
      #expect(["a@x", "b"].map { pair.files($0).count } == [1, 1])
    }
    pair.server.change { $0.itemsAreListedAt = nil }
    pair.putRemote("later", ModelPair.event("later", "A"))
    try await pair.settle()
    #expect(["a@x", "b", "new", "later"].map { pair.files($0).count } == [1, 1, 1, 1])
    #expect(try await pair.sync().problems.isEmpty)
  }

  @Test(arguments: places)
  func `an edit here is not sent to where the item was`(place: String) async throws {
    let pair = try await moved(to: place)
    pair.putRemote("new", ModelPair.event("new", "A"))
    pair.editFile("a@x", ModelPair.event("a@x", "B"))
    let report = try await pair.sync()
    #expect(report.problems.contains { isHeld($0) && $0.item.uid?.text == "a@x" })
    #expect(pair.server.count("PUT") == 0)
  }

  @Test(arguments: Side.allCases)
  func `a person decides about one`(side: Side) async throws {
    let pair = try await moved(to: Self.places[0])
    pair.putRemote("new", ModelPair.event("new", "A"))
    _ = try await pair.sync()
    _ = try await pair.resolve("a@x", taking: side == .local ? .local : .remote)
    #expect(pair.files("a@x").count == (side == .local ? 1 : 0))
    #expect(pair.server.count("PUT") == (side == .local ? 1 : 0))
    #expect(pair.files("b").count == 1)
  }
}
