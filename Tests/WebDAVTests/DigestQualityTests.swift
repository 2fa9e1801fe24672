import TestSupport
import Testing
import WebDAV

/// Digest that libcurl does not make: over the whole of each request (`auth-int`), or by another
/// algorithm.
@Suite struct DigestQualityTests {
  @Test(arguments: [
    (["Digest realm=\"x\", nonce=\"n\", qop=\"auth-int\""], true),
    (["digest qop=auth-int, realm=\"a, qop=auth\", nonce=\"n\""], true),
    (["Digest realm=\"x\", nonce=\"n\", qop=\"auth, auth-int\""], false),
    (["Digest realm=\"x\", nonce=\"n\", qop=\"auth\""], false),
    (["Digest realm=\"x\", nonce=\"n\""], false),
    (["Digest qop=\"auth-int\", nonce=\"n\"", "Digest qop=\"auth\", nonce=\"m\""], false),
    (["Basic realm=\"qop=auth-int\", qop=\"auth-int\""], false), ([], false),
  ])
  func `a server that takes nothing else is known by its challenges`(
    challenges: [String], isAlone: Bool
  ) {
    let headers = challenges.map { HTTPHeader("WWW-Authenticate", $0) }
    let head = HTTPResponseHead(status: 401, headers: headers)
    #expect(DigestOffer.wantsBodiesHashed(head) == isAlone)
  }

  @Test(arguments: [
    (["Digest realm=\"x\", nonce=\"n\", algorithm=SHA3-256"], "SHA3-256"),
    (["Digest nonce=\"n\", algorithm=\"<b>\""], "another one"),
    (["Digest nonce=\"n\", algorithm=token, Digest nonce=\"n\", algorithm=SHA-256"], nil),
    (["Digest nonce=\"n\", algorithm=MD5-sess"], nil),
    (["Digest nonce=\"n\""], nil), (["Basic realm=\"algorithm=token\", algorithm=token"], nil),
  ])
  func `a server of another algorithm is known by its challenges`(
    challenges: [String], name: String?
  ) {
    let headers = challenges.map { HTTPHeader("WWW-Authenticate", $0) }
    let head = HTTPResponseHead(status: 401, headers: headers)
    #expect(DigestOffer.unknownAlgorithm(head) == name)
  }

  /// RFC 9110 §5.6.1.2 and §5.6.3: no blank after a comma, empty elements, tabs, blanks around `=`.
  @Test(arguments: [
    "Basic realm=\"x\",Digest nonce=\"n\",qop=\"auth-int\"",
    "Basic realm=\"x\" ,, \t Digest\tnonce = \"n\" ,qop =\t\"auth-int\",",
    "Basic, Digest realm=\"a\\\", Bearer b\", qop= auth-int",
  ])
  func `a list of challenges is read however it is spaced`(value: String) {
    let head = HTTPResponseHead(
      status: 401, headers: [HTTPHeader("WWW-Authenticate", value)])
    #expect(Challenge.all(head).map(\.scheme) == ["basic", "digest"])
    #expect(DigestOffer.wantsBodiesHashed(head))
  }

  @Test func `the reason is named, and no word is said against the password`() async throws {
    let ask = "> PROPFIND https://a.example/x\n"
    let challenge =
      "< 401\n< WWW-Authenticate: Digest realm=\"x\", nonce=\"n\", qop=\"auth-int\"\n"
    let transport = ScriptedTransport(try Exchange(ask + challenge + ask + challenge))
    var access = DAVAccess { 0 }
    access.username = Array("alice".utf8)
    access.password = Array("secret".utf8)
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    let url = WebURL(scheme: .https, host: "a.example", port: 443, path: [0x2F, 0x78], query: nil)
    let error = try await #require(throws: DAVError.self) {
      _ = try await client.send(DAVRequest("PROPFIND", url)) { BytesSink(limit: 1000) }
    }
    #expect(error.kind == .denied && client.wasRefused)
    #expect(error.why.contains("auth-int"), "\(error)")
    #expect(!error.hint.contains("check username"))
    #expect(transport.complaints == [])
  }
}
