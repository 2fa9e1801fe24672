import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A kill at each request of a sequence: nothing is lost that was there, and a second run of the
/// same writes brings what the first one meant.
@Suite struct StopTests {
  @Test(arguments: 1...8, [false, true])
  func `writes that were stopped can be carried out again`(
    request: Int, afterActing: Bool
  ) async throws {
    let (model, storage, version) = try await ModelAccount.withOneItem()
    let new = ModelAccount.href("n.ics")
    model.server.stop(atRequest: request, afterActing: afterActing)
    func run(_ storage: CalDAVStorage) async {
      for write in [
        GuardedWrite.create(new, event("n")),
        .replace(ModelAccount.href("a.ics"), expecting: version, with: event("a", "Doctor")),
      ] { _ = await storage.carryOut([write]) }
      guard
        case .found(let current, _, _)? =
          try? await storage.read([ModelAccount.href("a.ics")]).first?.result
      else { return }
      _ = await storage.carryOut([.delete(ModelAccount.href("a.ics"), expecting: current)])
    }
    await run(storage)
    model.server.restart()
    #expect(!model.server.names(in: ModelAccount.work).isEmpty)
    await run(try await model.storage())
    #expect(model.server.names(in: ModelAccount.work) == [Array("n.ics".utf8)])
    #expect(model.content("n.ics") == event("n").bytes)
  }

  @Test func `what is stopped before it acted changed nothing, and all later is stopped`()
    async throws
  {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    model.server.stop(atRequest: 1, afterActing: false)
    for name in ["n.ics", "m.ics"] {
      let outcomes = await storage.carryOut([.create(ModelAccount.href(name), event(name))])
      guard case .failed(let error) = outcomes[0].result else {
        Issue.record("it gave \(outcomes[0].result)")
        continue
      }
      #expect(error.kind == .stopped)
    }
    #expect(model.server.names(in: ModelAccount.work) == [Array("a.ics".utf8)])
  }
}
