import Synchronization
import TestSupport
import Testing
import WebDAV

/// What the words of OpenSSL and libcurl are taken for, and what a person is told to do.
@Suite struct TLSTroubleTests {
  private static let words: [(String, TLSTrouble)] = [
    ("the certificate of a.example is not trusted: certificate has expired", .expired),
    ("the certificate of a.example is not trusted: certificate is not yet valid", .notYetValid),
    ("no alternative certificate subject name matches target host name 'localhost'", .otherHost),
    ("unable to get local issuer certificate", .brokenChain),
    ("unable to verify the first certificate", .brokenChain),
    ("self-signed certificate in certificate chain", .unknownAuthority),
    ("self signed certificate", .unknownAuthority),
    (
      "no TLS connection to a.example port 80: OpenSSL/3.0.19: error:0A00010B:SSL "
        + "routines::wrong version number", .noTLS
    ),
    (
      "no TLS connection to a.example port 443: TLS connect error: error:0A00042E:SSL "
        + "routines::tlsv1 alert protocol version", .oldTLS
    ),
    ("error:0A000102:SSL routines::unsupported protocol", .oldTLS),
    ("no TLS connection to expired.example port 443: tlsv1 alert internal error", .other),
  ]

  @Test(arguments: words.indices)
  func `each has its own mend, the same for every command`(index: Int) throws {
    let (words, trouble) = Self.words[index]
    #expect(TLSTrouble(words) == trouble)
    let url = WebURL(scheme: .https, host: "a.example", port: 443, path: [0x2F], query: nil)
    let error = DAVError(
      TransportError(.tls, words, mayHaveActed: false), method: "PROPFIND", url: url)
    #expect(error.hint == trouble.hint && error.why == words)
  }

  @Test func `a server whose TLS is too old is its operator's matter`() {
    #expect(TLSTrouble.oldTLS.hint.contains("operator has to allow TLS 1.2"))
  }

  @Test func `a key that is not the pinned one is told with where the new digest is`() throws {
    let url = WebURL(scheme: .https, host: "a.example", port: 443, path: [0x2F], query: nil)
    let error = DAVError(
      TransportError(.unexpectedKey, "pinned key mismatch", mayHaveActed: false),
      method: "PROPFIND", url: url)
    #expect(error.hint.contains("`calgw doctor` shows the digest"))
    #expect(error.hint.contains("pin_sha256"))
  }

  @Test(arguments: [(TransportError.Kind.timeout, "timeout"), (.tooSlow, "min_rate")])
  func `who waits too long is told which limit it was`(
    kind: TransportError.Kind, key: String
  ) {
    let url = WebURL(scheme: .https, host: "a.example", port: 443, path: [0x2F], query: nil)
    let error = DAVError(
      TransportError(kind, "enough", mayHaveActed: true), method: "GET", url: url)
    #expect(error.kind == .unreachable && error.hint.hasSuffix(key), "\(error.hint)")
  }

  @Test func `only of a server that never answered is it said that the port may be one of https`()
    async throws
  {
    let clock = ModelClock()
    let server = NarrowServer(0, .ended(.turnedAway), clock.surroundings)
    var access = DAVAccess { 0 }
    access.allowsHTTP = true
    let client = DAVClient(transport: server, access: access, trusting: "http://a.example")
    let put = DAVRequest("PUT", try WebURL(absolute: "http://a.example/x"))
    func trouble() async -> DAVError? {
      return await #expect(throws: DAVError.self) {
        _ = try await client.send(put) { BytesSink(limit: 1000) }
      }
    }
    #expect(await trouble()?.hint.contains("begin the URL with https:") == true)
    server.capacity.withLock { $0 = 1 }
    let read = DAVRequest("GET", try WebURL(absolute: "http://a.example/x"))
    _ = try await client.send(read) { BytesSink(limit: 1000) }
    server.capacity.withLock { $0 = 0 }
    #expect(await trouble()?.hint == "try again later")
  }

  @Test func `all mends differ`() {
    #expect(Set(TLSTrouble.allCases.map(\.hint)).count == TLSTrouble.allCases.count)
  }
}
