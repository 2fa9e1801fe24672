import TestSupport
import Testing
import WebDAV

/// What servers send back of what they got, and what is shown of it.
@Suite struct KnownSecretsTests {
  private func known(
    _ password: String = "Canary pw&\"'<", of username: String = "alice"
  ) -> KnownSecrets {
    let secrets = KnownSecrets()
    secrets.add(Array(password.utf8), of: Array(username.utf8))
    return secrets
  }

  @Test(arguments: [
    ("you sent Canary pw&\"'<!", "you sent [secret]!"), ("canary PW&\"'<", "[secret]"),
    ("?p=Canary%20pw%26%22%27%3C&x", "?p=[secret]&x"), ("p=Canary+pw%26%22%27%3c", "p=[secret]"),
    ("<b>Canary pw&amp;&quot;&#39;&lt;</b>", "<b>[secret]</b>"),
    ("Canary pw&amp;&quot;&#x27;&lt;", "[secret]"), ("Canary pw&amp;\"'&lt;", "[secret]"),
    (#"{"p":"Canary pw&\"'<"}"#, #"{"p":"[secret]"}"#),
    // As Python, JavaScript and JSON spell it, in numbers, twice, and in part.
    ("Canary%20pw%26%22'%3C", "[secret]"), ("C%61nary%20pw&%22%27<", "[secret]"),
    (#"Canary pw\u0026\"'\u003c"#, "[secret]"), ("Canary&#32;pw&#x26;&#34;&apos;&#60;", "[secret]"),
    ("Canary%2520pw%2526%2522%2527%253C", "[secret]"),
    ("Canary%20pw%26amp%3B%22%27%3C", "[secret]"),
    // "alice:Canary pw&\"'<" with padding, without, and in lower case; and the password alone.
    ("Basic YWxpY2U6Q2FuYXJ5IHB3JiInPA==", "Basic [secret]=="),
    ("Basic YWxpY2U6Q2FuYXJ5IHB3JiInPA", "Basic [secret]"),
    ("offers: ywxpy2u6q2fuyxj5ihb3jiinpa", "offers: [secret]"),
    ("Q2FuYXJ5IHB3JiInPA==", "[secret]=="),
    ("alice is unknown", "alice is unknown"), ("Canary", "Canary"), ("", ""),
  ])
  func `a secret is found however it is spelled`(text: String, shown: String) {
    #expect(known().concealed(text) == shown)
  }

  @Test func `secrets beside each other are one, and letters outside ASCII stay whole`() {
    let secrets = known("caf\u{E9} au lait")
    secrets.add(Array("mF_9.B5f-4.1JqM".utf8))
    #expect(
      secrets.concealed("\u{E9}: caf\u{E9} au laitmF_9.B5f-4.1JqM\u{E9}")
        == "\u{E9}: [secret]\u{E9}")
  }

  @Test func `what is cut off within a secret shows nothing of it`() {
    let body = String(repeating: "x", count: 190) + "Canary pw&\"'< and more"
    let shown = ServerWords.safe(Array(body.utf8), hiding: known())
    #expect(shown == String(repeating: "x", count: 190) + "[secret]…")
  }

  @Test(arguments: ["Canary%20pw%2", "Canary pw&am", #"Canary pw\u00"#, "Canary pw&amp;&quo"])
  func `nor does what is cut off within a letter of it`(text: String) {
    #expect(known().concealed(text, isCut: true) == "[secret]")
    #expect(known().concealed(text) == text)
  }

  @Test(arguments: ["50%", "&", "a\\", "%zz&x;\\q\\u12", "\\ud800\\u0041", "&#0;&#x110000;%"])
  func `what is no escape stays as it is`(text: String) {
    for isCut in [true, false] { #expect(known().concealed(text, isCut: isCut) == text) }
  }

  @Test func `letters that nobody sees hide no secret`() {
    let text = "Can\u{200B}ary\u{1B}  pw&\"\u{202E}'<"
    #expect(ServerWords.safe(Array(text.utf8), hiding: known()) == "[secret]")
    // Nor do the escapes that show such letters, where there is none.
    #expect(
      ServerWords.safe(Array("No\u{202E} \(text)".utf8), hiding: known()) == "No [secret]")
    #expect(
      ServerWords.safe(Array("No\u{202E}\nsecret".utf8), hiding: known())
        == "No\\u{202E} secret")
  }

  @Test func `a secret with letters that nobody sees is found`() {
    let secrets = known("Canary\u{7}\u{200B}pw")
    #expect(
      ServerWords.safe(Array("you sent Canary\u{7}\u{200B}pw".utf8), hiding: secrets)
        == "you sent [secret]")
  }

  @Test(arguments: [188, 191, 195])
  func `nor does what is cut off sooner for an escape before it`(count: Int) {
    let body = String(repeating: "x", count: count) + "\u{202E}Canary pw&\"'< and more"
    let shown = ServerWords.safe(Array(body.utf8), hiding: known())
    #expect(!shown.contains("Can"), "\(shown)")
    #expect(shown.hasSuffix("[secret]…"), "\(shown)")
  }

  @Test func `what is too short, or a part of the user name, is found in Base64 alone`() {
    #expect(known("abc").concealed("abc YWxpY2U6YWJj") == "abc [secret]")
    #expect(known("Alice").concealed("alice YWxpY2U6QWxpY2U=") == "alice [secret]=")
  }

  @Test func `the hash of an answer to Digest is a secret, too`() {
    let hash = String(repeating: "0af1", count: 8)
    let secrets = KnownSecrets()
    for quote in ["\"", "", "&quot;", "\\\""] {
      let echo = "Digest username=\"a\", response=\(quote)\(hash)\(quote), qop=auth"
      #expect(
        secrets.concealed(echo)
          == "Digest username=\"a\", response=\(quote)[secret]\(quote), qop=auth")
    }
    #expect(secrets.concealed("response=bad") == "response=bad")
  }

