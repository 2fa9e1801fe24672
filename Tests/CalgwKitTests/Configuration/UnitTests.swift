import CalgwKit
import Testing

@Suite struct UnitTests {
  @Test(
    arguments: [
      ("500ms", 500), ("30s", 30_000), ("5m", 300_000), ("1h", 3_600_000), ("90d", 7_776_000_000),
      ("0s", 0), ("", nil), ("5", nil), ("s", nil), ("-5s", nil), ("1.5h", nil), ("5 s", nil),
      ("5S", nil), ("1h30m", nil), ("9223372036854775807ms", Int64.max),
      ("9223372036854775808ms", nil),
      ("9223372036854775807d", nil), ("٣s", nil),
    ] as [(String, Int64?)])
  func `a duration has a whole number and a unit`(text: String, milliseconds: Int64?) {
    #expect(parseDuration(text)?.milliseconds == milliseconds)
  }

  @Test(
    arguments: [
      ("0%", 0), ("25%", 25), ("100%", 100), ("101%", nil), ("25", nil), ("%", nil), ("-1%", nil),
      ("2.5%", nil),
    ] as [(String, Int?)])
  func `a percentage is whole and at most 100`(text: String, percent: Int?) {
    #expect(parsePercentage(text) == percent)
  }

  @Test(
    arguments: [
      ("100B/s", 100), ("1kB/s", 1000), ("2MB/s", 2_000_000), ("0B/s", 0), ("100", nil),
      ("100b/s", nil), ("1KB/s", nil), ("9223372036854775807MB/s", nil),
    ] as [(String, Int?)])
  func `a rate is in bytes a second`(text: String, rate: Int?) {
    #expect(parseRate(text) == rate)
  }

  @Test(
    arguments: [
      ("/a/b", "/a/b"), ("~", "/home/ann"), ("~/x", "/home/ann/x"), ("$HOME/x", "/home/ann/x"),
      ("${HOME}x", "/home/annx"), ("a/./b//c/", "/dir/a/b/c"), ("/a/../b", "/a/../b"),
      ("/a$$b", "/a$b"), ("/a~", "/a~"), ("$NONE/x", nil), ("~bob/x", nil), ("/a$", nil),
      ("/a${HOME", nil), ("", nil), ("/a$-b", nil),
    ] as [(String, String?)])
  func `a path is expanded`(path: String, expanded: String?) {
    let result = try? expandPath(path, environment: .home, relativeTo: "/dir")
    #expect(result == expanded)
  }

  @Test(arguments: [
    ("https://dav.example.org", true), ("https://dav.example.org:8443/x?y", true),
    ("HTTPS://EXAMPLE.ORG/", true), ("http://localhost:5232/", true), ("http://127.0.0.1/", true),
    ("http://127.9.9.9/", true), ("http://[::1]:8080/", true), ("http://a.localhost/", true),
    ("http://127.0.0.1.example.org/", false), ("http://example.org/", false),
    ("http://localhost.example.org/", false), ("ftp://example.org/", false), ("", false),
    ("example.org", false), ("https://", false), ("https:///x", false),
    ("https://u:p@example.org/", false), ("https://example.org/#x", false),
    ("https://example.org/ä", false), ("https://example.org/a b", false),
    ("https://example.org:/", false), ("https://example.org:0/", false),
    ("https://example.org:65536/", false), ("https://[::1/", false), ("https://a_b.example/", true),
  ])
  func `a server's URL is checked`(url: String, isGood: Bool) {
    let result = Result { () throws(URLComplaint) in
      try checkServerURL(url, allowsPlainHTTP: false)
    }
    #expect(((try? result.get()) != nil) == isGood)
  }

  @Test(arguments: [
    ("example.org", true), ("dav.example.org/alice/", true), ("/home/alice/work", false),
    ("~/work", false), ("./work", false), ("", false), ("ftp://example.org/", false),
  ])
  func `https stands before a host, and before no path`(url: String, isHost: Bool) throws {
    let complaint = try #require(throws: URLComplaint.self) {
      try checkServerURL(url, allowsPlainHTTP: false)
    }
    #expect(complaint.hint.contains("before it") == isHost)
  }

  @Test func `plain http to another machine can be allowed`() throws {
    try checkServerURL("http://example.org/", allowsPlainHTTP: true)
  }

  @Test(
    arguments: [
      ("usrname", "username"), ("URL", "url"), ("pasword", "password"), ("user", nil),
      ("xyz", nil), ("ulr", "url"),
    ] as [(String, String?)])
  func `a near miss is recognised`(word: String, meant: String?) {
    #expect(nearMiss(of: word, in: ["username", "url", "password"]) == meant)
  }

  @Test func `the place of every key and element is found`() {
    let text = """
      # comment [not.a.table]
      a = 1
      [t."quoted.key"] # x
      b.c = "]\\"#" # "
      'd' = '''
      [no.table]
      e = 2
      '''
      f = [ 1, # one
        { g = 3, h = [4] },
      ]
      [[list]]
      i = 5
      [[list]]
      i = 6
      """
    let found = KeyPositions(of: Array(text.utf8)).positions
    func place(_ steps: KeyPositions.Step...) -> String {
      found[steps].map { "\($0.line):\($0.column)" } ?? "nowhere"
    }
    let table: [KeyPositions.Step] = [.key("t"), .key("quoted.key")]
    #expect(place(.key("a")) == "2:1")
    #expect(found[table]?.line == 3)
    #expect(found[table + [.key("b"), .key("c")]]?.line == 4)
    #expect(found[table + [.key("d")]]?.line == 5)
    #expect(place(.key("no"), .key("table")) == "nowhere")
    #expect(found[table + [.key("e")]] == nil)
    #expect(
      found[table + [.key("f"), .element(1), .key("g")]] == SourcePosition(line: 10, column: 5))
    #expect(found[table + [.key("f"), .element(1), .key("h"), .element(0)]]?.line == 10)
    #expect(place(.key("list"), .element(0), .key("i")) == "13:1")
    #expect(place(.key("list"), .element(1), .key("i")) == "15:1")
  }

  @Test func `the finder of places ends on any bytes`() {
    var state: UInt64 = 7
    for _ in 0..<2000 {
      let bytes = (0..<60).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Array("[]{}=.,\"'#\n\\ ab\u{0}\u{FF}".utf8)[Int(state >> 33) % 17]
      }
      _ = KeyPositions(of: bytes)
    }
  }
}
