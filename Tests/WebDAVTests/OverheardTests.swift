import TestSupport
import Testing
import WebDAV

/// Passwords over plain http, where anybody on the way can read along.
@Suite struct OverheardTests {
  private func client(
    _ exchange: String, at origin: String = "http://a.example",
    change: (inout DAVAccess) -> Void = { _ in }
  ) throws -> (DAVClient, ScriptedTransport) {
    let transport = ScriptedTransport(try Exchange(exchange))
    var access = DAVAccess { 0 }
    access.username = Array("alice".utf8)
    access.password = Array("open sesame".utf8)
    access.allowsHTTP = true
    change(&access)
    return (DAVClient(transport: transport, access: access, trusting: origin), transport)
  }

  private func send(
    _ client: DAVClient, _ url: String = "http://a.example/x"
  ) async throws -> Int {
    let request = DAVRequest("PROPFIND", try WebURL(absolute: url))
    return try await client.send(request) { BytesSink(limit: 1000) }.0.status
  }

  /// As a network does before somebody has signed in there.
  @Test func `where a redirect leads elsewhere by plain http nobody is told to allow that`()
    async throws
  {
    let (client, transport) = try client(
      """
      > PROPFIND http://localhost/x
      < 302
      < Location: http://portal.example/login
      """, at: "http://localhost"
    ) { $0.allowsHTTP = false }
    var request = DAVRequest("PROPFIND", try WebURL(absolute: "http://localhost/x"))
    request.mayMeetStrangers = true
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(request) { BytesSink(limit: 1000) }
    }
    #expect(error.kind == .denied && error.message.hasPrefix("http://portal.example is not asked"))
    #expect(error.hint.hasPrefix(DAVError.signInFirst), "\(error.hint)")
    #expect(!error.hint.contains("allow_http"), "\(error.hint)")
    #expect(transport.complaints == [])
  }

  private static func asked(_ challenge: String, _ scheme: String) -> String {
    """
    > PROPFIND http://a.example/x
    > credentials: none
    < 401
    < WWW-Authenticate: \(challenge)
    > PROPFIND http://a.example/x
    > credentials: \(scheme)
    < 207
    > PROPFIND http://a.example/x
    > credentials: \(scheme)
    < 207
    """
  }

  @Test(arguments: [
    ("Basic realm=\"x\"", "basic"), ("Digest realm=\"x\", nonce=\"n\"", "digest"),
    ("Basic realm=\"x\", Digest realm=\"x\", nonce=\"n\"", "digest"),
  ])
  func `the server has to ask before it gets a password, and gets no more than it needs`(
    challenge: String, scheme: String
  ) async throws {
    let (client, transport) = try client(Self.asked(challenge, scheme))
    #expect(try await send(client) == 207)
    #expect(try await send(client) == 207)
    #expect(transport.complaints == [])
    #expect(client.scheme(at: "http://a.example") == (scheme == "basic" ? .basic : .digest))
  }

  @Test(arguments: [
    "http://127.0.0.1/x", "http://localhost/x", "http://[::1]/x", "https://a.example/x",
  ])
  func `where nobody overhears it the password goes out at once`(url: String) async throws {
    let origin = try WebURL(absolute: url).origin
    let (client, transport) = try client(
      "> PROPFIND \(url)\n> credentials: basic\n< 207", at: origin)
    #expect(try await send(client, url) == 207)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [true, false])
  func `through a Unix socket, and where a person says Basic, it goes out at once`(
    isSocket: Bool
  ) async throws {
    let (client, transport) = try client(
      "> PROPFIND http://a.example/x\n> credentials: basic\n< 207"
    ) { access in
      access.staysHere = isSocket
      if !isSocket { access.schemes = [.basic] }
    }
    #expect(try await send(client) == 207)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [
    ("< 207", "does not ask who we are", "auth = \"basic\""),
    ("< 401", "does not say which way to sign in", "auth = \"basic\""),
    ("< 401\n< WWW-Authenticate: Bearer", "does not let anybody in by basic", "auth = \"bearer\""),
    ("< 401\n< WWW-Authenticate: Negotiate", "offers no way to sign in that calgw has", "operator"),
  ])
  func `a server that does not ask for it gets none, and the mend is named`(
    answer: String, message: String, mend: String
  ) async throws {
    let (client, transport) = try client(
      "> PROPFIND http://a.example/x\n> credentials: none\n\(answer)")
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.kind == .denied && error.message.contains(message), "\(error)")
    #expect(error.hint.contains(mend), "\(error)")
    #expect(transport.complaints == [])
  }

  @Test func `a password that is refused after it was asked for is shown once`() async throws {
    let challenge = "< 401\n< WWW-Authenticate: Basic realm=\"x\""
    let ask = "> PROPFIND http://a.example/x\n> credentials: "
    let (client, transport) = try client("\(ask)none\n\(challenge)\n\(ask)basic\n\(challenge)")
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.message == "the server refused the user name or the password")
    #expect(client.wasRefused)
    #expect(transport.complaints == [])
  }

  @Test func `a page that is not there says nothing of who is asked for`() async throws {
    let (client, transport) = try client(
      "> PROPFIND http://a.example/x\n> credentials: none\n< 404")
    #expect(try await send(client) == 404)
    #expect(transport.complaints == [])
  }
}
