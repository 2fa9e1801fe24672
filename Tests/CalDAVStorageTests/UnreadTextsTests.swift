import CalDAVStorage
import SyncModel
import TestSupport
import Testing

/// A control character in the name of a calendar, which no XML can carry and servers send all the
/// same.
@Suite struct UnreadTextsTests {
  private static let odd = "/calendars/alice/odd/"
  private let model = ModelAccount()

  init() { model.server.makeCalendar("odd", displayName: "a\u{1B}b", color: "#00FF00") }

  @Test func `it is listed without values, and the others with theirs`() async throws {
    let listing = try await model.account(options: model.remembered).listCalendars()
    #expect(listing.calendars.map(\.name) == ["odd", "work"] && listing.unseen.isEmpty)
    let (odd, work) = (listing.calendars[0], listing.calendars[1])
    #expect(work.displayName == "Work" && work.color == "#ff8800" && work.oddValues.isEmpty)
    #expect(odd.displayName == nil && odd.color == nil && odd.advertisedState != nil)
    #expect(Set(odd.oddValues.keys) == Set(MetadataKey.allCases))
    #expect(
      model.server.requests.map(\.line) == [
        "PROPFIND /calendars/alice/", "PROPFIND /calendars/alice/", "PROPFIND \(Self.odd)",
        "PROPFIND \(ModelAccount.work)",
      ])
  }

  @Test func `it may be what the URL names`() async throws {
    let found = try await model.account(at: Self.odd).discover()
    #expect(found.calendars.map(\.name) == ["odd"])
    #expect(found.calendars.allSatisfy { $0.oddValues[.displayname] != nil })
  }

  @Test func `a value that cannot be read back is neither taken nor replaced`() async throws {
    let account = try model.account(options: model.remembered)
    let odd = try #require(try await account.listCollections().first { $0.name == "odd" })
    let outcome = try await account.setMetadata([.color: "#0000ff"], of: odd)
    guard case .failed? = outcome.fates[.color] else {
      Issue.record("it gave \(outcome.fates)")
      return
    }
  }
}
