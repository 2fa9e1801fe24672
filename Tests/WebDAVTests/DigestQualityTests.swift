import TestSupport
import Testing
import WebDAV

/// Digest that libcurl does not make: over the whole of each request (`auth-int`), or by another
/// algorithm.
@Suite struct DigestQualityTests {
  private func head(_ challenges: [String]) -> HTTPResponseHead {
    HTTPResponseHead(
      status: 401, headers: challenges.map { HTTPHeader("WWW-Authenticate", $0) })
  }

  @Test(arguments: [
    (["Digest realm=\"x\", nonce=\"n\", qop=\"auth-int\""], true),
    (["digest qop=auth-int, realm=\"a, qop=auth\", nonce=\"n\""], true),
    (["Digest realm=\"x\", nonce=\"n\", qop=\"auth, auth-int\""], false),
    (["Digest realm=\"x\", nonce=\"n\", qop=\"auth\""], false),
    (["Digest realm=\"x\", nonce=\"n\""], false),
    (["Digest qop=\"auth\", nonce=\"m\"", "Digest qop=\"auth-int\", nonce=\"n\""], false),
    (["Digest qop=\"auth-int\", nonce=\"n\"", "Digest qop=\"auth\", nonce=\"m\""], true),
    (["Digest realm=a, qop=auth-int, nonce=n, Digest realm=a, qop=auth, nonce=m"], false),
  ])
  func `a hash over the whole is known by the challenge that is answered`(
    challenges: [String], isHashed: Bool
  ) throws {
    let offer = try #require(DigestOffer(head(challenges)))
    #expect(offer.obstacle == (isHashed ? .hashedBodies : nil))
  }

  @Test(arguments: [
    (["Digest realm=\"x\", nonce=\"n\", algorithm=SHA3-256"], "SHA3-256"),
    (["Digest nonce=\"n\", algorithm=\"<b>\""], "another one"),
    (["Digest nonce=n, algorithm=token, Digest realm=a, nonce=n, algorithm=SHA-256"], "TOKEN"),
    (["Digest realm=a, algorithm=SHA-512-256, Digest realm=a, algorithm=SHA-256"], nil),
    (["Digest realm=a, algorithm=MD5, Digest realm=a, algorithm=SHA-512-256"], "SHA-512-256"),
    (["Digest algorithm=SHA-512-256", "Digest algorithm=SHA-256"], "SHA-512-256"),
    (["Digest algorithm=SHA-256", "Digest algorithm=SHA-512-256"], nil),
    (["Digest nonce=\"n\", algorithm=MD5-sess"], nil), (["Digest nonce=\"n\""], nil),
    (["Basic realm=\"algorithm=token\", algorithm=token", "Digest nonce=n"], nil),
  ])
  func `another algorithm is known by the challenge that is answered`(
    challenges: [String], name: String?
  ) throws {
    let offer = try #require(DigestOffer(head(challenges)))
    #expect(offer.obstacle == name.map { .algorithm($0) })
  }

  @Test func `where no Digest is offered there is nothing to answer`() {
    #expect(DigestOffer(head(["Basic realm=\"qop=auth-int\", qop=\"auth-int\""])) == nil)
    #expect(DigestOffer(head([])) == nil)
  }

  /// RFC 9110 §5.6.1.2 and §5.6.3: no blank after a comma, empty elements, tabs, blanks around `=`.
  @Test(arguments: [
    "Basic realm=\"x\",Digest nonce=\"n\",qop=\"auth-int\"",
    "Basic realm=\"x\" ,, \t Digest\tnonce = \"n\" ,qop =\t\"auth-int\",",
    "Basic, Digest realm=\"a\\\", Bearer b\", qop= auth-int",
  ])
  func `a list of challenges is read however it is spaced`(value: String) {
    #expect(Challenge.all(head([value])).map(\.scheme) == ["basic", "digest"])
    #expect(DigestOffer(head([value]))?.obstacle == .hashedBodies)
  }

  @Test(arguments: [
    ("Digest realm=x, nonce=n, qop=\"auth-int\"", "by a way of Digest alone", "auth-int"),
    (
      "Digest nonce=n, algorithm=SHA-512-256\n< WWW-Authenticate: Digest nonce=m, algorithm=MD5",
      "that the server puts first", "SHA-512-256"
    ),
    ("Digest realm=x, nonce = n\n< credentials: unasked", "cannot read", "RFC 7616"),
  ])
  func `the reason is named, and no word is said against the password`(
    challenge: String, message: String, why: String
  ) async throws {
    let ask = "> PROPFIND https://a.example/x\n"
    let answer = "< 401\n< WWW-Authenticate: \(challenge)\n"
    let transport = ScriptedTransport(try Exchange(ask + answer + ask + answer))
    var access = DAVAccess { 0 }
    access.username = Array("alice".utf8)
    access.password = Array("secret".utf8)
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    let url = WebURL(scheme: .https, host: "a.example", port: 443, path: [0x2F, 0x78], query: nil)
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(DAVRequest("PROPFIND", url)) { BytesSink(limit: 1000) }
    }
    #expect(error.kind == .denied && client.wasRefused)
    #expect(error.message.contains(message) && error.why.contains(why), "\(error)")
    #expect(!error.hint.contains("check username"))
    #expect(transport.complaints == [])
  }
}
