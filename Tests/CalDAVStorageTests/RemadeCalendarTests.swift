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
    model.clock.advance(milliseconds: 5_000)
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
      let cursor = SyncCursor(state: former, identity: nil, comparedAt: nil)
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

  /// DAViCal counts the changes of all calendars, and SOGo gives the second of one: either goes on
  /// in the next calendar, and a report since the former one names the new items alone.
  @Test(arguments: [true, false], [true, false])
  func `a number that goes on is followed by a comparison unless the date is the same`(
    isSecond: Bool, isDated: Bool
  ) async throws {
    let (model, cursor) = try await remade {
      $0.tokenIsNumber = true
      $0.tokenIsSecond = isSecond
      $0.givesCreationDates = isDated
    }
    model.clock.advance(milliseconds: 5_000)
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.href) == [ModelAccount.href("d.ics")])
    #expect(page.present.map(\.isNews) == [true], "it may have the tag of a former item")
    #expect(model.server.requests.map(\.method) == ["PROPFIND", "REPORT", "PROPFIND"])

    model.server.forgetRequests()
    let quiet = try await model.storage().listChanges(since: page.next)
    #expect(quiet.extent == .changesOnly && quiet.present.isEmpty)
    #expect(model.server.requests.map(\.method) == ["PROPFIND"])

    model.put("e.ics", event("e"))
    model.clock.advance(milliseconds: 5_000)
    model.server.forgetRequests()
    let later = try await model.storage().listChanges(since: quiet.next)
    #expect(later.extent == (isDated ? .changesOnly : .everything))
    #expect(later.present.filter(\.isNews).map(\.href) == [ModelAccount.href("e.ics")])
    #expect(
      model.server.requests.map(\.method)
        == (isDated ? ["PROPFIND", "REPORT"] : ["PROPFIND", "REPORT", "PROPFIND"]))
  }

  @Test func `another date shows it, whatever the token`() async throws {
    let (model, cursor) = try await remade {
      $0.tokenIsCount = true
      $0.givesCreationDates = true
    }
    for number in 0..<5 { model.put("n\(number).ics", event("n\(number)")) }
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.count == 6)
    #expect(model.server.requests.map(\.method) == ["PROPFIND", "REPORT", "PROPFIND"])
    model.put("e.ics", event("e"))
    model.server.forgetRequests()
    let later = try await model.storage().listChanges(since: page.next)
    #expect(later.extent == .changesOnly)
    #expect(model.server.requests.map(\.method) == ["PROPFIND", "REPORT"], "the date is the same")
  }

  @Test func `a date that moves with each change is believed once`() async throws {
    let model = ModelAccount {
      $0.givesCreationDates = true
      $0.creationDateIsLastChange = true
    }
    model.put("a.ics", event("a"))
    var cursor = try await listAll(try await model.storage()).cursor
    for (name, extent) in [("b", ChangePage.Extent.everything), ("c", .changesOnly)] {
      model.clock.advance(milliseconds: 5_000)
      model.put("\(name).ics", event(name))
      let page = try await model.storage().listChanges(since: cursor)
      #expect(page.extent == extent)
      cursor = page.next
    }
  }

  @Test func `what is gone with a former calendar teaches nothing of reports`() async throws {
    let (model, cursor) = try await remade { $0.tokenIsNumber = true }
    let (account, storage) = try await model.open()
    _ = try await storage.listChanges(since: cursor)
    let a = ModelAccount.href("a.ics")
    #expect(try await storage.confirmAbsence(of: [a]) == [a])
    #expect(account.learned.profile[.deletionsInChanges] == nil)
  }

  @Test(arguments: [
    ("27", true), ("data:,27", true), ("1767600000", true), ("data:,1767600000-27", false),
    ("http://sabre.io/ns/sync/27", false), ("-1", false), ("", false), ("data:,", false),
  ])
  func `a number alone does not say whose token it is`(token: String, isBare: Bool) {
    #expect(CalendarState(token: Array(token.utf8), tag: nil).hasBareNumber == isBare)
  }

  @Test(arguments: [
    ("http://sabre.io/ns/sync/27", true), ("urn:sync:0:4", true), ("data:,1767600000-0001", true),
    ("27", false), ("data:,27", false), ("http://sabre.io/ns/sync/", false), ("", false),
    ("http://radicale.org/ns/sync/5f3c27", false), ("http://model.example/1767600000", false),
  ])
  func `a count at the end of a token is one of the calendar's own`(token: String, isCount: Bool) {
    #expect(CalendarState(token: Array(token.utf8), tag: nil).endsInCount == isCount)
  }

  @Test func `a cursor from before creation dates is taken on`() async throws {
    let model = ModelAccount {
      $0.tokenIsNumber = true
      $0.givesCreationDates = true
    }
    model.put("a.ics", event("a"))
    let now = try await listAll(try await model.storage()).cursor
    let text = String(decoding: now.bytes, as: UTF8.self)
    let words = text.split(separator: " ").filter { !$0.hasPrefix("created=") }
    #expect(words.count == text.split(separator: " ").count - 1)
    let former = Cursor(bytes: Array(words.joined(separator: " ").utf8))
    let quiet = try await model.storage().listChanges(since: former)
    #expect(quiet.extent == .changesOnly)
    model.put("b.ics", event("b"))
    let page = try await model.storage().listChanges(since: quiet.next)
    #expect(page.extent == .changesOnly, "the date that it took on is the same")
    #expect(page.present.map(\.href) == [ModelAccount.href("b.ics")])
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
