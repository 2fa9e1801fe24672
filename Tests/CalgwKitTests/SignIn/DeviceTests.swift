import CalgwKit
import SyncModel
import TestSupport
import Testing
import WebDAV

/// Signing in with a code that is typed on another device (RFC 8628).
@Suite(.timeLimit(.minutes(20))) struct DeviceTests {
  private struct Outcome {
    let world: SignInWorld
    /// Nil where a token came.
    let error: DAVError?
    /// Of the virtual clock.
    let milliseconds: Int64
  }

  private func signIn(
    secret: String? = nil, _ change: (inout OAuthServer.Rules) -> Void
  ) async throws -> Outcome {
    var rules = OAuthServer.Rules()
    change(&rules)
    let world = try SignInWorld(rules)
    let before = world.clock.now.milliseconds
    let tokens = try world.tokens(
      secret: secret, doing: { _, _ in }, change: { $0.authorizeURL = nil })
    var failure: DAVError?
    do throws(DAVError) { _ = try await tokens.text() } catch { failure = error }
    return Outcome(
      world: world, error: failure, milliseconds: world.clock.now.milliseconds - before)
  }

  /// Some servers say it with a status of success.
  @Test(arguments: [400, 200])
  func `a code is typed on another device, while calgw asks in the server's rhythm`(
    status: Int
  ) async throws {
    let outcome = try await signIn {
      $0.pendingStatus = status
      $0.pending = ["authorization_pending", "slow_down", "authorization_pending"]
    }
    #expect(outcome.error == nil)
    #expect(outcome.world.shown.all.first?.contains("WDJB-MJHT") == true)
    // RFC 8628 §3.5: five seconds, and five more after slow_down.
    #expect(outcome.milliseconds == (5 + 5 + 10 + 10) * 1000)
  }

  @Test(
    arguments: [
      ("access_denied", "allow it on the page"), ("expired_token", "type the code in time"),
    ], [400, 200])
  func `a code that leads to nothing ends the questions`(
    refusal: (code: String, mend: String), status: Int
  ) async throws {
    let outcome = try await signIn {
      $0.pending = [refusal.code]
      $0.pendingStatus = status
    }
    #expect(outcome.error?.kind == .denied)
    #expect(outcome.error?.why.contains(refusal.code) == true)
    #expect(outcome.error?.hint == "run `calgw discover home` again, and \(refusal.mend)")
    #expect(outcome.milliseconds == 5000)
  }

  @Test func `a server without codes for devices says which key it wants`() async throws {
    let outcome = try await signIn { $0.hasDeviceFlow = false }
    #expect(outcome.error?.hint.contains("authorize_url") == true)
  }

  // MARK: Trouble on the way

  @Test func `a server that is down is named with its key and the account`() async throws {
    let tokens = try SignInWorld().tokens(doing: { _, _ in }) {
      $0.authorizeURL = nil
      $0.tokenURL = "http://127.0.0.1:1/token"
    }
    let error = await #expect(throws: DAVError.self) { _ = try await tokens.text() }
    #expect(error?.message == "no connection to http://127.0.0.1:1")
    #expect(
      error?.why.hasPrefix("account home signs in there (token_url in oauth2): ") == true)
    #expect(error?.hint.hasPrefix("check token_url, ") == true)
  }

  @Test(
    arguments: [
      [.close], [.reset], [.answer(502, body: "<html>bad gateway")], [.answer(503)],
      [OAuthServer.json("{\"error\":\"slow_down\"}", status: 429)],
    ] as [[ServerStep]])
  func `a question that was lost is asked again, later than the one before`(
    trouble: [ServerStep]
  ) async throws {
    let outcome = try await signIn { $0.troubles = [trouble, trouble] }
    #expect(outcome.error == nil)
    #expect(outcome.milliseconds == (5 + 10 + 20) * 1000)
    #expect(outcome.world.shown.all.count == 1)
  }

  @Test func `pages of any length say that nothing is there, or that it is to come later`()
    async throws
  {
    let page = String(repeating: "not here, ", count: 10_000)
    let outcome = try await signIn {
      $0.metadataPath = "/.well-known/openid-configuration"
      $0.nothing = .answer(404, body: page)
      $0.troubles = [[.answer(503, body: page)]]
    }
    #expect(outcome.error == nil)
    #expect(outcome.milliseconds == (5 + 10) * 1000)
  }

  @Test func `a server that names a time is not asked before it`() async throws {
    let outcome = try await signIn {
      $0.troubles = [[.answer(503, headers: ["Retry-After": "90"])], [.answer(502)]]
    }
    #expect(outcome.error == nil)
    #expect(outcome.milliseconds == (5 + 90 + 20) * 1000)
  }

  @Test func `a server in trouble is named once the code has run out`() async throws {
    let outcome = try await signIn {
      $0.codeLifetime = "60"
      $0.troubles = Array(repeating: [.answer(502)], count: 100)
    }
    #expect(outcome.error?.message == "the authorization server failed")
    #expect(outcome.milliseconds == 60_000)
  }

  @Test func `a code that nobody types runs out`() async throws {
    let outcome = try await signIn {
      $0.codeLifetime = "12"
      $0.pending = Array(repeating: "authorization_pending", count: 100)
    }
    #expect(outcome.error?.message == "nobody typed the code within the time")
    #expect(outcome.milliseconds == 12_000)
  }

  @Test(arguments: [true, false])
  func `who gives up is not kept waiting`(hasPage: Bool) async throws {
    let world = try SignInWorld()
    let shown = world.shown
    var person = SignInPerson(show: { shown.add($0) })
    person.isCalledOff = { !shown.all.isEmpty }
    let tokens = try world.tokens(person: person) { if !hasPage { $0.authorizeURL = nil } }
    let error = await #expect(throws: DAVError.self) { _ = try await tokens.text() }
    #expect(error?.kind == .stopped)
    #expect(shown.all.count == 1)
    #expect(world.server.grants == [])
  }

  /// The times as JSON, and how long it is between two questions.
  @Test(arguments: [
    ("\"600\"", "\"2\"", 2000), ("600.0", "1.5", 1500), ("1e300", "1e300", 60_000),
    ("\"inf\"", "\"nan\"", 5000), ("-1", "0", 5000), ("null", "null", 5000), ("true", "{}", 5000),
    ("600", "0.001", 1000),
  ])
  func `times are taken as servers write them, within limits`(
    lifetime: String, interval: String, pause: Int64
  ) async throws {
    let outcome = try await signIn {
      $0.codeLifetime = lifetime
      $0.interval = interval
      $0.pending = ["authorization_pending"]
    }
    #expect(outcome.error == nil)
    #expect(outcome.milliseconds == 2 * pause)
  }

  // MARK: The server

  @Test(arguments: [false, true])
  func `the client shows its secret where it asks for a code, too`(wantsBasic: Bool) async throws {
    let outcome = try await signIn(secret: "s3cret") {
      $0.clientSecret = "s3cret"
      $0.wantsBasic = wantsBasic
    }
    #expect(outcome.error == nil)
  }

  @Test func `a place for codes on another server is not asked`() async throws {
    let other = try OAuthServer()
    let outcome = try await signIn(secret: "s3cret") { $0.deviceURL = other.url + "device" }
    let error = try #require(outcome.error)
    #expect(error.kind == .denied)
    #expect(error.message.contains(other.url.dropLast()))
    #expect(error.hint.contains("authorize_url"))
    #expect(other.requests.isEmpty)
    #expect(!outcome.world.server.requests.contains { $0.method == "POST" })
  }

  @Test(arguments: [
    "https://127.0.0.1/device", "http://127.0.0.1:1/device", "https://auth.example.org/device",
  ])
  func `another scheme or port is another server, too`(url: String) async throws {
    let outcome = try await signIn { $0.deviceURL = url }
    #expect(outcome.error?.kind == .denied)
    #expect(!outcome.world.server.requests.contains { $0.method == "POST" })
  }

  @Test(arguments: ["device", "ftp://127.0.0.1/device", "https://me@127.0.0.1/device"])
  func `a place for codes that is no address of a server is told`(url: String) async throws {
    let outcome = try await signIn { $0.deviceURL = url }
    #expect(outcome.error?.kind == .protocolBroken)
    #expect(outcome.error?.why.contains("device_authorization_endpoint") == true)
  }

  @Test(arguments: [
    "/.well-known/oauth-authorization-server/realms/x",
    "/realms/x/.well-known/openid-configuration", "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
  ])
  func `a server that is one of several on its host is found`(document: String) async throws {
    let outcome = try await signIn {
      $0.tokenPath = "realms/x/protocol/openid-connect/token"
      $0.metadataPath = document
    }
    #expect(outcome.error == nil)
  }

  @Test func `the longest issuer is looked for first, and not too many are`() {
    let few = DeviceMetadata.places(besides: Array("/realms/x/token".utf8))
    #expect(
      few == [
        "/.well-known/oauth-authorization-server/realms/x",
        "/realms/x/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server/realms",
        "/realms/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
      ])
    let long = String(repeating: "/a", count: 100)
    let many = DeviceMetadata.places(besides: Array(long.utf8))
    #expect(many.count == 12)
    #expect(many.last == "/.well-known/openid-configuration")
  }
}
