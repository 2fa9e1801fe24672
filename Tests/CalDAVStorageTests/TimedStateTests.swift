import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Servers whose tokens or CTags are the second of the last change: what changes in that second,
/// after a run has listed the calendar, leaves them as they are.
@Suite struct TimedStateTests {
  /// A calendar with the item a and a token of seconds, and the cursor of a run in that second.
  private func listed(
    _ change: (inout ModelSwitches) -> Void = { _ in }
  ) async throws -> (ModelAccount, Cursor) {
    let model = ModelAccount {
      $0.tokenIsSecond = true
      $0.tokenIsNumber = true
      $0.hasCalendarTag = false
      $0.givesCreationDates = true
      change(&$0)
    }
    model.put("a.ics", event("a"))
    let cursor = try await listAll(try await model.storage()).cursor
    model.server.forgetRequests()
    return (model, cursor)
  }

  /// What a run lists some seconds later, and the methods of its requests.
  private func list(
    _ model: ModelAccount, since cursor: Cursor
  ) async throws -> (page: ChangePage, methods: [String]) {
    model.clock.advance(milliseconds: 5_000)
    model.server.forgetRequests()
    let page = try await model.storage().listChanges(since: cursor)
    return (page, model.server.requests.map(\.method))
  }

  private let ab = ["a.ics", "b.ics"].map(ModelAccount.href)

  @Test(arguments: [true, false])
  func `what changes in the second of a listing is seen by the next run`(
    tellsAgain: Bool
  ) async throws {
    let (model, cursor) = try await listed { $0.tellsSecondAgain = tellsAgain }
    model.put("b.ics", event("b"))
    let next = try await list(model, since: cursor)
    #expect(next.page.present.map(\.href) == ab)
    #expect(next.page.extent == (tellsAgain ? .changesOnly : .everything))
    #expect(
      next.methods == (tellsAgain ? ["PROPFIND", "REPORT"] : ["PROPFIND", "REPORT", "PROPFIND"]))

    let quiet = try await list(model, since: next.page.next)
    #expect(quiet.page.extent == .changesOnly && quiet.page.present.isEmpty)
    #expect(quiet.methods == ["PROPFIND"], "it is settled")
  }

  @Test func `so is what changes before a later change`() async throws {
    let (model, cursor) = try await listed()
    model.put("b.ics", event("b"))
    model.clock.advance(milliseconds: 5_000)
    model.put("c.ics", event("c"))
    let next = try await list(model, since: cursor)
    #expect(next.page.present.map(\.href) == ab + [ModelAccount.href("c.ics")])
    #expect(next.page.extent == .everything)
    #expect(try await list(model, since: next.page.next).methods == ["PROPFIND"])
  }

  @Test func `a deletion in that second teaches nothing of reports`() async throws {
    let (model, cursor) = try await listed()
    model.put("b.ics", event("b"))
    model.remove("a.ics")
    model.clock.advance(milliseconds: 5_000)
    let (account, storage) = try await model.open()
    let page = try await storage.listChanges(since: cursor)
    #expect(page.present.map(\.href) == [ab[1]] && page.extent == .everything)
    #expect(try await storage.confirmAbsence(of: [ab[0]]) == [ab[0]])
    #expect(account.learned.profile[.deletionsInChanges] == nil)
  }

  @Test func `a run within the second leaves the question open`() async throws {
    let (model, cursor) = try await listed()
    let again = try await model.storage().listChanges(since: cursor).next
    model.put("b.ics", event("b"))
    let next = try await list(model, since: again)
    #expect(next.page.present.map(\.href) == ab)
    #expect(try await list(model, since: next.page.next).methods == ["PROPFIND"])
  }

  @Test func `a CTag of seconds is asked about once more, too`() async throws {
    let (model, cursor) = try await listed {
      $0.hasSyncCollection = false
      $0.hasCalendarTag = true
      $0.calendarTagIsSecond = true
    }
    model.put("b.ics", event("b"))
    let next = try await list(model, since: cursor)
    #expect(next.page.present.map(\.href) == ab)
    #expect(next.methods == ["PROPFIND", "PROPFIND"])
    #expect(try await list(model, since: next.page.next).methods == ["PROPFIND"])
  }

  @Test func `the server's clock counts where it tells it`() async throws {
    let (model, _) = try await listed { $0.tellsDate = true }
    let clock = model.clock.surroundings
    let behind = Surroundings(
      now: { Instant(milliseconds: clock.now().milliseconds - 3_600_000) },
      newUUID: clock.newUUID, pause: clock.pause)
    func storage() async throws -> CalDAVStorage {
      var options = model.remembered
      options.found?.foundAt = behind.now()
      return try await model.account(options: options, surroundings: behind).openWork()
    }
    let cursor = try await listAll(try await storage()).cursor
    model.put("b.ics", event("b"))
    model.clock.advance(milliseconds: 5_000)
    let page = try await storage().listChanges(since: cursor)
    #expect(page.present.map(\.href) == ab)
    #expect(try await storage().traits.clockAhead == 3_600_000)
    model.server.forgetRequests()
    _ = try await storage().listChanges(since: page.next)
    #expect(model.server.requests.map(\.method) == ["PROPFIND"])
  }

  @Test(arguments: [
    ("1767600000", 0, true), ("1767600000", 2_000, true), ("1767600000", -2_000, true),
    ("1767600000", 2_001, false), ("data:,1767600000", 900, true),
    ("20260105T080000Z", 900, true), ("data:,20260105T080000Z-0001", 900, true),
    ("20260105T080000Z", 5_000, false), ("data:,1767600000-27", 0, false),
    ("http://sabre.io/ns/sync/1767600000", 0, false), ("17676000000", 0, false),
    ("20261305T080000Z", 900, false), ("20260105 080000Z", 900, false), ("", 0, false),
  ])
  func `a token is fresh for two seconds`(token: String, age: Int64, isFresh: Bool) {
    let now: Int64 = 1_767_600_000_000 + age
    let bytes = Array(token.utf8)
    #expect(CalendarState(token: bytes, tag: nil).read(at: now).isFresh == isFresh)
    #expect(CalendarState(token: nil, tag: bytes).read(at: now).isFresh == isFresh)
  }
}
