import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Reports of changes with addresses that end in a slash, as those of collections do.
@Suite struct SlashedAddressTests {
  private static let item = ModelAccount.href("one.ics")

  @Test(arguments: [ModelSwitches.HrefForm.plain, .reencoded, .absolute], [404, 410, 418])
  func `an item that is gone may be named with a slash at its end`(
    form: ModelSwitches.HrefForm, status: Int
  ) async throws {
    let model = ModelAccount {
      $0.endOfGone = "/"
      $0.goneStatus = status
      $0.hrefForm = form
    }
    for name in ["one", "two"] { model.put("\(name).ics", event(name)) }
    let cursor = try await listAll(try await model.storage()).cursor
    model.remove("one.ics")
    model.put("two.ics", event("two", "Doctor"))
    model.server.forgetRequests()
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .changesOnly)
    #expect(page.gone == [Self.item])
    #expect(page.present.map(\.href) == [ModelAccount.href("two.ics")])
    #expect(model.server.requests.map(\.method) == ["PROPFIND", "REPORT"])
  }

  /// One response of a report, by its address in the calendar.
  private static func response(_ end: String, _ status: Int) -> String {
    "<D:response><D:href>\(ModelAccount.work)\(end)</D:href>"
      + "<D:status>HTTP/1.1 \(status) X</D:status></D:response>"
  }

  /// What a report with these responses tells of a calendar that holds the item.
  private func listed(_ responses: String) async throws -> ChangePage {
    let model = ModelAccount()
    model.put("one.ics", event("one"))
    let storage = try await model.storage()
    let cursor = try await storage.listChanges(since: nil).next
    let token = String(decoding: try #require(SyncCursor(cursor)?.token), as: UTF8.self)
    model.server.plan(
      .answer(
        207, headers: [["Content-Type", "application/xml"]],
        body: "<D:multistatus xmlns:D='DAV:'>\(responses)"
          + "<D:sync-token>\(token)</D:sync-token></D:multistatus>"), for: "REPORT")
    model.server.forgetRequests()
    let page = try await storage.listChanges(since: cursor)
    #expect(model.server.count("REPORT") == 1)
    return page
  }

  @Test func `so it is in a report that names nothing else`() async throws {
    #expect(try await listed(Self.response("one.ics/", 404)).gone == [Self.item])
  }

  /// The calendar itself, collections in it (RFC 6578 §3.5), and what is not told to be gone.
  @Test(arguments: [
    ("", 404), ("one/", 404), ("one.ics/one.ics/", 404), ("one.ics//", 404), ("one.ics/", 403),
    ("one.ics/", 500), ("one.ics/", 200),
  ])
  func `nothing else with a slash at its end is an item that is gone`(
    end: String, status: Int
  ) async throws {
    let page = try await listed(Self.response(end, status))
    #expect(page.extent == .changesOnly && page.present.isEmpty)
    #expect(!page.gone.contains(Self.item))
  }

  @Test func `an item that is named without the slash, too, is there`() async throws {
    let page = try await listed(Self.response("one.ics/", 404) + Self.response("one.ics", 200))
    #expect(page.gone.isEmpty)
    #expect(page.present.map(\.href) == [Self.item])
  }
}
