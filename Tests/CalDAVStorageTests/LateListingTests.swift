import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers without sync-collection whose calendar tag moves at once, and whose listings show late
/// what changed.
@Suite struct LateListingTests {
  private let ab = ["a.ics", "b.ics"].map(ModelAccount.href)

  /// A calendar with the item a, which runs know, on a server that shows changes after some
  /// milliseconds.
  private func known(late lag: Int64) async throws -> (ModelAccount, Cursor) {
    let model = ModelAccount {
      $0.hasSyncCollection = false
      $0.calendarTagIsPrompt = true
      $0.lag = lag
    }
    model.put("a.ics", event("a"))
    model.clock.advance(milliseconds: lag)
    let first = try await listAll(try await model.storage()).cursor
    return (model, first)
  }

  /// What a run lists some milliseconds later, and the methods of its requests.
  private func run(
    _ model: ModelAccount, after pause: Int64, since cursor: inout Cursor
  ) async throws -> (names: [Href], methods: [String]) {
    model.clock.advance(milliseconds: pause)
    let storage = try await model.storage()
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: cursor)
    cursor = page.next
    return (page.present.map(\.href), model.server.requests.map(\.method))
  }

  @Test func `what a listing shows late is seen by the run after it`() async throws {
    var (model, cursor) = try await known(late: 6_000)
    model.put("b.ics", event("b"))
    #expect(try await run(model, after: 1_000, since: &cursor).names == [ab[0]])
    #expect(try await run(model, after: 10_000, since: &cursor).names == ab)
    #expect(try await run(model, after: 300_000, since: &cursor).names == ab)
    let quiet = try await run(model, after: 60_000, since: &cursor)
    #expect(quiet.methods.isEmpty, "it is settled: the listing of calendars says enough")
  }

  @Test func `so is a deletion`() async throws {
    var (model, cursor) = try await known(late: 6_000)
    model.remove("a.ics")
    #expect(try await run(model, after: 1_000, since: &cursor).names == [ab[0]])
    #expect(try await run(model, after: 1_000, since: &cursor).names == [ab[0]])
    #expect(try await run(model, after: 10_000, since: &cursor).names == [])
    #expect(try await run(model, after: 300_000, since: &cursor).names == [])
    #expect(try await run(model, after: 60_000, since: &cursor).methods.isEmpty)
  }

  @Test func `what shows before the rest is not taken for all of it`() async throws {
    var (model, cursor) = try await known(late: 6_000)
    model.put("b.ics", event("b"))
    model.clock.advance(milliseconds: 4_000)
    model.put("c.ics", event("c"))
    #expect(try await run(model, after: 1_000, since: &cursor).names == [ab[0]])
    #expect(try await run(model, after: 3_000, since: &cursor).names == ab)
    let all = try await run(model, after: 10_000, since: &cursor)
    #expect(all.names == ab + [ModelAccount.href("c.ics")])
  }

  @Test func `a tag that moves for nothing costs listings for five minutes`() async throws {
    var (model, cursor) = try await known(late: 0)
    model.put("b.ics", event("b"))
    model.remove("b.ics")
    for minute in 0..<6 {
      let seen = try await run(model, after: 60_000, since: &cursor)
      #expect(seen.methods == ["PROPFIND"], "minute \(minute)")
    }
    #expect(try await run(model, after: 60_000, since: &cursor).methods.isEmpty)
  }
}
