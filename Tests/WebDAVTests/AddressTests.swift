import Testing
import WebDAV

@Suite struct AddressTests {
  private let base = "https://dav.example.org/cal/work/"

  @Test(arguments: [
    // RFC 3986 §5.4, as far as http goes.
    ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("g?y", "/b/c/g?y"),
    (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"),
    ("../g", "/b/g"), ("../..", "/"), ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"),
    ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."),
    ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
    ("g;x=1/../y", "/b/c/y"),
  ])
  func `a reference is resolved as the RFC has it`(reference: String, expected: String) throws {
    let from = try WebURL(absolute: "http://a/b/c/d;p?q")
    let url = try from.resolve(href: Array(reference.utf8))
    #expect(url.target == Array(expected.utf8))
    #expect(url.origin == "http://a")
  }

  @Test func `a Location of nothing is where it came from, and an href of nothing is none`() throws
  {
    let from = try WebURL(absolute: "http://a/b/c/d;p?q")
    #expect(try from.resolve(location: []) == from)
    #expect(throws: HrefError.empty) { try from.resolve(href: []) }
  }

  @Test(arguments: [
    ("/cal/work/a.ics", "https://dav.example.org/cal/work/a.ics"),
    ("a.ics", "https://dav.example.org/cal/work/a.ics"),
    ("colon:x.ics", "https://dav.example.org/cal/work/colon:x.ics"),
    ("https://dav.example.org:443/cal/work/a.ics", "https://dav.example.org/cal/work/a.ics"),
    ("HTTPS://DAV.Example.ORG/cal/work/a.ics", "https://dav.example.org/cal/work/a.ics"),
    ("//other.example/x", "https://other.example/x"),
    // A server behind a proxy that does not tell it of TLS means itself.
    ("http://dav.example.org/x?y", "https://dav.example.org/x?y"),
    ("http://DAV.example.org:80/x", "https://dav.example.org/x"),
    ("http://dav.example.org:443/x", "https://dav.example.org/x"),
    ("http://dav.example.org:8080/x", "http://dav.example.org:8080/x"),
    ("http://other.example/x", "http://other.example/x"),
    ("http://example.org/x", "http://example.org/x"),
    ("https://[2001:DB8::1]:8443/x", "https://[2001:db8::1]:8443/x"),
    ("/a b\u{FC}%zz%2f", "https://dav.example.org/a%20b%C3%BC%25zz%2f"),
    ("/\\..\\..\\x", "https://dav.example.org/%5C..%5C..%5Cx"),
    ("/a<b>\"^`{|}", "https://dav.example.org/a%3Cb%3E%22%5E%60%7B%7C%7D"),
  ])
  func `an href gives a URL that a request can carry`(href: String, expected: String) throws {
    let url = try WebURL(absolute: base).resolve(href: Array(href.utf8))
    #expect(url.text == expected)
  }

  @Test(arguments: [
    ("https://a.example:8443/", "http://a.example/x", "https://a.example:8443/x"),
    ("https://a.example:8443/", "http://a.example:8443/x", "https://a.example:8443/x"),
    ("https://a.example:8443/", "http://a.example:443/x", "http://a.example:443/x"),
    ("https://a.example:8443/", "https://a.example/x", "https://a.example/x"),
    ("https://[::1]/", "http://[::1]/x", "https://[::1]/x"),
    ("http://a.example/", "https://a.example/x", "https://a.example/x"),
    ("http://a.example:8080/", "http://a.example/x", "http://a.example/x"),
  ])
  func `plain http of the own host is the own origin, of an answer over TLS alone`(
    place: String, href: String, expected: String
  ) throws {
    let url = try WebURL(absolute: place).resolve(href: Array(href.utf8))
    #expect(url.text == expected)
  }

  @Test(arguments: [
    ("http://dav.example.org/x", "http://dav.example.org/x"),
    ("webcal://dav.example.org/x", "https://dav.example.org/x"),
    ("WebCals://dav.example.org/x", "https://dav.example.org/x"),
  ])
  func `where a redirect leads is read as it stands, and to webcal as https`(
    location: String, expected: String
  ) throws {
    let url = try WebURL(absolute: base).resolve(location: Array(location.utf8))
    #expect(url.text == expected)
  }

  /// PITFALLS E2.7 and E3.22
  @Test(arguments: [
    ("/a%00b", HrefError.controlByte), ("/a\u{01}b", .controlByte), ("/a\r\nHost: x", .controlByte),
    ("/cal/%2e%2e/x", .encodedDots), ("/cal/.%2E/x", .encodedDots), ("/cal/%2e", .encodedDots),
    ("file:///etc/passwd", .unknownScheme), ("ftp://dav.example.org/", .unknownScheme),
    ("https://user@dav.example.org/", .userinfo), ("//dav.example.org@evil.example/", .userinfo),
    ("https://dav%2eexample.org/", .badHost), ("https://dav.example.org%2F@x/", .userinfo),
    ("https://dav.example.org%2Fx", .badHost), ("https://\u{430}.example/", .badHost),
    ("https://dav example/", .badHost), ("https://[::1", .badHost), ("https://[::1]x/", .badHost),
    ("https://h:0/", .badPort), ("https://h:65536/", .badPort), ("https://h:8o/", .badPort),
    ("https:///x", .noHost), ("https:x", .noHost), ("//", .noHost), ("/a#b", .fragment),
  ])
  func `an href that deceives is refused`(href: String, expected: HrefError) throws {
    let url = try WebURL(absolute: base)
    #expect(throws: expected) { _ = try url.resolve(href: Array(href.utf8)) }
  }

  @Test func `an href of many bytes is refused`() throws {
    let url = try WebURL(absolute: base)
    let href = Array(("/" + String(repeating: "x", count: 9000)).utf8)
    #expect(throws: HrefError.tooLong) { _ = try url.resolve(href: href) }
  }

  @Test func `bytes that are not UTF-8 are kept`() throws {
    let url = try WebURL(absolute: base).resolve(href: [0x2F, 0xFC, 0x2E])
    #expect(url.target == [0x2F, 0xFC, 0x2E])
    #expect(url.text == "https://dav.example.org/%FC.")
  }

  @Test(arguments: [
    ("/a%40b", "/a@b", true), ("/%c3%bc", "/%C3%BC", true), ("/%c3%bc", "/\u{FC}", true),
    ("/a%2Bb", "/a+b", true), ("/%7Ea", "/~a", true), ("/a%3Bb", "/a;b", true),
    ("/a%20b", "/a b", true), ("/%253D", "/%3D", false), ("/%253D", "/=", false),
    ("/a%2Fb", "/a/b", false), ("/a%2fb", "/a%2Fb", true), ("/a%3Fb", "/a?b", false),
    ("/a%25", "/a%", true), ("/caf\u{E9}", "/cafe\u{301}", false), ("/A", "/a", false),
    ("/a//b", "/a/b", true), ("/a///b//", "/a/b/", true), ("/a%2F/b", "/a//b", false),
    ("/a?b//c", "/a?b/c", false),
  ])
  func `spellings are compared by their octets, decoded once`(
    one: String, other: String, isSame: Bool
  ) throws {
    let url = try WebURL(absolute: base)
    let keys = try [one, other].map { try url.resolve(href: Array($0.utf8)).pathKey }
    #expect((keys[0] == keys[1]) == isSame)
  }

  /// PITFALLS E2.13: no prefix of a text tells what lies in what.
  @Test(arguments: [
    ("/cal/work/a.ics", true), ("/cal/work/sub/", true), ("/cal/work/", false),
    ("/cal/work", false), ("/cal/work/sub/a.ics", false), ("/cal/work-evil/a.ics", false),
    ("/cal/wor%6B/a.ics", true), ("../work/a.ics", true), ("../other/a.ics", false),
    ("//dav.example.org/cal/work/a.ics", true), ("//evil.example/cal/work/a.ics", false),
    ("http://dav.example.org/cal/work/a.ics", true), ("/cal/work/..%2fx.ics", true),
    ("http://dav.example.org:8080/cal/work/a.ics", false),
    ("http://evil.example/cal/work/a.ics", false), ("/cal/work//a.ics", true),
    ("/cal//work/a.ics", true), ("/cal/work//", false), ("/cal//work/sub//a.ics", false),
    ("/cal/work/a.ics?t=1/2", true), ("/cal/work/?t=1", false),
  ])
  func `a member is directly in its collection`(href: String, isMember: Bool) throws {
    let collection = try WebURL(absolute: base)
    let url = try collection.resolve(href: Array(href.utf8))
    #expect(collection.isParent(of: url) == isMember)
  }

  @Test func `a collection keeps its query, and its members have it`() throws {
    let work = try WebURL(absolute: "https://dav.example.org/cal/work?t=1")
    #expect(work.asCollection.target == Array("/cal/work/?t=1".utf8))
    #expect(work.appending(segment: Array("a b".utf8)).target == Array("/cal/work/a%20b?t=1".utf8))
    #expect(work.isSameCollection(as: try WebURL(absolute: "https://dav.example.org/cal//work/")))
  }

  @Test(arguments: [
    ("https://dav.example.org/a b?token=canary", "https://dav.example.org/a%20b?…"),
    ("https://dav.example.org:8443/?", "https://dav.example.org:8443/?…"),
    ("https://dav.example.org", "https://dav.example.org/"),
  ])
  func `a message shows no query`(url: String, shown: String) throws {
    #expect(try WebURL(absolute: url).shown == shown)
    #expect(withoutQuery(shown) == shown)
  }

  @Test(arguments: [
    ("http://127.0.0.1/", true), ("http://127.8.9.1:80/", true), ("http://localhost:1/", true),
    ("http://[::1]/", true), ("http://127.0.0.1.evil.example/", false),
    ("http://localhost.evil.example/", false), ("http://128.0.0.1/", false),
    ("http://127.0.0.256/", false), ("http://127.1/", false),
  ])
  func `only the machine itself is loopback`(url: String, isLoopback: Bool) throws {
    #expect(try WebURL(absolute: url).isLoopback == isLoopback)
  }
}
