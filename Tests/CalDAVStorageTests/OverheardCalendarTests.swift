import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// A server that speaks TLS through a proxy may know itself, or others, by addresses of plain http.
@Suite struct OverheardCalendarTests {
  private func listing(_ work: String) async throws -> CalendarListing {
    func member(_ href: String, _ type: String) -> String {
      """
      <D:response><D:href>\(href)</D:href><D:propstat><D:prop><D:resourcetype><D:collection/>\
      \(type)</D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>\
      </D:response>
      """
    }
    let transport = ScriptedTransport(
      try Exchange(
        """
        > PROPFIND https://example.org/alice/
        > Depth: 1
        < 207
        < Content-Type: application/xml
        <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
        \(member("/alice/", ""))
        \(member("/alice/home/", "<C:calendar/>"))
        \(member(work, "<C:calendar/>"))
        </D:multistatus>
        """))
    var options = CalDAVAccount.Options()
    let clock = ModelClock()
    options.found = FoundLocation(.homeSets(["https://example.org/alice/"]), foundAt: clock.now)
    let account = try CalDAVAccount(
      url: "https://example.org/", credentials: nil, transport: transport,
      surroundings: clock.surroundings, digest: sha256, options: options)
    let listing = try await account.listCalendars()
    #expect(transport.complaints == [])
    return listing
  }

  @Test(arguments: ["http://internal.lan:5232", "http://dav.example.org"])
  func `a calendar at such an address elsewhere is told, and not asked for`(
    origin: String
  ) async throws {
    let listing = try await listing(origin + "/alice/work/")
    #expect(listing.calendars.map(\.name) == ["home"])
    let unseen = try #require(listing.unseen.first)
    #expect(unseen.address == origin + "/alice/work/" && unseen.isForbidden)
    #expect(unseen.words.contains("anybody could listen"))
    for mend in ["allow_http = true", "trusted_hosts = [\"\(origin.dropFirst(7))\"]"] {
      #expect(unseen.trouble.hint.contains(mend), "\(unseen.trouble.hint)")
    }
  }

  @Test func `its own host by plain http is the server itself`() async throws {
    let listing = try await listing("http://example.org/alice/work/")
    #expect(listing.calendars.map(\.name) == ["home", "work"] && listing.unseen.isEmpty)
  }
}
