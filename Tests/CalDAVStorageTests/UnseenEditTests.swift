import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Another client's edit on a server that shows writes late (Bedework): the guard of a write fails
/// on it while looks still show what was expected.
@Suite struct UnseenEditTests {
  private let href = ModelAccount.href("a.ics")

  /// A server with an item that another client has just edited, and that shows it after so many
  /// milliseconds.
  ///
  /// - Parameter isKnown: A former write has shown that the server is late.
  private func edited(
    isKnown: Bool = true, shownAfter lag: Int64
  ) async throws -> (ModelAccount, CalDAVStorage, Version) {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    model.clock.advance(milliseconds: 60_000)
    model.server.change { $0.writeLag = 2_000 }
    if isKnown {
      let new = ModelAccount.href("n.ics")
      _ = await storage.carryOut([.create(new, event("n"))])
      _ = try await storage.read([new])
    }
    model.server.change { $0.writeLag = lag }
    model.put("a.ics", event("a", "Theirs"))
    model.server.forgetRequests()
    return (model, storage, version)
  }

  private func writes(_ version: Version) -> [GuardedWrite] {
    [
      .replace(href, expecting: version, with: event("a", "Ours")),
      .delete(href, expecting: version),
    ]
  }

  @Test(arguments: [0, 1], [true, false])
  func `it is waited for where the server is known to show writes late`(
    index: Int, isKnown: Bool
  ) async throws {
    let (model, storage, version) = try await edited(isKnown: isKnown, shownAfter: 3_000)
    let write = writes(version)[index]
    let outcome = await storage.carryOut([write])[0]
    #expect((outcome.result == .changedMeanwhile) == isKnown, "\(outcome.result)")
    #expect((outcome.refusal == .refused) == !isKnown, "\(outcome.result)")
    #expect(model.server.count(write.method) == 1)
    #expect(model.server.count("GET") == (isKnown ? 4 : 1))
    #expect(model.content("a.ics") == event("a", "Theirs").bytes)
  }

  /// Its tags may be no guards at all.
  @Test func `where it does not show in time the write is refused, and the next one at once`()
    async throws
  {
    let (model, storage, version) = try await edited(shownAfter: 60_000)
    for looks in [4, 1] {
      model.server.forgetRequests()
      let outcome = await storage.carryOut([writes(version)[0]])[0]
      #expect(outcome.refusal == .refused && outcome.isTransient, "\(outcome.result)")
      #expect(model.server.count("GET") == looks)
    }
  }

  @Test func `what became of a write is open where the run is to end while it is waited for`()
    async throws
  {
    let (model, storage, version) = try await edited(shownAfter: 3_000)
    let start = model.clock.now.milliseconds
    let shouldStop = { @Sendable in model.clock.now.milliseconds >= start + 200 }
    let outcomes = await RunBudget.until(nil, shouldStop: shouldStop) {
      await storage.carryOut([writes(version)[0]])
    }
    guard case .unknown = outcomes[0].result else {
      Issue.record("it gave \(outcomes[0].result)")
      return
    }
    #expect(model.clock.now.milliseconds - start < 500)
    #expect(model.content("a.ics") == event("a", "Theirs").bytes)
  }
}
