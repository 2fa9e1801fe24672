import CalgwKit
import TestSupport
import Testing
import WebDAV

/// An authorization server that says what it was asked.
@Suite(.timeLimit(.minutes(20))) struct EchoTests {
  /// What is shown of a sign-in that such a server refuses.
  private func words(of tokens: OAuthTokens) async -> String {
    do {
      return try await tokens.text()
    } catch {
      return "\(error.message) \(error.why) \(error.hint)"
    }
  }

  @Test(arguments: [
    ("invalid_request", "says invalid_request: without login grant_type=refresh_token"),
    ("invalid_client", "says invalid_client: Basic [secret]"),
    ("canary-secret", "says [secret]: without login"),
  ])
  func `a refresh token and a client's secret are not shown`(
    code: String, answer: String
  ) async throws {
    var rules = OAuthServer.Rules()
    rules.clientSecret = "canary-secret"
    let world = try SignInWorld(rules)
    _ = try await world.tokens(secret: "canary-secret", doing: SignInWorld.allows).text()
    world.server.change { $0.echo = code }
    world.clock.advance(milliseconds: 3_600_000)
    let tokens = try world.tokens(secret: "canary-secret")
    let said = await words(of: tokens)
    #expect(said.contains(answer) && said.contains("refresh_token=[secret]"), "\(said)")
    #expect(!said.contains("canary"), "\(said)")
    // "canary" in Base64, behind a user name of any length.
    for part in ["Y2FuYXJ5", "jYW5hcn", "NhbmFy"] { #expect(!said.contains(part), "\(said)") }
  }

  @Test func `a code that the browser brought is not shown`() async throws {
    var rules = OAuthServer.Rules()
    rules.echo = "invalid_request"
    let world = try SignInWorld(rules)
    let tokens = try world.tokens(doing: SignInWorld.allows)
    let said = await words(of: tokens)
    #expect(said.contains("&code=[secret]&redirect_uri="), "\(said)")
    #expect(!said.contains("code-1"), "\(said)")
  }

  @Test func `a code of a device is not shown`() async throws {
    var rules = OAuthServer.Rules()
    rules.echo = "invalid_request"
    let world = try SignInWorld(rules)
    let tokens = try world.tokens(doing: { _, _ in }, change: { $0.authorizeURL = nil })
    let said = await words(of: tokens)
    #expect(said.contains("&device_code=[secret]&client_id="), "\(said)")
    #expect(!said.contains("device-1"), "\(said)")
  }
}
