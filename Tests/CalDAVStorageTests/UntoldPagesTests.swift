import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers that cut an answer to sync-collection and do not say so; RFC 6578 §3.6 wants 507 there.
@Suite struct UntoldPagesTests {
  private let all = (0..<5).map { ModelAccount.href("i\($0).ics") }

  /// Five items, of which an answer names two.
  private func cut() -> ModelAccount {
    let model = ModelAccount {
      $0.pageSize = 2
      $0.tellsOfPages = false
    }
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    return model
  }

  private func methods(_ model: ModelAccount) -> [String] { model.server.requests.map(\.method) }

  @Test func `a listing of everything that is cut is completed`() async throws {
    let model = cut()
    let page = try await model.storage().listChanges(since: nil)
    #expect(page.extent == .everything && page.isLast)
    #expect(page.present.map(\.href) == all)
    model.server.forgetRequests()
    let quiet = try await model.storage().listChanges(since: page.next)
    #expect(quiet.extent == .changesOnly && quiet.present.isEmpty)
    #expect(methods(model) == ["PROPFIND"], "the rest is no news")
  }

  @Test func `so is one in the place of changes since a token that is not known`() async throws {
    let model = cut()
    let known = try await model.storage().listChanges(since: nil).next
    model.put("i0.ics", event("i0", "Doctor"))
    let storage = try await model.storage()
    model.server.plan(.answer(403), for: "REPORT")
    let page = try await storage.listChanges(since: known)
    #expect(page.extent == .everything)
    #expect(Set(page.present.map(\.href)) == Set(all))
  }

  @Test func `where the server lists nothing as a whole, the rest comes as changes`() async throws {
    let model = cut()
    model.server.interfere { request in
      let isWhole = request.line == "PROPFIND \(ModelAccount.work)"
      return isWhole && request.headers["depth"] == "1" ? .answer(502) : nil
    }
    var named: Set<Href> = []
    var cursor: Cursor?
    for _ in 0..<3 {
      let page = try await model.storage().listChanges(since: cursor)
      named.formUnion(page.present.map(\.href))
      cursor = page.next
    }
    #expect(named == Set(all))
  }

  /// Five items, of which a report of everything names two, under the newest token.
  private func cutUnderNewestToken() -> ModelAccount {
    let model = ModelAccount { $0.mostInWholeReport = 2 }
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    return model
  }

  @Test func `a first listing that is cut under the newest token is completed`() async throws {
    let model = cutUnderNewestToken()
    let storage = try await model.storage()
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: nil)
    #expect(page.extent == .everything && page.isLast)
    #expect(page.present.map(\.href) == all)
    #expect(methods(model) == ["REPORT", "PROPFIND"])
    // So is another one of that run, where a look has refuted the first.
    #expect(try await storage.listChanges(since: nil).present.map(\.href) == all)
    model.server.forgetRequests()
    let quiet = try await model.storage().listChanges(since: page.next)
    #expect(quiet.extent == .changesOnly && quiet.present.isEmpty)
    #expect(methods(model) == ["PROPFIND"], "the next comparison is a day away")
  }

  @Test func `what that could not be compared with is compared within the hour`() async throws {
    let model = cutUnderNewestToken()
    model.server.interfere { request in
      let isWhole = request.line == "PROPFIND \(ModelAccount.work)"
      return isWhole && request.headers["depth"] == "1" ? .answer(502) : nil
    }
    let page = try await model.storage().listChanges(since: nil)
    #expect(page.present.count == 2)
    model.server.interfere(nil)
    model.clock.advance(milliseconds: 3_600_000)
    let later = try await model.storage().listChanges(since: page.next)
    #expect(later.extent == .everything && later.present.map(\.href) == all)
  }

  @Test func `a later listing of everything costs no more than it did`() async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let known = try await model.storage().listChanges(since: nil).next
    model.put("b.ics", event("b"))
    model.server.change { $0.tokenLifetime = 0 }
    let storage = try await model.storage()
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: known)
    #expect(page.extent == .everything && page.present.count == 2)
    _ = try await storage.listChanges(since: nil)
    #expect(methods(model) == ["REPORT", "REPORT", "REPORT"])
  }

  /// What the calendar had shown is no promise: somebody may write meanwhile.
  @Test(arguments: [false, true])
  func `an edit before the first listing costs one report, and the next run nothing`(
    isEdited: Bool
  ) async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    if isEdited { model.put("a.ics", event("a", "Doctor")) }
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.href) == [ModelAccount.href("a.ics")])
    #expect(methods(model) == (isEdited ? ["REPORT"] : []) + ["REPORT", "PROPFIND"])
    let quiet = try await model.storage().listChanges(since: page.next)
    #expect(quiet.present.isEmpty)
  }

  @Test func `what a report tells again is no rest`() async throws {
    let model = ModelAccount {
      $0.tokenIsNumber = true
      $0.tokenIsSecond = true
      $0.tellsSecondAgain = true
    }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    model.clock.advance(milliseconds: 5_000)
    model.put("a.ics", event("a", "Doctor"))
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.href) == [ModelAccount.href("a.ics")])
    #expect(methods(model) == ["REPORT", "REPORT", "PROPFIND"])
  }
}
