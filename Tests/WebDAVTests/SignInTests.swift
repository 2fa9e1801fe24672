import SyncModel
import Synchronization
import TestSupport
import Testing
import WebDAV

/// What is shown to whom, and what a refusal leads to.
@Suite struct SignInTests {
  /// Gives tokens in order; the last one stays.
  private final class Tokens: BearerTokens {
    let advice = "sign in again"
    private let state: Mutex<(left: [String], asked: [String?])>

    init(_ tokens: String...) { state = Mutex((tokens, [])) }

    var refused: [String?] { state.withLock { $0.asked } }

    func token(insteadOf refused: [UInt8]?) -> [UInt8] {
      state.withLock { state in
        state.asked.append(refused.map { String(decoding: $0, as: UTF8.self) })
        if refused != nil, state.left.count > 1 { state.left.removeFirst() }
        return Array((state.left.first ?? "").utf8)
      }
    }
  }

  private func client(
    _ exchange: String, tokens: any BearerTokens
  ) throws -> (DAVClient, ScriptedTransport) {
    let transport = ScriptedTransport(try Exchange(exchange))
    var access = DAVAccess { 0 }
    access.tokens = tokens
    return (
      DAVClient(transport: transport, access: access, trusting: "https://a.example"), transport
    )
  }

  private func send(_ client: DAVClient, _ method: String = "PUT") async throws(DAVError) -> Int {
    let url = WebURL(scheme: .https, host: "a.example", port: 443, path: [0x2F, 0x78], query: nil)
    var request = DAVRequest(method, url)
    request.mayMeetStrangers = true
    return try await client.send(request) { BytesSink(limit: 1000) }.0.status
  }

