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

  @Test(arguments: [
    ("27", "4", true), ("4", "27", false),
    ("http://sabre.io/ns/sync/27", "http://sabre.io/ns/sync/4", true),
    ("data:,a-27", "data:,b-4", false), ("27", "27x", false), ("27", "", false),
    ("9999999", "1", true),
    // A time, of the newest item that is left, and decimal hashes of 32 and 64 bits.
    ("1767600000", "1767500000", false), ("3405691582", "2343432205", false),
    ("3405691582", "48879", false), ("9223372036854775807", "17", false),
    ("18446744073709551615", "9223372036854775807", false),
  ])
  func `only a count that goes down shows it`(before: String, now: String, isBehind: Bool) {
    let (old, new) = (Array(before.utf8), Array(now.utf8))
    let states = [
      (CalendarState(token: old, tag: nil), CalendarState(token: new, tag: nil)),
      (CalendarState(token: nil, tag: old), CalendarState(token: nil, tag: new)),
    ]
    for (former, state) in states {
      let cursor = SyncCursor(state: former, identity: nil, comparedAt: 0)
      #expect(state.isBehind(cursor) == isBehind)
    }
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

  // MARK: The end of a listing in parts

  private func parts() -> ModelAccount {
    let model = ModelAccount { $0.pageSize = 2 }
    for number in 0..<5 { model.put("i\(number).ics", event("i\(number)")) }
    return model
  }

  private func hrefs(_ numbers: [Int]) -> [Href] { numbers.map { ModelAccount.href("i\($0).ics") } }

  private static func isWholeListing(_ request: ModelRequest) -> Bool {
    request.line == "PROPFIND \(ModelAccount.work)" && request.headers["depth"] == "1"
  }

  @Test func `what the last part names and the whole leaves out is taken in`() async throws {
    let model = parts()
    let storage = try await model.storage()
    let named = [0, 4].map { number in
      "<D:response><D:href>\(ModelAccount.work)i\(number).ics</D:href><D:propstat><D:prop>"
        + "<D:getetag>\"later\"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status>"
        + "</D:propstat></D:response>"
    }
    for listed in [named, Array(named.prefix(1))] {
      let answer = ModelFault.answer(
        207, headers: [["Content-Type", "application/xml"]],
        body: "<D:multistatus xmlns:D='DAV:'>\(listed.joined())</D:multistatus>")
      model.server.interfere { Self.isWholeListing($0) ? answer : nil }
      let (pages, cursor) = try await listAll(storage)
      let whole = try #require(pages.last)
      #expect(whole.startsOver && whole.extent == .everything)
      // Of i4 there are two: the later one counts.
      #expect(whole.present.map(\.href) == hrefs([0, 4]))
      let tag = EntityTag(received: Array("\"later\"".utf8))
      #expect((whole.present.last?.tag == tag) == (listed.count == 2))
      model.server.forgetRequests()
      let next = try await storage.listChanges(since: cursor)
      #expect(next.present.isEmpty && next.gone.isEmpty, "the token is that of the last part")
    }
  }

  @Test func `what goes between two parts is gone, also where nothing is listed as a whole`()
    async throws
  {
    let model = parts()
    model.server.interfere { Self.isWholeListing($0) ? .answer(403) : nil }
    let storage = try await model.storage()
    let first = try await storage.listChanges(since: nil)
    #expect(first.present.map(\.href) == hrefs([0, 1]))
    model.remove("i0.ics")
    let (rest, _) = try await listAll(storage, since: first.next)
    #expect(rest.allSatisfy { $0.extent == .everything && !$0.startsOver })
    #expect(rest.flatMap(\.present).map(\.href) == hrefs([2, 3, 4]))
    #expect(rest.flatMap(\.gone) == hrefs([0]))
  }

  @Test func `a server that has no time for the whole is asked another time`() async throws {
    let model = parts()
    model.server.interfere {
      Self.isWholeListing($0) ? .answer(503, headers: [["Retry-After", "3600"]]) : nil
    }
    let storage = try await model.storage()
    let error = try await #require(throws: StorageError.self) { _ = try await listAll(storage) }
    #expect(error.kind == .tryLater(3_600_000))
  }
}
