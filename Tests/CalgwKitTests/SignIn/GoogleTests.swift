import CalgwKit
import TestSupport
import Testing

/// What Google wants besides RFC 6749 (docs/sign-in.md).
@Suite(.timeLimit(.minutes(20))) struct GoogleTests {
  /// The fields of the address that a person is shown, for a page of some server.
  private func asked(
    at page: String, username: String?
  ) async throws -> [String: String] {
    let world = try SignInWorld()
    let own = world.server.authorizeURL
    let tokens = try world.tokens(
      username: username,
      doing: { address, server in
        SignInWorld.allows(address.replacing(page, with: own), server)
      }, change: { $0.authorizeURL = page })
    #expect(try await tokens.text().hasPrefix("canary-access-"))
    let words = try #require(world.shown.all.first).split(whereSeparator: \.isWhitespace)
    let address = try #require(words.first { $0.hasPrefix(page + "?") })
    let fields = decodeForm(address.utf8.drop { $0 != 0x3F }.dropFirst())
    return try #require(fields)
  }

  @Test(
    arguments: [
      ("https://accounts.google.com/o/oauth2/v2/auth", "ann@example.org"),
      ("https://accounts.google.com/o/oauth2/v2/auth", nil),
      ("HTTPS://ACCOUNTS.GOOGLE.COM/o/oauth2/v2/auth", nil),
    ] as [(String, String?)])
  func `Google is asked for a token that can be renewed, and told who signs in`(
    page: String, username: String?
  ) async throws {
    let fields = try await asked(at: page, username: username)
    #expect(fields["access_type"] == "offline")
    #expect(fields["prompt"] == "consent")
    #expect(fields["login_hint"] == username)
  }

  @Test(arguments: [
    "https://login.example.org/authorize", "https://accounts.google.com.example.org/auth",
  ])
  func `no other server is asked for that, or told`(page: String) async throws {
    let fields = try await asked(at: page, username: "ann@example.org")
    for name in ["access_type", "prompt", "login_hint"] { #expect(fields[name] == nil) }
  }
}