  @Test(arguments: [
    ("http://bob:canary-proxy@proxy.example:3128/", "[secret] Ym9i"),
    ("bob:canary%2Dproxy@proxy.example", "[secret] Ym9i"),
    ("http://proxy.example:3128", "canary-proxy Ym9i"),
  ])
  func `a proxy's login is known by its URL`(url: String, shown: String) {
    let secrets = KnownSecrets()
    secrets.add(loginOf: url)
    #expect(secrets.concealed("canary-proxy Ym9i") == shown)
    #expect("\(secrets)" == "(secrets)")
  }

  @Test func `the address of a feed is hidden, and may be in what it redirects to`() throws {
    let secrets = KnownSecrets()
    secrets.add(address: Array("/x.ics".utf8))
    #expect(secrets.concealed("no /x.ics here, nor %2Fx.ics") == "no [secret] here, nor [secret]")
    for next in ["get?file=/x.ics", "get?file=%2fx.ics", "feeds/of/everybody/x.ics"] {
      #expect(!secrets.areCarried(by: try WebURL(absolute: "https://a.example/\(next)")), "\(next)")
    }
    let feed = try WebURL(absolute: "https://a.example/x.ics")
    #expect(secrets.shown(feed) == feed.text)
    secrets.add(Array("canary".utf8))
    #expect(secrets.areCarried(by: try WebURL(absolute: "https://a.example/x.ics?p=canary")))
  }

  // MARK: At a server

  private static let echo = "YWxpY2U6Y2FuYXJ5cHc="

  private func error(_ exchange: String, tokens: FixedToken? = nil) async throws -> String {
    var access = DAVAccess { 0 }
    access.username = tokens == nil ? Array("alice".utf8) : nil
    access.password = Array("canarypw".utf8)
    access.tokens = tokens
    let client = DAVClient(
      transport: ScriptedTransport(try Exchange(exchange)), access: access,
      trusting: "https://a.example")
    let request = DAVRequest("PROPFIND", try WebURL(absolute: "https://a.example/x"))
    do throws(DAVError) {
      guard case .refused(let refusal) = try await client.multistatus(request) else {
        return "a multistatus"
      }
      return "\(refusal.reason) \(refusal.words.text) \(refusal.words.place)"
    } catch {
      return "\(error.message) \(error.why) \(error.hint)"
    }
  }

