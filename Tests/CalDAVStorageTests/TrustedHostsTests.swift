import CalDAVStorage
import Testing
import WebDAV

@Suite struct TrustedHostsTests {
  @Test(arguments: [
    // The server itself, and hosts below it.
    ("https://dav.example.org/", "https://dav.example.org:443/home/", [], true),
    ("https://example.org/", "https://caldav.example.org/", [], true),
    ("https://example.org:8443/", "https://caldav.example.org/", [], true),
    ("https://example.org:8443/", "https://caldav.example.org:8443/", [], true),
    ("https://example.org/", "https://caldav.example.org:8443/", [], false),
    ("https://example.org/", "https://a.b.example.org/", [], true),
    // iCloud's way: hosts beside each other.
    ("https://caldav.icloud.com/", "https://p42-caldav.icloud.com:443/1/", [], true),
    ("https://p42-caldav.icloud.com/", "https://caldav.icloud.com/", [], true),
    ("https://icloud.com/", "https://p42-caldav.icloud.com/", [], true),
    ("https://caldav.icloud.com/", "https://p42-caldav.icloud.com:8443/", [], false),
    ("https://caldav.icloud.com/", "https://evilicloud.com/", [], false),
    ("https://caldav.icloud.com/", "https://icloud.com.evil.net/", [], false),
    ("https://dav.example.org/", "https://p42-caldav.icloud.com/", [], false),
    // Hosts beside and above it, and other ports of its own, may be strangers'.
    ("https://alice.duckdns.org/", "https://mallory.duckdns.org/", [], false),
    ("https://alice.github.io/", "https://github.io/", [], false),
    ("https://dav.example.org/", "https://caldav.example.org/", [], false),
    ("https://dav.example.org/", "https://caldav.example.org/", ["*.example.org"], true),
    ("https://dav.example.org/", "https://example.org/", [], false),
    ("https://dav.example.org/", "https://dav.example.org:8443/", [], false),
    ("https://dav.example.org/", "https://dav.example.org:8443/", ["dav.example.org:8443"], true),
    ("https://org/", "https://dav.example.org/", [], false),
    ("https://192.0.2.7/", "https://a.192.0.2.7/", [], false),
    // Another domain, and what only looks like the same.
    ("https://dav.example.org/", "https://dav.example.net/", [], false),
    ("https://dav.example.org/", "https://dav.example.org.evil.net/", [], false),
    ("https://dav.example.org/", "https://evilexample.org/", [], false),
    ("https://alice.co.uk/", "https://mallory.co.uk/", [], false),
    ("https://192.0.2.7/", "https://192.0.3.7/", [], false),
    ("https://localhost/", "https://evil.localhost.example/", [], false),
    // Never without encryption, unless a person names it.
    ("https://dav.example.org/", "http://dav.example.org/", [], false),
    ("http://127.0.0.1:1/", "http://127.0.0.1:2/", [], false),
    ("http://127.0.0.1:1/", "http://127.0.0.1:2/", ["127.0.0.1:2"], true),
    ("http://127.0.0.1:1/", "http://127.0.0.1:3/", ["127.0.0.1:2"], false),
    ("https://dav.example.org/", "https://cal.example.net/", ["CAL.example.net"], true),
    ("https://dav.example.org/", "https://a.cal.example.net/", ["*.example.net"], true),
    ("https://dav.example.org/", "https://example.net/", ["*.example.net"], false),
    // What a person refuses, whatever else speaks for it; the server itself cannot be meant.
    ("https://example.org/", "https://caldav.example.org/", ["!caldav.example.org"], false),
    ("https://example.org/", "https://caldav.example.org/", ["!*.EXAMPLE.org"], false),
    ("https://example.org/", "https://caldav.example.org/", ["!dav.example.org"], true),
    ("https://dav.example.org/", "https://a.b.net/", ["*.b.net", "!a.b.net"], false),
    ("https://dav.example.org/", "https://c.b.net/", ["*.b.net", "!a.b.net"], true),
    ("https://dav.example.org/", "https://dav.example.org/x/", ["!dav.example.org"], true),
  ])
  func `a server beside the configured one gets the password only if it may`(
    configured: String, other: String, names: [String], isAllowed: Bool
  ) throws {
    let hosts = TrustedHosts(names)
    let place = try WebURL(absolute: configured)
    #expect(hosts.allow(try WebURL(absolute: other), namedBy: place) == isAllowed)
  }
}
