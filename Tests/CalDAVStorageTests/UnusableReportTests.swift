import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A report of changes is answered with a success that is of no use, or not at all; the calendar
/// can be listed.
@Suite struct UnusableReportTests {
  private static let faults = [
    ModelFault.answer(200, headers: [["Content-Type", "application/xml"]], body: "<x/>"),
    .answer(204), .answer(207), .webPage, .cutUnnoticed(150),
    .answer(207, body: "<D:multistatus xmlns:D='DAV:'><D:response>"),
  ]
  private static let silences = [
    ModelFault.silent, .lostBefore, .truncated(50), .answer(503),
    .answer(429, headers: [["Retry-After", "5"]]),
  ]

  /// Opened by a run that knows what earlier ones learned.
  private func open(
    _ model: ModelAccount, _ learned: CalDAVAccount.Learned? = nil
  ) async throws -> (CalDAVAccount, CalDAVStorage) {
    let opened = try await model.open(learned)
    model.server.forgetRequests()
    return opened
  }

  /// A calendar with one event.
  private func calendar() -> ModelAccount {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    return model
  }

  /// A calendar with one event, of which each report of changes meets a fault.
  private func whereReportsMeet(
    _ fault: ModelFault
  ) async throws -> (ModelAccount, CalDAVAccount, CalDAVStorage) {
    let model = calendar()
    model.server.interfere { $0.method == "REPORT" ? fault : nil }
    let (account, storage) = try await open(model)
    return (model, account, storage)
  }

  /// One that has got a second event since it was listed, and where that listing left off.
  private func changedCalendar() async throws -> (ModelAccount, Cursor) {
    let model = calendar()
    let known = try await listAll(try await model.storage()).cursor
    model.put("b.ics", event("b"))
    return (model, known)
  }

  @Test(arguments: faults) func `one such answer is made up for, and says nothing`(
    fault: ModelFault
  ) async throws {
    let model = calendar()
    let (account, storage) = try await open(model)
    model.server.plan(fault, for: "REPORT")
    let page = try await storage.listChanges(since: nil)
    #expect(page.extent == .everything && page.present.map(\.href) == [ModelAccount.href("a.ics")])
    #expect(account.learned.profile[.syncCollection]?.holds != false)
    model.put("b.ics", event("b"))
    let changes = try await model.storage().listChanges(since: page.next)
    #expect(changes.extent == .changesOnly)
    #expect(changes.present.map(\.href) == [ModelAccount.href("b.ics")])
  }

  @Test(arguments: faults) func `a report that never works is learned, for a week`(
    fault: ModelFault
  ) async throws {
    let (model, first, storage) = try await whereReportsMeet(fault)
    let all = try await storage.listChanges(since: nil)
    #expect(all.present.count == 1)
    #expect(first.learned.profile[.syncCollection] == nil)
    model.put("b.ics", event("b"))
    let (second, changed) = try await open(model, first.learned)
    let page = try await changed.listChanges(since: all.next)
    #expect(page.extent == .everything && page.present.count == 2)
    // By the token, and without it.
    #expect(model.server.count("REPORT") == 2)
    let finding = try #require(second.learned.profile[.syncCollection])
    #expect(!finding.holds && !finding.answer.isEmpty)
    for (days, reports) in [(1, 0), (8, 1)] as [(Int64, Int)] {
      model.clock.advance(milliseconds: days * 86_400_000)
      let (_, later) = try await open(model, second.learned)
      #expect(try await later.listChanges(since: nil).present.count == 2)
      #expect(model.server.count("REPORT") == reports)
    }
  }

  @Test(arguments: faults) func `where the token alone is at fault, the report is kept`(
    fault: ModelFault
  ) async throws {
    let (model, known) = try await changedCalendar()
    let (account, storage) = try await open(model)
    model.server.plan(fault, for: "REPORT")
    let page = try await storage.listChanges(since: known)
    #expect(page.extent == .everything && page.startsOver && page.present.count == 2)
    #expect(model.server.count("REPORT") == 2 && model.server.count("PROPFIND") == 0)
    #expect(account.learned.profile[.syncCollection]?.holds == true)
  }

  @Test(arguments: faults + silences) func `the daily comparison goes on without it`(
    fault: ModelFault
  ) async throws {
    let (model, known) = try await changedCalendar()
    model.clock.advance(milliseconds: 86_400_000)
    let storage = try await model.storage()
    model.server.interfere { $0.method == "REPORT" ? fault : nil }
    let page = try await storage.listChanges(since: known)
    #expect(page.extent == .everything && page.present.count == 2)
  }

  @Test(arguments: silences) func `a report that no run gets an answer to is learned`(
    fault: ModelFault
  ) async throws {
    let (model, first, storage) = try await whereReportsMeet(fault)
    let all = try await storage.listChanges(since: nil)
    #expect(all.extent == .everything && all.present.map(\.href) == [ModelAccount.href("a.ics")])
    #expect(first.learned.profile[.syncCollection] == nil)
    // The run goes on without it.
    model.server.forgetRequests()
    model.put("b.ics", event("b"))
    #expect(try await storage.listChanges(since: all.next).present.count == 2)
    #expect(model.server.count("REPORT") == 0)
    let (second, changed) = try await open(model, first.learned)
    let page = try await changed.listChanges(since: all.next)
    #expect(page.extent == .everything && page.present.count == 2)
    #expect(model.server.count("REPORT") > 0)
    let finding = try #require(second.learned.profile[.syncCollection])
    #expect(!finding.holds && !finding.answer.isEmpty)
    let (_, later) = try await open(model, second.learned)
    #expect(try await later.listChanges(since: nil).present.count == 2)
    #expect(model.server.count("REPORT") == 0)
  }

