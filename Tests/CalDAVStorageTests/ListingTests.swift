import CalDAVStorage
import SyncModel
import TestSupport
import Testing

@Suite struct ListingTests {
  /// A listing of three items and then a change, a deletion and a new item, by fresh storages.
  private func settled(_ model: ModelAccount) async throws -> Cursor {
    for name in ["a", "b", "c"] { model.put("\(name).ics", event(name)) }
    let cursor = try await listAll(try await model.storage()).cursor
    model.server.forgetRequests()
    return cursor
  }

  @Test(arguments: [true, false])
  func `without a change there is no request beyond the calendars'`(hasSync: Bool) async throws {
    let model = ModelAccount { $0.hasSyncCollection = hasSync }
    let cursor = try await settled(model)
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.present.isEmpty && page.gone.isEmpty && page.extent == .changesOnly)
    #expect(model.server.requests.map(\.line) == ["PROPFIND /calendars/alice/"])
  }

  @Test func `a CTag that the first question moved is not taken for a change`() async throws {
    let model = ModelAccount { $0.makesResourceIDsWhenAsked = true }
    let cursor = try await settled(model)
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.present.isEmpty && page.extent == .changesOnly)
    #expect(model.server.requests.map(\.line) == ["PROPFIND /calendars/alice/"])
  }

  /// A token that only the report gives leaves the CTag to tell.
  @Test func `a CTag tells where no token is shown`() async throws {
    let model = ModelAccount { $0.showsSyncToken = false }
    let cursor = try await settled(model)
    let quiet = try await listAll(try await model.storage(), since: cursor)
    #expect(model.server.requests.map(\.line) == ["PROPFIND /calendars/alice/"])
    model.put("a.ics", event("a", "Doctor"))
    let page = try await model.storage().listChanges(since: quiet.cursor)
    #expect(page.present.map(\.href) == [ModelAccount.href("a.ics")])
  }

  @Test func `a change costs one report`() async throws {
    let model = ModelAccount()
    let cursor = try await settled(model)
    model.put("a.ics", event("a", "Doctor"))
    model.remove("b.ics")
    model.put("d.ics", event("d"))
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .changesOnly)
    #expect(
      page.present.map(\.href.text).sorted() == [
        ModelAccount.work + "a.ics", ModelAccount.work + "d.ics",
      ])
    #expect(page.gone == [ModelAccount.href("b.ics")])
    #expect(model.server.requests.map(\.method) == ["PROPFIND", "REPORT"])
    #expect(model.server.requests.last?.headers["depth"] == "0")
  }

  @Test func `the second listing of one storage asks the server`() async throws {
    let model = ModelAccount()
    let storage = try await model.storage()
    let first = try await storage.listChanges(since: nil)
    model.put("a.ics", event("a"))
    let second = try await storage.listChanges(since: first.next)
    #expect(second.present.map(\.href) == [ModelAccount.href("a.ics")])
  }

  @Test(arguments: [400, 403, 409, 410, 412, 418, 500])
  func `a token that is refused leads to one whole listing`(status: Int) async throws {
    let model = ModelAccount { $0.invalidTokenStatus = status }
    let cursor = try await settled(model)
    model.remove("b.ics")
    model.server.change { $0.tokenLifetime = 0 }
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.count == 2)
    #expect(model.server.count("REPORT") == 2)
  }

  @Test func `a listing in pages names everything once all are read`() async throws {
    let model = ModelAccount { $0.pageSize = 2 }
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    let pages = try await listAll(try await model.storage()).pages
    #expect(pages.map(\.isLast) == [false, false, true])
    #expect(pages.allSatisfy { $0.extent == .everything })
    #expect(Set(pages.flatMap(\.present).map(\.href)).count == 5)
  }

  @Test func `half a listing of everything is begun again by another run`() async throws {
    let model = ModelAccount { $0.pageSize = 2 }
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    let half = try await model.storage().listChanges(since: nil)
    let pages = try await listAll(try await model.storage(), since: half.next).pages
    #expect(Set(pages.flatMap(\.present).map(\.href)).count == 5)
  }

  @Test func `a token that runs out between two pages makes the pages before count no more`()
    async throws
  {
    let model = ModelAccount { $0.pageSize = 2 }
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    let storage = try await model.storage()
    let first = try await storage.listChanges(since: nil)
    #expect(first.startsOver)
    #expect(!first.isLast)
    model.remove("i0.ics")
    model.server.change { $0.tokenLifetime = 0 }
    let second = try await storage.listChanges(since: first.next)
    #expect(second.extent == .everything)
    #expect(second.startsOver)
  }

  @Test func `half a listing of changes is gone on with`() async throws {
    let model = ModelAccount { $0.pageSize = 2 }
    let cursor = try await settled(model)
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    let half = try await model.storage().listChanges(since: cursor)
    let pages = try await listAll(try await model.storage(), since: half.next).pages
    #expect(pages.allSatisfy { $0.extent == .changesOnly })
    #expect(Set((half.present + pages.flatMap(\.present)).map(\.href)).count == 5)
  }

  @Test func `a token that comes again is no paging`() async throws {
    let model = ModelAccount {
      $0.pageSize = 1
      $0.repeatsToken = true
    }
    let cursor = try await listAll(try await model.storage()).cursor
    for name in ["a", "b"] { model.put("\(name).ics", event(name)) }
    let storage = try await model.storage()
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: cursor)
    #expect(page.extent == .everything && page.isLast)
    #expect(page.present.count == 2)
    // The report is not asked for again.
    #expect(try await storage.listChanges(since: page.next).present.isEmpty)
    #expect(model.server.count("REPORT") == 1)
  }

  @Test func `after a day all tags are compared`() async throws {
    let model = ModelAccount { $0.forgetsDeletions = true }
    let cursor = try await settled(model)
    model.remove("b.ics")
    let early = try await listAll(try await model.storage(), since: cursor)
    #expect(early.pages[0].extent == .everything)  // The CTag moved, and the report was silent.
    model.clock.advance(milliseconds: 24 * 3600 * 1000)
    let late = try await model.storage().listChanges(since: early.cursor)
    #expect(late.extent == .everything)
    #expect(late.present.count == 2)
  }

  @Test func `a CTag that moves without news leads to a comparison once`() async throws {
    let model = ModelAccount { $0.forgetsDeletions = true }
    let cursor = try await settled(model)
    model.remove("b.ics")
    let next = try await listAll(try await model.storage(), since: cursor).cursor
    model.server.forgetRequests()
    let again = try await model.storage().listChanges(since: next)
    #expect(again.present.isEmpty)
    #expect(model.server.count("PROPFIND") == 1)
    #expect(model.server.count("REPORT") == 0)
  }

  @Test func `a constant CTag hides nothing longer than a day`() async throws {
    let model = ModelAccount {
      $0.hasSyncCollection = false
      $0.calendarTagIsConstant = true
    }
    let cursor = try await settled(model)
    model.remove("b.ics")
    model.clock.advance(milliseconds: 24 * 3600 * 1000)
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything && page.present.count == 2)
  }

  /// DAViCal and SOGo take a token of the calendar that was there before, and say nothing of what
  /// went with it.
  @Test(arguments: [true, false])
  func `a calendar that was made anew is compared whole`(hasSync: Bool) async throws {
    let model = ModelAccount {
      $0.invalidTokenListsAll = true
      $0.hasSyncCollection = hasSync
    }
    let cursor = try await settled(model)
    model.server.removeCalendar(ModelAccount.work)
    model.server.makeCalendar("work", components: ["VEVENT"])
    let page = try await listAll(try await model.storage(), since: cursor)
    #expect(page.pages[0].extent == .everything)
    #expect(page.pages[0].present.isEmpty)
    model.put("new.ics", event("new"))
    let next = try await listAll(try await model.storage(), since: page.cursor)
    #expect(next.pages.flatMap(\.present).map(\.href) == [ModelAccount.href("new.ics")])
  }

  /// As above, and the new calendar has items already, so that the report is not silent.
  @Test func `a calendar that was made anew and filled is compared whole`() async throws {
    let model = ModelAccount {
      $0.invalidTokenListsAll = true
      $0.givesResourceIDs = true
    }
    let cursor = try await settled(model)
    model.server.removeCalendar(ModelAccount.work)
    model.server.makeCalendar("work", components: ["VEVENT"])
    model.put("new.ics", event("new"))
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == [ModelAccount.href("new.ics")])
  }

  @Test func `items without a tag are listed`() async throws {
    let model = ModelAccount { $0.listsTags = false }
    model.put("a.ics", event("a"))
    let page = try await model.storage().listChanges(since: nil)
    #expect(page.present == [ListedItem(href: ModelAccount.href("a.ics"), tag: nil)])
  }

  @Test(arguments: [true, false])
  func `strangers in a listing are named and never asked for`(hasSync: Bool) async throws {
    let model = ModelAccount {
      $0.listsStrangers = true
      $0.hasSyncCollection = hasSync
    }
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    let page = try await storage.listChanges(since: nil)
    let strangers = page.present.filter { $0.problem != nil }
    #expect(strangers.count == 2)
    #expect(strangers.allSatisfy { $0.problem?.code == .brokenRemote })
    model.server.forgetRequests()
    let read = try await storage.read(strangers.map(\.href))
    #expect(model.server.requests.isEmpty)
    #expect(read.allSatisfy { if case .problem = $0.result { true } else { false } })
    let expected = Version(tag: nil, digest: sha256([]))
    let writes = await storage.carryOut(strangers.map { .delete($0.href, expecting: expected) })
    #expect(model.server.requests.isEmpty)
    #expect(writes.allSatisfy { if case .refused = $0.result { true } else { false } })
  }

  private static func response(_ href: String) -> String {
    "<D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:getetag>\"1\"</D:getetag></D:prop>"
      + "<D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>"
  }

  private static func answer(_ responses: String, token: String = "") -> ModelFault {
    .answer(
      207, headers: [["Content-Type", "application/xml"]],
      body: "<D:multistatus xmlns:D='DAV:'>\(responses)\(token)</D:multistatus>")
  }

  @Test func `an item without an address is named, and the others are listed`() async throws {
    let model = ModelAccount { $0.hasSyncCollection = false }
    let storage = try await model.storage()
    let known = ModelAccount.href("a.ics")
    model.server.plan(
      Self.answer(Self.response("") + Self.response(known.text)), for: "PROPFIND")
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.problem?.code) == [.brokenRemote, nil])
    #expect(page.present.last?.href == known)
  }

  @Test(arguments: ["&#13;&#10;X-Evil: 1", "&#10;1", "&#9;1", "&#127;"])
  func `an item with an entity tag that no request can carry is named`(more: String) async throws {
    let model = ModelAccount { $0.hasSyncCollection = false }
    let storage = try await model.storage()
    let (bad, good) = (ModelAccount.href("bad.ics"), ModelAccount.href("a.ics"))
    let odd = Self.response(bad.text).replacing("\"1\"", with: "\"1\(more)\"")
    model.server.plan(Self.answer(odd + Self.response(good.text)), for: "PROPFIND")
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.href) == [bad, good])
    #expect(page.present.map(\.problem?.code) == [.brokenRemote, nil])
    #expect(page.present.first?.tag != nil, "without one it would be read, and taken")
  }

  @Test func `an item that was named in a way of no use is looked for within the hour`()
    async throws
  {
    let model = ModelAccount()
    let before = try await model.storage().listChanges(since: nil).next
    model.put("b.ics", event("b"))
    let after = try await model.storage().listChanges(since: before).next
    let token = String(decoding: SyncCursor(after)?.token ?? [], as: UTF8.self)
    model.server.plan(
      Self.answer(
        Self.response("https://elsewhere.example/b.ics"),
        token: "<D:sync-token>\(token)</D:sync-token>"), for: "REPORT")
    let page = try await model.storage().listChanges(since: before)
    #expect(page.present.map(\.problem?.code) == [.brokenRemote])
    let soon = try await model.storage().listChanges(since: page.next)
    #expect(soon.present.isEmpty && soon.extent == .changesOnly)
    model.clock.advance(milliseconds: 3_600_000)
    let later = try await model.storage().listChanges(since: soon.next)
    #expect(later.present.map(\.href) == [ModelAccount.href("b.ics")])
    #expect(later.extent == .everything)
  }

  @Test func `changes of which one has no address are looked for in a whole listing`()
    async throws
  {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    let before = try await storage.listChanges(since: nil).next
    model.put("b.ics", event("b"))
    model.server.plan(
      Self.answer(Self.response(""), token: "<D:sync-token>later</D:sync-token>"), for: "REPORT")
    let page = try await model.storage().listChanges(since: before)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == ["a.ics", "b.ics"].map(ModelAccount.href))
  }

  @Test(arguments: [
    ModelFault.cutUnnoticed(400), .truncated(400), .lostAfter, .answer(502), .webPage,
    .answer(207, body: "<D:multistatus xmlns:D='DAV:'></D:multistatus>"),
    .answer(200, headers: [["Content-Type", "application/xml"]], body: "<x/>"),
  ])
  func `a listing that is not whole is an error`(fault: ModelFault) async throws {
    let model = ModelAccount { $0.hasSyncCollection = false }
    for name in ["a", "b", "c"] { model.put("\(name).ics", event(name)) }
    let storage = try await model.storage()
    model.server.plan(fault, for: "PROPFIND", times: 3)
    await #expect(throws: StorageError.self) { _ = try await storage.listChanges(since: nil) }
  }

  @Test func `an interrupted listing is asked for once more`() async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let storage = try await model.storage()
    model.server.plan(.truncated(300), for: "REPORT")
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.count == 1)
  }

  @Test(arguments: [true, false], [true, false])
  func `a calendar that is gone has vanished`(hasSync: Bool, in207: Bool) async throws {
    let model = ModelAccount {
      $0.hasSyncCollection = hasSync
      $0.missingCollectionIn207 = in207
    }
    let cursor = try await settled(model)
    model.put("d.ics", event("d"))
    let storage = try await model.storage()
    model.server.removeCalendar(ModelAccount.work)
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.listChanges(since: cursor)
    }
    #expect(error.kind == .vanished)
  }

  @Test(arguments: [
    (
      ModelFault.answer(429, headers: [["Retry-After", "3600"]]),
      StorageError.Kind.tryLater(3_600_000)
    ),
    (.answer(503), .tryLater(nil)),
    (
      .answer(503, headers: [["Retry-After", "Mon, 05 Jan 2026 09:00:00 GMT"]]),
      .tryLater(3_600_000)
    ),
    (.answer(403, body: "{\"error\":{\"errors\":[{\"domain\":\"usageLimits\"}]}}"), .tryLater(nil)),
    (.answer(401), .denied), (.noConnection, .unreachable), (.stopBefore, .stopped),
  ])
  func `trouble of the account has its kind`(
    fault: ModelFault, kind: StorageError.Kind
  ) async throws {
    let model = ModelAccount()
    let storage = try await model.storage()
    model.server.plan(fault, times: 99)
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.listChanges(since: nil)
    }
    #expect(error.kind == kind)
  }

  @Test func `another storage's cursor means everything`() async throws {
    let model = ModelAccount()
    model.put("a.ics", event("a"))
    let page = try await model.storage().listChanges(since: Cursor(bytes: Array("vdir 1".utf8)))
    #expect(page.extent == .everything)
  }
}
