import CalDAVStorage
import SyncModel
import TestSupport
import Testing
import WebDAV

/// A way of signing in that a server asked for is begun with the next time.
@Suite struct DigestMemoryTests {
  private static let url = "https://dav.example.org/work/"

  private static func answer(_ credentials: String) -> String {
    """
    > PROPFIND \(url)
    > credentials: \(credentials)
    < 207
    < Content-Type: application/xml
    <D:multistatus xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:response>
    <D:href>/work/</D:href><D:propstat><D:prop><D:resourcetype><D:collection/><C:calendar/>
    </D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>
    </D:multistatus>

    """
  }

  private static func refusal(_ credentials: String, _ challenge: String) -> String {
    """
    > PROPFIND \(url)
    > credentials: \(credentials)
    < 401
    < WWW-Authenticate: \(challenge)

    """
  }

  /// What a run with such a conversation learns.
  private func learn(
    _ exchange: String, _ learned: CalDAVAccount.Learned? = nil,
    schemes: [HTTPCredentials.Scheme] = [.basic, .digest]
  ) async throws -> CalDAVAccount.Learned {
    let transport = ScriptedTransport(try Exchange(exchange))
    var options = CalDAVAccount.Options()
    options.learned = learned
    options.found = FoundLocation(.calendar(Self.url), foundAt: nil)
    let account = try CalDAVAccount(
      url: Self.url,
      credentials: CalDAVAccount.Credentials(
        username: Array("alice".utf8), password: Array("open sesame".utf8), schemes: schemes),
      transport: transport, surroundings: ModelClock().surroundings, digest: sha256,
      options: options)
    #expect(try await account.listCollections().map(\.name) == ["work"])
    account.learnSignIn()
    #expect(transport.complaints == [])
    return account.learned
  }

  @Test func `the next run begins with Digest, and goes back where that is not taken`()
    async throws
  {
    let digest = "Digest realm=\"x\", nonce=\"n\""
    let first = try await learn(Self.refusal("basic", digest) + Self.answer("digest"))
    #expect(first.profile[.digestLogin]?.holds == true)
    let second = try await learn(Self.answer("digest"), first)
    #expect(second.profile == first.profile)
    // What a person says comes first.
    _ = try await learn(Self.answer("basic"), second, schemes: [.basic])
    let third = try await learn(
      Self.refusal("digest", "Basic realm=\"x\"") + Self.answer("basic"), second)
    #expect(third.profile[.digestLogin]?.holds == false)
    let fourth = try await learn(Self.answer("basic"), third)
    #expect(fourth.profile == third.profile)
  }

  @Test func `who takes what it is shown teaches nothing`() async throws {
    let learned = try await learn(Self.answer("basic"))
    #expect(learned.profile[.digestLogin] == nil)
  }
}
