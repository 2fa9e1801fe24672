import TestSupport
import Testing
import WebDAV

@Suite struct ClientTests {
  private func client(
    _ exchange: String, user: String? = "alice", password: String = "open sesame",
    schemes: [HTTPCredentials.Scheme] = [.basic, .digest]
  ) throws -> (DAVClient, ScriptedTransport) {
    let transport = ScriptedTransport(try Exchange(exchange))
    var access = DAVAccess { 1_767_600_000_000 }
    access.username = user.map { Array($0.utf8) }
    access.password = Array(password.utf8)
    access.schemes = schemes
    return (
      DAVClient(transport: transport, access: access, trusting: "https://a.example"), transport
    )
  }

  private func send(
    _ client: DAVClient, _ method: String = "PROPFIND", _ url: String = "https://a.example/x",
    mayMeetStrangers: Bool = false
  ) async throws -> Int {
    var request = DAVRequest(
      method, try WebURL(absolute: url), headers: [HTTPHeader("If-Match", "\"1\"")],
      body: Array("body".utf8))
    request.mayMeetStrangers = mayMeetStrangers
    return try await client.send(request) { BytesSink(limit: 1000) }.0.status
  }

  @Test(arguments: [301, 302, 307, 308], ["PROPFIND", "PUT", "DELETE"])
  func `a redirect keeps method, guard and credentials`(status: Int, method: String) async throws {
    let (client, transport) = try client(
      """
      > \(method) https://a.example/x
      > credentials: basic
      < \(status)
      < Location: /y
      > \(method) https://a.example/y
      > credentials: basic
      > If-Match: "1"
      >> body
      < 204
      """)
    #expect(try await send(client, method) == 204)
    #expect(transport.complaints == [])
  }

