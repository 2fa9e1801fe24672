import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A server that lists a calendar's items where the calendar is not.
@Suite struct UnaskedListingTests {
  /// By a report of everything, by a comparison of all tags, and where there is no report.
  @Test(arguments: [(true, 0), (true, 86_400_000), (false, 0)] as [(Bool, Int64)])
  func `what a whole listing named in a way of no use is let go within the hour`(
    hasSync: Bool, age: Int64
  ) async throws {
    let model = ModelAccount { $0.hasSyncCollection = hasSync }
    for name in ["a", "b"] { model.put("\(name).ics", event(name)) }
    var cursor: Cursor?
    if age > 0 { cursor = try await listAll(try await model.storage()).cursor }
    model.clock.advance(milliseconds: age)
    model.server.change { $0.itemsAreListedAt = "/elsewhere/" }
    let page = try await model.storage().listChanges(since: cursor)
    #expect(page.extent == .everything)
    #expect(page.present.map(\.problem?.code) == [.brokenRemote, .brokenRemote])
    model.server.change { $0.itemsAreListedAt = nil }
    let soon = try await model.storage().listChanges(since: page.next)
    #expect(soon.present.isEmpty && soon.extent == .changesOnly)
    model.clock.advance(milliseconds: 3_600_000)
    let later = try await model.storage().listChanges(since: soon.next)
    #expect(later.extent == .everything)
    #expect(later.present.map(\.href) == ["a.ics", "b.ics"].map(ModelAccount.href))
    model.clock.advance(milliseconds: 3_600_000)
    model.server.forgetRequests()
    #expect(try await model.storage().listChanges(since: later.next).present.isEmpty)
    #expect(
      !model.server.requests.contains { $0.line == "PROPFIND \(ModelAccount.work)" },
      "what is right is compared once a day")
  }
}
