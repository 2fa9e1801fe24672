import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// Names, descriptions and entity tags that are longer than any text that is kept of an answer.
@Suite struct LongTextTests {
  private static let long = String(repeating: "z", count: 70_000)
  private let model = ModelAccount()

  @Test func `a calendar with such a name is listed without it, by the same request`() async throws
  {
    model.server.makeCalendar("shared", displayName: Self.long, color: "#00FF00")
    let listing = try await model.account(options: model.remembered).listCalendars()
    #expect(listing.calendars.map(\.name) == ["shared", "work"] && listing.unseen.isEmpty)
    let (shared, work) = (listing.calendars[0], listing.calendars[1])
    #expect(shared.displayName == nil && shared.color == "#00ff00")
    #expect(Array(shared.oddValues.keys) == [.displayname])
    #expect(shared.oddValues[.displayname]?.hasPrefix("it is longer than 65536 bytes; ") == true)
    #expect(work.displayName == "Work" && work.oddValues.isEmpty)
    #expect(model.server.requests.map(\.line) == ["PROPFIND /calendars/alice/"])
  }

  @Test(arguments: MetadataKey.allCases)
  func `a value that is too long is left out alone`(key: MetadataKey) async throws {
    let account = try model.account(options: model.remembered)
    let work = try #require(try await account.listCollections().first)
    let outcome = try await account.setMetadata([key: Self.long], of: work)
    guard case .failed(let error)? = outcome.fates[key] else {
      Issue.record("it gave \(outcome.fates)")
      return
    }
    #expect(error.hint.contains("longer than 65536 bytes"))
    let listing = try await model.account(options: model.remembered).listCalendars()
    #expect(listing.calendars.map(\.name) == ["work"] && listing.unseen.isEmpty)
    let seen = try #require(listing.calendars.first)
    #expect(Array(seen.oddValues.keys) == [key] && seen[key] == nil)
    for other in MetadataKey.allCases where other != key { #expect(seen[other] == work[other]) }
    #expect(seen.advertisedState != nil)
  }

  // MARK: Entity tags

  private static func response(_ href: Href, _ tag: String, _ data: String = "") -> String {
    "<D:response><D:href>\(href.text)</D:href><D:propstat><D:prop><D:getetag>\"\(tag)\""
      + "</D:getetag>\(data)</D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
      + "</D:response>"
  }

  private static func answer(_ content: String) -> ModelFault {
    .answer(
      207, headers: [["Content-Type", "application/xml"]],
      body: "<D:multistatus xmlns:D='DAV:' xmlns:C='urn:ietf:params:xml:ns:caldav'>\(content)"
        + "</D:multistatus>")
  }

  private func isOfTag(_ problem: ItemProblem?) -> Bool {
    problem?.code == .brokenRemote
      && problem?.message.contains("bad.ics is longer than 65536 bytes") == true
  }

  private let bad = ModelAccount.href("bad.ics")
  private let good = ModelAccount.href("good.ics")

  @Test(arguments: ["PROPFIND", "REPORT"])
  func `an item with such a tag is named, and the others are listed`(method: String) async throws {
    let model = ModelAccount { $0.hasSyncCollection = method == "REPORT" }
    let storage = try await model.storage()
    model.server.plan(
      Self.answer(
        Self.response(bad, Self.long) + Self.response(good, "1")
          + "<D:sync-token>urn:1</D:sync-token>"), for: method)
    let page = try await storage.listChanges(since: nil)
    #expect(page.present.map(\.href) == [bad, good] && page.gone.isEmpty)
    #expect(page.present.last?.problem == nil)
    #expect(isOfTag(page.present.first?.problem))
    #expect(page.present.first?.tag != nil, "without one it would be read, and taken")
  }

  @Test func `nor is it read, and the others are`() async throws {
    let storage = try await model.storage()
    func data(_ uid: String) -> String {
      let text = String(decoding: event(uid).bytes, as: UTF8.self)
      return "<C:calendar-data>\(text)</C:calendar-data>"
    }
    model.server.plan(
      Self.answer(
        Self.response(bad, Self.long, data("bad")) + Self.response(good, "1", data("good"))),
      for: "REPORT")
    let read = try await storage.read([bad, good])
    guard case .problem(let problem) = read[0].result, case .found = read[1].result else {
      Issue.record("it gave \(read)")
      return
    }
    #expect(isOfTag(problem) && read[0].isLasting)
    #expect(problem.uids == [ItemID("bad")])
  }
}
