import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// Accounts without a user name whose server leads to another one. They have nothing to lose there,
/// but what a stranger says of their calendars, as that all is gone, is not believed.
@Suite struct AnonymousAccountTests {
  private func account(
    _ transport: ScriptedTransport, hosts: [String] = []
  ) throws -> CalDAVAccount {
    var options = CalDAVAccount.Options()
    options.trustedHosts = TrustedHosts(hosts)
    return try CalDAVAccount(
      url: "https://example.org/", credentials: nil, transport: transport,
      surroundings: ModelClock().surroundings, digest: sha256, options: options)
  }

  @Test func `a listing that is redirected names the line to add`() async throws {
    let model = ModelAccount()
    let account = try model.account(options: model.remembered, user: nil)
    let storage = try await account.openWork()
    model.server.plan(
      .answer(302, headers: [["Location", "http://stranger.example/work/"]]), for: "REPORT")
    let error = try await #require(throws: StorageError.self) {
      _ = try await storage.listChanges(since: nil)
    }
    #expect(error.kind == .denied)
    #expect(
      error.hint.contains("add this line to the account: trusted_hosts = [\"stranger.example\"]"))
    #expect(!"\(error)".contains("password"))
    #expect(model.server.requests.allSatisfy { $0.url.hasPrefix(ModelServer.origin + "/") })
  }

  /// Where a person's own line refuses that server, it is the cause, and none is to be added.
  @Test(arguments: [nil, "!dav.other.example", "!*.other.example"])
  func `calendars on another server are named without talk of a password`(
    refusal: String?
  ) async throws {
    let home = "<D:href>https://dav.other.example/alice/</D:href>"
    let transport = ScriptedTransport(
      try Exchange(
        """
        > PROPFIND https://example.org/
        > Depth: 0
        < 207
        < Content-Type: application/xml
        <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response>
        <D:href>/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/></D:resourcetype>
        <C:calendar-home-set>\(home)</C:calendar-home-set></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
        > PROPFIND https://example.org/
        > Depth: 1
        < 404
        > PROPFIND https://example.org/.well-known/caldav
        < 404
        """))
    let account = try account(transport, hosts: [refusal].compactMap(\.self))
    let error = try await #require(throws: StorageError.self) { _ = try await account.discover() }
    #expect(error.kind == .denied && error.message.contains("https://dav.other.example, which"))
    if let refusal {
      #expect(error.why.contains("\"\(refusal)\" in the account's trusted_hosts"))
      #expect(error.hint.contains("take \"\(refusal)\" out"))
    }
    for advice in ["trusted_hosts = [\"dav.other.example\"]", "set url to"] {
      #expect(error.hint.contains(advice) == (refusal == nil))
    }
    #expect(!"\(error)".contains("password"))
    #expect(transport.complaints == [])
  }

  @Test func `a calendar to which a redirect led has an address that can be used`() throws {
    let account = try account(ScriptedTransport(try Exchange("")))
    let address = try account.resolve(Href("https://dav.other.example/alice/work/"))
    #expect(address.text == "https://dav.other.example/alice/work/")
  }
}