  @Test(arguments: [("alice\r\nX: y", "a control character"), ("al:ice", "a colon")])
  func `a line end in a user name is blamed before the colon after it`(
    username: String, why: String
  ) async throws {
    var access = DAVAccess { 0 }
    access.username = Array(username.utf8)
    access.password = Array("secret".utf8)
    let client = DAVClient(
      transport: ScriptedTransport(try Exchange("")), access: access, trusting: "https://a.example")
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.why.contains(why), "\(error)")
  }

  @Test func `a token that was refused is renewed once, and the write goes out again`()
    async throws
  {
    let tokens = Tokens("old", "new")
    let (client, transport) = try client(
      """
      > PUT https://a.example/x
      > credentials: bearer
      < 401
      < WWW-Authenticate: Bearer error="invalid_token"
      > PUT https://a.example/x
      > credentials: bearer
      < 204
      """, tokens: tokens)
    #expect(try await send(client) == 204)
    #expect(transport.complaints == [])
    #expect(tokens.refused == [nil, "old"])
  }

  @Test func `a token that is always refused is renewed once`() async throws {
    let (client, transport) = try client(
      "> PUT https://a.example/x\n< 401\n> PUT https://a.example/x\n< 401",
      tokens: Tokens("canary-1", "canary-2", "canary-3"))
    let error = await #expect(throws: DAVError.self) { _ = try await send(client) }
    #expect(error?.kind == .denied)
    #expect(error?.message == "the server refused the token")
    #expect(error?.hint == "sign in again")
    #expect(error.map { "\($0)".contains("canary") } == false)
    #expect(transport.complaints == [])
  }

  @Test func `a token that cannot be renewed is shown once`() async throws {
    let (client, transport) = try client(
      "> PUT https://a.example/x\n< 401", tokens: FixedToken(Array("one".utf8)))
    await #expect(throws: DAVError.self) { _ = try await send(client) }
    #expect(transport.complaints == [])
  }

  /// A limit that the server keeps for an hour outlasts a token.
  @Test func `a renewed token that ran out amid a wait is renewed again`() async throws {
    let turn = "> PROPFIND https://a.example/x\n> credentials: bearer\n< "
    let answers = ["401", "429\n< Retry-After: 30", "401", "207"]
    let transport = ScriptedTransport(
      try Exchange(answers.map { turn + $0 }.joined(separator: "\n")))
    let clock = ModelClock()
    let tokens = Tokens("first", "second", "third")
    var access = DAVAccess { clock.now.milliseconds }
    access.tokens = tokens
    access.patience.pause = clock.surroundings.pause
    let client = DAVClient(
      transport: transport, access: access, trusting: "https://a.example")
    #expect(try await send(client, "PROPFIND") == 207)
    // After the wait it is asked which one holds, and not taken for granted.
    #expect(tokens.refused == [nil, "first", nil, "second"])
    #expect(transport.complaints == [])
  }

  /// An authorization server that has taken the permission back says so each time.
  @Test func `who gives the tokens is asked once where none is given any more`() async throws {
    struct Revoked: BearerTokens {
      let advice = "sign in again"
      func token(insteadOf refused: [UInt8]?) async throws(DAVError) -> [UInt8] {
        guard refused != nil else { return Array("old".utf8) }
        throw DAVError(
          .denied, "the permission was taken back", why: "", hint: advice, mayHaveActed: false)
      }
    }
    let (client, transport) = try client("> PUT https://a.example/x\n< 401", tokens: Revoked())
    for method in ["PUT", "PUT", "GET"] {
      let error = try await #require(throws: DAVError.self) { _ = try await send(client, method) }
      #expect(error.message == "the permission was taken back")
    }
    #expect(transport.complaints == [])
  }

  @Test func `another origin gets no token and no certificate`() async throws {
    let (client, transport) = try client(
      """
      > PROPFIND https://a.example/x
      > credentials: bearer
      < 302
      < Location: https://b.example/x
      > PROPFIND https://b.example/x
      > credentials: none
      < 401
      < WWW-Authenticate: Bearer
      """, tokens: FixedToken(Array("one".utf8)))
    let error = await #expect(throws: DAVError.self) { _ = try await send(client, "PROPFIND") }
    #expect(error?.message.contains("since it is not the configured server") == true)
    #expect(error?.hint.contains("url to https://b.example/x, or") == true)
    #expect(error?.hint.contains("trusted_hosts = [\"b.example\"]") == true)
    #expect(client.strangers.map(\.text) == ["https://b.example/x"])
    #expect(!client.wasRefused)
    #expect(transport.complaints == [])
    #expect(transport.identified == ["https://a.example/x"])
  }

  @Test(arguments: ["", "two words", "line\n", "caf\u{E9}"])
  func `a token that would break the header is not sent`(token: String) async throws {
    let (client, transport) = try client("", tokens: FixedToken(Array(token.utf8)))
    let error = await #expect(throws: DAVError.self) { _ = try await send(client) }
    #expect(error?.kind == .denied)
    #expect(transport.traffic.requests == 0)
  }

  @Test func `a proxy's refusal is not taken for the server's`() async throws {
    let (client, _) = try client(
      "> PUT https://a.example/x\n< 407", tokens: FixedToken(Array("one".utf8)))
    let error = await #expect(throws: DAVError.self) { _ = try await send(client) }
    #expect(error?.kind == .denied)
    #expect(error?.message.contains("the proxy on the way to https://a.example") == true)
  }

  // MARK: Advice

  /// One refusal may be about one address; a company's proxy locks an account after some.
  @Test func `a proxy that refuses twice in a row is asked no more`() async throws {
    let (ask, refused) = ("> GET https://a.example/x\n", "< 407")
    let (client, transport) = try client(
      [ask + refused, ask + "< 200", ask + refused, ask + refused].joined(separator: "\n"),
      tokens: FixedToken(Array("one".utf8)))
    for isLetThrough in [false, true, false, false, false] {
      do throws(DAVError) {
        #expect(try await send(client, "GET") == 200 && isLetThrough)
      } catch {
        #expect(error.kind == .denied && !isLetThrough)
      }
    }
    #expect(client.shutOut != nil)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [
    ("https://caldav.icloud.com/", "https://account.apple.com"),
    ("https://apidata.googleusercontent.com/caldav/v2/a/user", "docs/sign-in.md"),
    ("https://cloud.example.org/remote.php/dav/", "Devices & sessions"),
    ("https://dav.example.org/", "made for the app"),
  ])
  func `a refused password comes with the place to get one that is taken`(
    url: String, place: String
  ) async throws {
    let transport = ScriptedTransport(try Exchange("> PUT \(url)\n< 401"))
    var access = DAVAccess { 0 }
    access.username = [0x61]
    let address = try WebURL(absolute: url)
    let client = DAVClient(transport: transport, access: access, trusting: address.origin)
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(DAVRequest("PUT", address)) { BytesSink(limit: 1) }
    }
    #expect(error.hint.contains(place))
    #expect(transport.complaints == [])
  }

  /// The address of an account, whose advice it gets, and the place or the way that it names.
  @Test(arguments: [
    ("https://caldav.icloud.com/", "iCloud", "https://account.apple.com"),
    ("https://p42-caldav.icloud.com/1/calendars/", "iCloud", "App-Specific Passwords"),
    ("https://caldav.fastmail.com/dav/", "Fastmail", "https://app.fastmail.com/settings/security"),
    ("https://apidata.googleusercontent.com/caldav/v2/a/user", "Google", "auth = \"oauth2\""),
    ("https://www.google.com/calendar/dav/a/user", "Google", "myaccount.google.com/apppasswords"),
    ("https://caldav.calendar.yahoo.com/", "Yahoo", "https://login.yahoo.com/account/security"),
    ("https://caldav.aol.com/", "AOL", "https://login.aol.com/account/security"),
    ("https://caldav.yandex.ru/", "Yandex", "https://id.yandex.com/security/app-passwords"),
    ("https://calendar.mail.ru/", "Mail.ru", "https://account.mail.ru/user/2-step-auth/passwords"),
    ("https://sync.infomaniak.com/", "Infomaniak", "https://manager.infomaniak.com"),
    ("https://calendar.zoho.eu/caldav/", "Zoho", "Security, App Passwords"),
    ("https://dav.mailbox.org/", "mailbox.org", "Security, Application Passwords"),
    ("https://caldav.gmx.net/", "GMX", "Security, Application-specific passwords"),
    ("https://caldav.web.de/", "WEB.DE", "Security, Application-specific passwords"),
    ("https://caldav.mail.com/", "mail.com", "Security Options"),
    ("https://posteo.de:8443/", "Posteo", "the account's own password"),
    ("https://outlook.office365.com/", "Microsoft", "DavMail"),
    ("https://cloud.example.org/remote.php/dav/", "Nextcloud", "Security, Devices & sessions"),
    ("https://cloud.example.org/nextcloud/remote.php/dav/", "Nextcloud", "Devices & sessions"),
    ("https://dav.example.org/", "some servers", "username and password"),
  ])
  func `each provider's servers get the advice of that provider`(
    url: String, name: String, place: String
  ) throws {
    let hint = PasswordAdvice.hint(for: try WebURL(absolute: url))
    #expect(hint.contains(name) && hint.contains(place))
  }

  @Test(arguments: [
    ("icloud.com", "https://caldav.icloud.com"), ("me.com", "https://caldav.icloud.com"),
    ("fastmail.com", "https://caldav.fastmail.com"),
    ("yahoo.com", "https://caldav.calendar.yahoo.com"), ("gmx.de", "https://caldav.gmx.net"),
    ("web.de", "https://caldav.web.de"), ("ik.me", "https://sync.infomaniak.com"),
    ("mailbox.org", "https://dav.mailbox.org"), ("posteo.de", "https://posteo.de:8443"),
    ("gmx.at", "https://caldav.gmx.net"), ("gmx.ch", "https://caldav.gmx.net"),
    ("yahoo.de", "https://caldav.calendar.yahoo.com"),
    ("yahoo.co.uk", "https://caldav.calendar.yahoo.com"),
    ("posteo.net", "https://posteo.de:8443"), ("posteo.eu", "https://posteo.de:8443"),
  ])
  func `a mail address leads to the server of its provider, as the manual has it`(
    domain: String, url: String
  ) throws {
    #expect(PasswordAdvice.server(forMailIn: domain) == url)
    #expect(try Project.text("docs/sign-in.md").contains("`\(url)/`"))
    #expect(PasswordAdvice.server(forMailIn: "not\(domain)") == nil)
  }

  /// Yahoo Japan is another company, and Google's calendars are at no URL that takes a password.
  @Test(arguments: ["yahoo.co.jp", "yahoo.example", "mail.yahoo.de", "gmail.com", "gmx.example"])
  func `a domain that is none of a provider's leads to no server of it`(domain: String) {
    #expect(PasswordAdvice.server(forMailIn: domain) == nil)
    #expect(PasswordAdvice.isOfGoogle(mailIn: domain) == (domain == "gmail.com"))
  }

  @Test(arguments: ["https://noticloud.com/", "https://icloud.com.example.org/"])
  func `a host that only looks like a provider's gets no advice of it`(url: String) throws {
    #expect(!PasswordAdvice.hint(for: try WebURL(absolute: url)).contains("apple"))
  }
}
