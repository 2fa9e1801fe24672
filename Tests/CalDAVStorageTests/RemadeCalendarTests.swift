import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A calendar that was deleted and made again at its address, and listings that leave items out:
/// where a server's changes cannot be the whole truth, all tags are compared.
@Suite struct RemadeCalendarTests {
  /// The cursor of a calendar with three items, which is then made anew with one other.
  private func remade(_ change: (inout ModelSwitches) -> Void) async throws -> (
    ModelAccount, Cursor
  ) {
    let model = ModelAccount(change)
    for name in ["a", "b", "c"] { model.put("\(name).ics", event(name)) }
    let cursor = try await listAll(try await model.storage()).cursor
    model.server.removeCalendar(ModelAccount.work)
    model.server.makeCalendar("work", components: ["VEVENT"])
    model.put("d.ics", event("d"))
    model.server.forgetRequests()
    return (model, cursor)
  }

  @Test func `a count of changes that went down shows it`() async throws {
    let (model, cursor) = try await remade { $0.tokenIsCount = true }
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == [ModelAccount.href("d.ics")])
    #expect(model.server.requests.map(\.method) == ["PROPFIND", "PROPFIND"])
    model.put("e.ics", event("e"))
    let later = try await model.storage().listChanges(since: page.next)
    #expect(later.extent == .changesOnly, "from there on the count goes up again")
    #expect(later.present.map(\.href) == [ModelAccount.href("e.ics")])
  }

  @Test func `another resource-id shows it, whatever the count`() async throws {
    let (model, cursor) = try await remade {
      $0.tokenIsCount = true
      $0.givesResourceIDs = true
    }
    for number in 0..<5 { model.put("n\(number).ics", event("n\(number)")) }
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.count == 6)
  }

  @Test func `what a listing in parts skips is found`() async throws {
    let model = ModelAccount {
      $0.pageSize = 2
      $0.skipsBetweenPages = true
    }
    for number in 0..<7 { model.put("i\(number).ics", event("i\(number)")) }
    let (pages, cursor) = try await {
      let all = try await listAll(try await model.storage())
      return (all.pages, all.cursor)
    }()
    let whole = try #require(pages.last)
    #expect(whole.startsOver && whole.extent == .everything)
    #expect(whole.present.count == 7)
    model.server.forgetRequests()
    let next = try await model.storage().listChanges(since: cursor)
    #expect(next.present.isEmpty && next.gone.isEmpty)
    #expect(model.server.requests.map(\.method) == ["PROPFIND"], "nothing has changed since")
  }
}
