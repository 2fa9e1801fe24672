import CalDAVStorage
import SyncModel
import Synchronization
import TestSupport
import Testing
import WebDAV

/// A sign-in that failed is over: nothing is tried that would ask a person, or the server of the
/// tokens, once more.
@Suite struct TokenFailureTests {
  /// Gives a token so many times, and then none.
  private final class Tokens: BearerTokens {
    let advice = "sign in again"
    private let state: Mutex<(left: Int, asked: Int)>
    private let kind: DAVError.Kind

    init(_ count: Int, then kind: DAVError.Kind) {
      state = Mutex((count, 0))
      self.kind = kind
    }

    var asked: Int { state.withLock { $0.asked } }

    func token(insteadOf refused: [UInt8]?) throws(DAVError) -> [UInt8] {
      let isThere = state.withLock { state in
        state.asked += 1
        state.left -= 1
        return state.left >= 0
      }
      guard isThere else {
        throw DAVError(kind, "nobody signed in", hint: "sign in", mayHaveActed: false)
      }
      return Array("token".utf8)
    }
  }

  private func account(
    _ tokens: Tokens, _ transport: ScriptedTransport, options: CalDAVAccount.Options = .init()
  ) throws -> CalDAVAccount {
    try CalDAVAccount(
      url: "https://example.org/dav/", credentials: CalDAVAccount.Credentials(tokens: tokens),
      transport: transport, surroundings: ModelClock().surroundings, digest: sha256,
      options: options)
  }

  @Test(arguments: [DAVError.Kind.denied, .protocolBroken, .unreachable, .stopped])
  func `the search for calendars ends with it`(kind: DAVError.Kind) async throws {
    let tokens = Tokens(0, then: kind)
    let transport = ScriptedTransport(try Exchange(""))
    let account = try account(tokens, transport)
    let error = try await #require(throws: StorageError.self) { _ = try await account.discover() }
    #expect(error.message == "nobody signed in")
    #expect(tokens.asked == 1)
    #expect(transport.traffic.requests == 0)
  }

  @Test(arguments: [DAVError.Kind.denied, .protocolBroken])
  func `so it does where a token was refused and there is no other`(
    kind: DAVError.Kind
  ) async throws {
    let tokens = Tokens(1, then: kind)
    let transport = ScriptedTransport(
      try Exchange("> PROPFIND https://example.org/dav/\n< 401"))
    let account = try account(tokens, transport)
    let error = try await #require(throws: StorageError.self) { _ = try await account.discover() }
    #expect(error.message == "nobody signed in")
    #expect(tokens.asked == 2)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [DAVError.Kind.denied, .protocolBroken])
  func `amid the search, too`(kind: DAVError.Kind) async throws {
    let tokens = Tokens(1, then: kind)
    let transport = ScriptedTransport(
      try Exchange(
        """
        > PROPFIND https://example.org/dav/
        > Depth: 0
        < 207
        < Content-Type: application/xml
        <D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/</D:href><D:propstat><D:prop>
        <D:current-user-principal><D:href>/alice/</D:href></D:current-user-principal></D:prop>
        <D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>
        """))
    let account = try account(tokens, transport)
    await #expect(throws: StorageError.self) { _ = try await account.discover() }
    #expect(tokens.asked == 2)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [DAVError.Kind.denied, .protocolBroken])
  func `a remembered place is not searched for anew`(kind: DAVError.Kind) async throws {
    var options = CalDAVAccount.Options()
    options.trustedHosts = TrustedHosts(["dav.other.example"])
    options.found = FoundLocation(
      .homeSets(["https://dav.other.example/alice/"]), foundAt: ModelClock().now,
      trusting: options.trustedHosts)
    let tokens = Tokens(0, then: kind)
    let transport = ScriptedTransport(try Exchange(""))
    let account = try account(tokens, transport, options: options)
    await #expect(throws: StorageError.self) { _ = try await account.listCollections() }
    #expect(tokens.asked == 1)
    #expect(transport.traffic.requests == 0)
  }
}
