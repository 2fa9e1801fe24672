import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers that say where the item is that has the UID of a refused one (RFC 4791 §5.3.2.1).
@Suite struct HolderOfUIDTests {
  private let new = GuardedWrite.create(ModelAccount.href("n.ics"), event("a"))

  private func refuse(on model: ModelAccount, naming href: String) {
    model.server.plan(
      .answer(
        403, headers: [["Content-Type", "application/xml"]],
        body: """
          <D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><C:no-uid-conflict>
          <D:href>\(href)</D:href></C:no-uid-conflict></D:error>
          """), for: "PUT")
  }

  @Test func `it is named by the next listing, once in a run`() async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let cursor = try await listAll(storage).cursor
    let href = ModelAccount.href("a.ics")
    for isListed in [true, false] {
      refuse(on: model, naming: href.text)
      let outcome = await storage.carryOut([new])[0]
      #expect(outcome.isListedNext == isListed)
      #expect((outcome.result == .changedMeanwhile) == isListed, "\(outcome.result)")
      let page = try await storage.listChanges(since: cursor)
      #expect(page.present.map(\.href) == (isListed ? [href] : []))
    }
  }

  @Test(arguments: [
    "", "/calendars/alice/home/a.ics", "/calendars/alice/work/gone.ics",
    "/calendars/alice/work/n.ics", "https://elsewhere.example/calendars/alice/work/a.ics",
  ])
  func `what is no item of the calendar is not`(href: String) async throws {
    let (model, storage, _) = try await ModelAccount.withOneItem()
    let cursor = try await listAll(storage).cursor
    refuse(on: model, naming: href)
    let outcome = await storage.carryOut([new])[0]
    #expect(!outcome.isListedNext)
    guard case .refused = outcome.result else {
      Issue.record("it gave \(outcome.result)")
      return
    }
    #expect(try await storage.listChanges(since: cursor).present.isEmpty)
  }
}