  @Test func `the same host over https inherits the trust of http`() async throws {
    let transport = ScriptedTransport(
      try Exchange(
        """
        > PROPFIND http://localhost/x
        > credentials: basic
        < 301
        < Location: https://localhost/x
        > PROPFIND https://localhost/x
        > credentials: basic
        < 207
        """))
    var access = DAVAccess { 0 }
    access.username = [97]
    let client = DAVClient(transport: transport, access: access, trusting: "http://localhost")
    #expect(try await send(client, "PROPFIND", "http://localhost/x") == 207)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [
    "https://b.example/x", "https://a.example:8443/x", "https://a.example.evil.example/x",
  ])
  func `another origin gets no credentials`(target: String) async throws {
    let (client, transport) = try client(
      """
      > PROPFIND https://a.example/x
      < 307
      < Location: \(target)
      > PROPFIND \(target)
      > credentials: none
      < 207
      """)
    #expect(try await send(client, mayMeetStrangers: true) == 207)
    #expect(transport.complaints == [])
  }

  @Test(arguments: ["alice", nil])
  func `what says something of a calendar is not asked of another origin`(
    user: String?
  ) async throws {
    let (client, transport) = try client(
      """
      > PROPFIND https://a.example/x
      < 307
      < Location: https://b.example:8443/x
      """, user: user)
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.kind == .elsewhere)
    let line = "add this line to the account: trusted_hosts = [\"b.example:8443\"]"
    #expect(error.hint.contains(line))
    #expect(!"\(error)".contains("password"))
    #expect(transport.complaints == [])
  }

  @Test(arguments: ["alice", nil])
  func `an origin that a person has named is asked`(user: String?) async throws {
    let transport = ScriptedTransport(
      try Exchange(
        """
        > PROPFIND https://a.example/x
        < 307
        < Location: https://b.example/x
        > PROPFIND https://b.example/x
        > credentials: \(user == nil ? "none" : "basic")
        < 207
        """))
    var access = DAVAccess { 0 }
    access.username = user.map { Array($0.utf8) }
    access.vouchesFor = { $0.host == "b.example" }
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    #expect(try await send(client) == 207)
    #expect(transport.complaints == [])
  }

  @Test func `who shows nothing is told whose password is wanted`() async throws {
    let (client, _) = try client(
      """
      > PROPFIND https://a.example/x
      < 307
      < Location: https://b.example/y
      > PROPFIND https://b.example/y
      < 401
      < WWW-Authenticate: Basic realm="x"
      """, user: nil)
    let error = try await #require(throws: DAVError.self) {
      _ = try await send(client, mayMeetStrangers: true)
    }
    #expect(error.kind == .denied && error.message.hasPrefix("https://b.example wants a user name"))
    #expect(error.hint.contains("set url to https://b.example/y"))
  }

  @Test(arguments: [
    "http://a.example/x", "file:///x", "data:text/xml,x", "https://u:p@a.example/", "",
    "https://a%2eexample/", "javascript:x",
  ])
  func `a redirect to nowhere good is not followed`(target: String) async throws {
    let (client, transport) = try client(
      "> PROPFIND https://a.example/x\n< 302\n" + (target.isEmpty ? "" : "< Location: \(target)\n"))
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.kind == .protocolBroken)
    #expect(transport.complaints == [])
  }

  @Test func `who led to a server that cannot be reached is named`() async throws {
    let (client, _) = try client(
      "> PROPFIND https://a.example/x\n< 301\n< Location: https://b.example/y")
    let error = try await #require(throws: DAVError.self) {
      _ = try await send(client, mayMeetStrangers: true)
    }
    #expect(error.message == "no connection to https://b.example")
    #expect(error.why.hasSuffix("; a redirect from https://a.example leads there"))
  }

  @Test func `five redirects are followed and a sixth is not`() async throws {
    func chain(_ count: Int) -> String {
      (0..<count).map {
        "> PROPFIND https://a.example/\($0 == 0 ? "x" : "r\($0)")\n< 302\n< Location: /r\($0 + 1)"
      }.joined(separator: "\n")
    }
    let (five, _) = try client(chain(5) + "\n> PROPFIND https://a.example/r5\n< 207")
    #expect(try await send(five) == 207)
    let (six, _) = try client(chain(6))
    await #expect(throws: DAVError.self) { _ = try await send(six) }
  }

  @Test func `Digest is used where it is asked for, and remembered`() async throws {
    let (client, transport) = try client(
      """
      > PROPFIND https://a.example/x
      > credentials: basic
      < 401
      < WWW-Authenticate: Digest realm="a, Basic b", nonce="n"
      > PROPFIND https://a.example/x
      > credentials: digest
      < 207
      > PROPFIND https://a.example/x
      > credentials: digest
      < 207
      """)
    #expect(try await send(client) == 207)
    #expect(try await send(client) == 207)
    #expect(transport.complaints == [])
  }

  @Test func `Basic is used where Digest alone was preferred and it is offered`() async throws {
    let (client, _) = try client(
      """
      > PROPFIND https://a.example/x
      > credentials: digest
      < 401
      < WWW-Authenticate: Negotiate
      < WWW-Authenticate: basic realm="x"
      > PROPFIND https://a.example/x
      > credentials: basic
      < 207
      """, schemes: [.digest, .basic])
    #expect(try await send(client) == 207)
  }

  @Test(arguments: ["< WWW-Authenticate: Basic realm=\"x\"", "< WWW-Authenticate: Bearer", ""])
  func `a refused password is tried once`(challenge: String) async throws {
    let (client, transport) = try client(
      "> PROPFIND https://a.example/x\n< 401\n\(challenge)")
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.kind == .denied)
    #expect(!error.mayHaveActed)
    #expect(!"\(error)".contains("sesame"))
    #expect(transport.complaints == [])
  }

  @Test func `a read that is refused after others were taken goes out once more, after a look`()
    async throws
  {
    let ask = "> PROPFIND https://a.example/x\n> credentials: basic\n"
    let look = "> PROPFIND https://a.example/\n> credentials: basic\n> Depth: 0\n"
    let (client, transport) = try client(
      [
        ask + "< 207", ask + "< 401", look + "< 207", ask + "< 207",
        // Once: the next one ends it.
        ask + "< 401",
      ].joined(separator: "\n"))
    #expect(try await send(client) == 207)
    #expect(try await send(client) == 207)
    #expect(!client.wasRefused)
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.kind == .denied && client.wasRefused)
    #expect(transport.complaints == [])
  }

  @Test(arguments: ["401", "403", "500"])
  func `a read is not sent again where the look is refused as well`(status: String) async throws {
    let ask = "> GET https://a.example/x\n"
    let look = "> PROPFIND https://a.example/\n> Depth: 0\n"
    // Refused there, too: at what was let in before.
    let last = status == "401" ? ["> PROPFIND https://a.example/x\n> Depth: 0\n< 401"] : []
    let (client, transport) = try client(
      ([ask + "< 200", ask + "< 401", look + "< \(status)"] + last).joined(separator: "\n"))
    #expect(try await send(client, "GET") == 200)
    let error = try await #require(throws: DAVError.self) { _ = try await send(client, "GET") }
    #expect(error.kind == .denied)
    #expect(transport.complaints == [])
  }

  @Test func `a write that is refused is not sent again, though the user is let in`() async throws {
    let ask = "> PUT https://a.example/x\n"
    let look = "> PROPFIND https://a.example/\n> Depth: 0\n"
    let (client, transport) = try client(
      [ask + "< 204", ask + "< 401", look + "< 207", ask + "< 401"].joined(separator: "\n"))
    #expect(try await send(client, "PUT") == 204)
    for _ in 0..<2 {
      let error = try await #require(throws: DAVError.self) { _ = try await send(client, "PUT") }
      #expect(error.kind == .denied && error.hint.contains("permission"))
    }
    #expect(client.shutOut == nil)
    #expect(transport.complaints == [])
  }

  /// Some servers say 401 where they mean 403.
  @Test func `a collection that is forbidden by itself shuts nobody out`() async throws {
    let (home, shared) = ("https://a.example/home/", "https://a.example/shared/")
    let (client, transport) = try client(
      """
      > PROPFIND \(home)
      < 207
      > REPORT \(shared)
      < 401
      > PROPFIND \(shared)
      > Depth: 0
      < 401
      > PROPFIND \(home)
      > Depth: 0
      < 207
      > REPORT \(home)
      < 207
      """)
    func send(_ method: String, _ url: String) async throws(DAVError) -> Int {
      guard let url = try? WebURL(absolute: url) else { return 0 }
      return try await client.send(DAVRequest(method, url)) { BytesSink(limit: 1000) }.0.status
    }
    #expect(try await send("PROPFIND", home) == 207)
    let error = try await #require(throws: DAVError.self) { _ = try await send("REPORT", shared) }
    // The password is not to blame.
    #expect(error.message == "the server lets the account in, and not to this address")
    #expect(error.hint == "check the account's permission for this calendar")
    #expect(client.shutOut == nil && client.isRefusedAtCollection)
    #expect(try await send("REPORT", home) == 207)
    #expect(transport.complaints == [])
  }

  @Test(arguments: ["GET", "PUT"], ["GET", "PUT"])
  func `who is refused twice after he was let in shows nothing any more`(
    method: String, next: String
  ) async throws {
    let ask = "> \(method) https://a.example/x\n"
    let look = "> PROPFIND https://a.example/\n> Depth: 0\n"
    let last = "> PROPFIND https://a.example/x\n> Depth: 0\n"
    let (client, transport) = try client(
      [ask + "< 204", ask + "< 401", look + "< 401", last + "< 401"].joined(separator: "\n"))
    #expect(try await send(client, method) == 204)
    for method in [method, next, "PROPFIND"] {
      let error = try await #require(throws: DAVError.self) { _ = try await send(client, method) }
      #expect(error.kind == .denied && error.message.contains("refused the user name"))
    }
    #expect(client.shutOut != nil)
    #expect(transport.complaints == [])
  }

  @Test func `Digest refused after Basic ends it`() async throws {
    let challenge = "< 401\n< WWW-Authenticate: Digest realm=\"x\", nonce=\"n\""
    let ask = "> PROPFIND https://a.example/x\n"
    let (client, transport) = try client(ask + challenge + "\n" + ask + challenge)
    await #expect(throws: DAVError.self) { _ = try await send(client) }
    #expect(transport.complaints == [])
  }

  @Test(arguments: [("al:ice", "x"), ("alice", "x\ny"), ("al\rice", "x")])
  func `credentials that would be ambiguous are not sent`(
    user: String, password: String
  ) async throws {
    let (client, transport) = try client("", user: user, password: password)
    let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
    #expect(error.kind == .denied)
    #expect(transport.traffic.requests == 0)
  }

  @Test(arguments: [
    ("Retry-After: 120", Int64?.some(120_000)), ("Retry-After: -1", nil), ("X: y", nil),
    ("Retry-After: Mon, 05 Jan 2026 08:00:05 GMT", 5000),
    ("Retry-After: Mon, 05 Jan 2015 08:00:05 GMT", 0),
    ("Retry-After: soon", nil), ("Retry-After: 9223372036854775807", 31_622_400_000),
    ("Retry-After: 99999999999999999999", 31_622_400_000),
    ("Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", 31_622_400_000),
  ])
  func `a server says how long to wait`(header: String, expected: Int64?) async throws {
    for status in [429, 503] {
      let (client, _) = try client("> PROPFIND https://a.example/x\n< \(status)\n< \(header)")
      let error = try await #require(throws: DAVError.self) { _ = try await send(client) }
      #expect(error.kind == .tryLater(expected))
    }
  }

  @Test func `418 asks to wait where it says how long, and is an answer else`() async throws {
    let (other, _) = try client("> PROPFIND https://a.example/x\n< 418")
    #expect(try await send(other) == 418)
    let (busy, _) = try client("> PROPFIND https://a.example/x\n< 418\n< Retry-After: 120")
    let error = try await #require(throws: DAVError.self) { _ = try await send(busy) }
    #expect(error.kind == .tryLater(120_000))
    #expect(busy.throttling == .asked("418 with Retry-After"))
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", Int64?.some(784_111_777_000)),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777_000),
    ("Sun Nov  6 08:49:37 1994", 784_111_777_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200_000),
    ("Sun, 06 Nov 1994 08:49:37 PST", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
    ("Sun, 99 Nov 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 99999 08:49:37 GMT", nil),
    ("Sun, 06 Nov 1994 08:49 GMT", nil), ("", nil), ("now", nil), ("- - - - -", nil),
  ])
  func `a date of HTTP is read in its three forms`(text: String, expected: Int64?) {
    #expect(HTTPDate.milliseconds(Array(text.utf8)) == expected)
  }

  @Test func `a server's words are shown safely and shortly`() {
    let nasty = "\u{1B}[2J\u{9B}\u{202E}\u{200B}Bad\r\nthing " + String(repeating: "x", count: 500)
    let shown = ServerWords.safe(Array(nasty.utf8))
    #expect(shown.hasPrefix("\\u{1B}[2J\\u{9B}\\u{202E}\\u{200B}Bad thing xxx"))
    #expect(shown.unicodeScalars.count == 201)
    #expect(ServerWords.safe([0xFF, 0x41, 0x00]) == "\u{FFFD}A\\u{0}")
  }

  @Test func `an error body's elements and message are found in any namespace`() {
    let body = """
      <d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:c="urn:x">
      <s:exception>Sabre</s:exception><s:message>Wrong UID</s:message><c:no-uid-conflict/></d:error>
      """
    let words = ServerWords(
      body: Array(body.utf8), head: HTTPResponseHead(status: 409, headers: []),
      hiding: KnownSecrets())
    #expect(words.preconditions.contains("no-uid-conflict"))
    #expect(words.text == "Wrong UID")
  }

  @Test(arguments: ["a & b", "<x>", "]]>", "\r", "\"'", "caf\u{E9}"])
  func `what is written as XML is read the same`(text: String) throws {
    let body = XMLWriter.document(.dav("x")) { $0.element(.dav("y"), text: Array(text.utf8)) }
    #expect(try XMLTree.parse(body).first(.dav("y"))?.text == Array(text.utf8))
  }
}