  @Test func `after one report without an answer a run asks for no other`() async throws {
    let model = calendar()
    model.server.makeCalendar("private", displayName: "Private")
    let (account, storage) = try await open(model)
    model.server.interfere { $0.method == "REPORT" ? .silent : nil }
    _ = try await storage.listChanges(since: nil)
    let other = try #require(try await account.listCollections().first { $0.name == "private" })
    model.server.forgetRequests()
    let page = try await account.openCalendar(other).listChanges(since: nil)
    #expect(page.extent == .everything && page.present.isEmpty)
    #expect(model.server.count("REPORT") == 0)
    #expect(account.learned.profile[.syncCollection] == nil)
  }

  @Test(arguments: silences) func `one that is silent now and then is kept`(
    fault: ModelFault
  ) async throws {
    let (model, known) = try await changedCalendar()
    var cursor = known
    var learned: CalDAVAccount.Learned?
    for (name, isSilent) in [("c", true), ("d", false), ("e", true)] {
      model.put("\(name).ics", event(name))
      let (account, storage) = try await open(model, learned)
      model.server.interfere { isSilent && $0.method == "REPORT" ? fault : nil }
      let page = try await storage.listChanges(since: cursor)
      #expect(page.extent == (isSilent ? .everything : .changesOnly))
      #expect(account.learned.profile[.syncCollection]?.holds != false)
      (cursor, learned) = (page.next, account.learned)
      model.server.interfere(nil)
    }
  }

  @Test(arguments: [(ModelFault.silent, [1, 1, 0]), (.noConnection, [0, 0, 0])])
  func `a server that is away is not asked twice for each calendar`(
    fault: ModelFault, others: [Int]
  ) async throws {
    let model = calendar()
    let (account, _) = try await open(model)
    let work = try #require(try await account.listCollections().first { $0.name == "work" })
    model.server.interfere { _ in fault }
    for count in others {
      let storage = try await account.openCalendar(work)
      model.server.forgetRequests()
      let error = try await #require(throws: StorageError.self) {
        _ = try await storage.listChanges(since: nil)
      }
      #expect(error.kind == .unreachable)
      #expect(fault == .noConnection || error.message.contains("REPORT"))
      #expect(model.server.count("PROPFIND") == count)
    }
    #expect(account.learned.profile[.syncCollection] == nil)
  }

  @Test func `a calendar that answers in no other way is the trouble that it is`() async throws {
    let model = ModelAccount()
    let (account, storage) = try await open(model)
    model.server.interfere { _ in .webPage }
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.listChanges(since: nil)
    }
    #expect(error.kind == .protocolBroken)
    #expect(account.learned.profile[.syncCollection] == nil)
  }

  @Test func `a report whose pages name nothing and never end gives way to a listing of all`()
    async throws
  {
    let model = calendar()
    let (account, storage) = try await open(model)
    model.server.interfere { Self.pageWithMore($0) }
    let pages = try await listAll(storage).pages
    #expect(pages.last?.extent == .everything)
    #expect(pages.last?.present.map(\.href) == [ModelAccount.href("a.ics")])
    #expect(model.server.count("REPORT") == 20)
    #expect(account.learned.profile[.syncCollection]?.holds == false)
  }

  @Test func `a report that names the same item in page after page gives way to it, too`()
    async throws
  {
    let model = calendar()
    let (account, storage) = try await open(model)
    model.server.interfere { Self.pageWithMore($0, naming: Self.item) }
    let pages = try await listAll(storage, most: 20_000).pages
    #expect(pages.last?.extent == .everything)
    #expect(pages.last?.present.map(\.href) == [ModelAccount.href("a.ics")])
    #expect((21...10_001).contains(model.server.count("REPORT")))
    #expect(account.learned.profile[.syncCollection]?.holds == false)
  }

  @Test func `the daily comparison does not wait for the end of such a report`() async throws {
    let (model, known) = try await changedCalendar()
    model.clock.advance(milliseconds: 86_400_000)
    let storage = try await model.storage()
    model.server.forgetRequests()
    model.server.interfere { Self.pageWithMore($0, naming: Self.item) }
    let page = try await storage.listChanges(since: known)
    #expect(page.extent == .everything && page.present.count == 2)
    #expect((21...10_001).contains(model.server.count("REPORT")))
  }

  private static let item =
    "<D:response><D:href>\(ModelAccount.work)a.ics</D:href><D:propstat><D:prop>"
    + "<D:getetag>\"7\"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
    + "</D:response>"

  /// Says in answer to a report that there is more (RFC 6578 §3.6), under a token of its own. After
  /// 20,000 requests the server answers itself, so that a client which reads on fails and does not
  /// hang.
  private static func pageWithMore(
    _ request: ModelRequest, naming items: String = ""
  ) -> ModelFault? {
    guard request.method == "REPORT", request.number < 20_000 else { return nil }
    let body =
      "<D:multistatus xmlns:D='DAV:'>\(items)<D:response><D:href>\(ModelAccount.work)</D:href>"
      + "<D:status>HTTP/1.1 507 Insufficient Storage</D:status></D:response>"
      + "<D:sync-token>urn:\(request.number)</D:sync-token></D:multistatus>"
    return .answer(207, headers: [["Content-Type", "application/xml"]], body: body)
  }
}
