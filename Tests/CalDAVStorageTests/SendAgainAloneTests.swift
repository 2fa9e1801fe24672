import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A server may fail with a write because of another one under way.
@Suite struct SendAgainAloneTests {
  private func creation(_ name: String, of data: ItemData) -> GuardedWrite {
    .create(ModelAccount.href("\(name).ics"), data)
  }

  private func creations(_ count: Int) -> [GuardedWrite] {
    (0..<count).map { creation("\($0)", of: event("\($0)")) }
  }

  private func isStored(_ outcome: WriteOutcome) -> Bool {
    if case .stored = outcome.result { true } else { false }
  }

  @Test func `what failed among others is sent once more by itself`() async throws {
    let model = ModelAccount()
    let storage = try await model.storage()
    model.server.plan(.answer(500), for: "PUT", times: 2)
    let outcomes = await storage.carryOut(creations(4))
    #expect(outcomes.allSatisfy(isStored))
    #expect(model.server.count("PUT") == 6)
    for name in 0..<4 { #expect(model.content("\(name).ics") == event("\(name)").bytes) }
  }

  @Test func `what failed by itself is not`() async throws {
    let model = ModelAccount()
    let storage = try await model.storage()
    model.server.plan(.answer(500), for: "PUT")
    let outcomes = await storage.carryOut(creations(1))
    #expect(outcomes.map(\.refusal) == [.refused])
    #expect(model.server.count("PUT") == 1)
  }

  @Test func `a server that fails with all of them is not asked for each again`() async throws {
    let model = ModelAccount()
    let storage = try await model.storage()
    model.server.plan(.answer(500), for: "PUT", times: 99)
    let outcomes = await storage.carryOut(creations(10))
    #expect(outcomes.allSatisfy { $0.refusal == .refused && $0.isTransient })
    #expect(model.server.count("PUT") == 13)
  }

  /// It may have sent its mail before it failed.
  @Test func `of a meeting, or a deletion, it is not`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let text = String(decoding: event("m").bytes, as: UTF8.self)
    let meeting = text.replacing(
      "END:VEVENT", with: "ORGANIZER:mailto:alice@example.org\r\nEND:VEVENT")
    model.server.plan(.answer(500), for: "PUT")
    model.server.plan(.answer(500), for: "DELETE")
    let outcomes = await storage.carryOut([
      creation("m", of: ItemData(bytes: Array(meeting.utf8))),
      .delete(ModelAccount.href("a.ics"), expecting: version),
    ])
    #expect(outcomes.map(\.refusal) == [.refused, .refused])
    #expect(model.server.count("PUT") == 1 && model.server.count("DELETE") == 1)
    #expect(model.content("a.ics") != nil && model.content("m.ics") == nil)
  }

  /// It would be there twice.
  @Test func `nor is what may be stored at another address`() async throws {
    let model = ModelAccount { $0.choosesNames = true }
    let storage = try await model.storage()
    model.server.plan(.actThenAnswer(500), for: "PUT", times: 2)
    _ = await storage.carryOut(creations(2))
    #expect(model.server.count("PUT") == 2)
  }

  @Test func `a replacement keeps its guard`() async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let replacement = GuardedWrite.replace(
      ModelAccount.href("a.ics"), expecting: version, with: event("a", "Ours"))
    model.server.plan(.answer(500), for: "PUT", times: 2)
    let outcomes = await storage.carryOut([replacement] + creations(1))
    #expect(outcomes.allSatisfy(isStored))
    let guards = model.server.requests
      .filter { $0.method == "PUT" && $0.path.hasSuffix("/a.ics") }.map { $0.headers["if-match"] }
    #expect(guards.count == 2 && guards[0] != nil && guards[0] == guards[1])
  }
}