  @Test(arguments: [
    "< 500\n< Content-Type: text/plain\nyou sent Basic \(echo) alice:canarypw",
    "< 403\n{\"error\":{\"message\":\"Basic \(echo) canarypw\"}}",
    "< 403\n<d:error xmlns:d=\"DAV:\"><d:message>Basic \(echo) canarypw</d:message></d:error>",
    "< 403\n<d:error xmlns:d=\"DAV:\"><d:canarypw/></d:error>",
    "< 409\n<d:error xmlns:d=\"DAV:\"><d:x><d:href>/canarypw/</d:href></d:x></d:error>",
    "< 401\n< WWW-Authenticate: \(echo) realm=\"x\"",
    "< 401\n< WWW-Authenticate: YWxpY2U6Y2FuYXJ5cHc realm=\"x\"",
    "< 302\n< Location: https://a.example/\(echo)", "< 302\n< Location: /y?p=canarypw",
  ])
  func `nothing that a server sends back is shown`(answer: String) async throws {
    let said = try await error("> PROPFIND https://a.example/x\n\(answer)").lowercased()
    #expect(!said.contains("canary") && !said.contains("ywxpy2u6y2fu"), "\(said)")
  }

  /// A password of fewer than twelve bytes may be a word, so the redirect is followed.
  @Test(arguments: ["401", "200\n< Content-Type: text/html"])
  func `nor is it shown as a part of an address`(answer: String) async throws {
    let said = try await error(
      """
      > PROPFIND https://a.example/x
      < 302
      < Location: /of/canarypw/
      > PROPFIND https://a.example/of/canarypw/
      < \(answer)
      """)
    #expect(said.contains("https://a.example/of/[secret]/"), "\(said)")
    #expect(!said.contains("canary"), "\(said)")
  }

  @Test func `a token that was refused is not shown by what refuses it`() async throws {
    let said = try await error(
      "> PROPFIND https://a.example/x\n< 403\n< Content-Type: text/plain\nBearer canary-token!",
      tokens: FixedToken(Array("canary-token".utf8)))
    #expect(said.contains("403 (Bearer [secret]!)"), "\(said)")
  }

  @Test func `a common word that is a password keeps no redirect from being followed`() async throws
  {
    var access = DAVAccess { 0 }
    access.username = Array("alice".utf8)
    access.password = Array("calendars".utf8)
    let transport = ScriptedTransport(
      try Exchange(
        """
        > GET https://a.example/
        < 301
        < Location: /calendars/
        > GET https://a.example/calendars/
        < 200
        """))
    let client = DAVClient(transport: transport, access: access, trusting: "https://a.example")
    let request = DAVRequest("GET", try WebURL(absolute: "https://a.example/"))
    #expect(try await client.send(request) { BytesSink(limit: 10) }.0.status == 200)
    #expect(transport.complaints == [])
  }

  @Test(arguments: [
    ("Basic realm=\"x\"", "offers: basic"), ("X-MobileMe-AuthToken realm=\"x\"", "x-mobileme"),
    ("Two(words), Negotiate", "offers: negotiate"),
    (String(repeating: "a", count: 31) + " realm=\"x\"", "answered 401"),
  ])
  func `a scheme is named if it is a name`(challenge: String, words: String) async throws {
    let said = try await error(
      "> PROPFIND https://a.example/x\n< 401\n< WWW-Authenticate: \(challenge)",
      tokens: FixedToken(Array("one1".utf8)))
    #expect(said.contains(words), "\(said)")
    #expect(!said.contains("aaaa") && !said.contains("two("), "\(said)")
  }
}
