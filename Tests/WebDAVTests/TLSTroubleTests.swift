import Testing

@testable import WebDAV

/// What the words of OpenSSL and libcurl are taken for, and what a person is told to do.
@Suite struct TLSTroubleTests {
  private static let words: [(String, TLSTrouble)] = [
    ("the certificate of a.example is not trusted: certificate has expired", .expired),
    ("the certificate of a.example is not trusted: certificate is not yet valid", .notYetValid),
    ("no alternative certificate subject name matches target host name 'localhost'", .otherHost),
    ("unable to get local issuer certificate", .unknownAuthority),
    ("self-signed certificate in certificate chain", .unknownAuthority),
    ("self signed certificate", .unknownAuthority),
    (
      "no TLS connection to a.example port 80: OpenSSL/3.0.19: error:0A00010B:SSL "
        + "routines::wrong version number", .noTLS
    ),
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

  @Test func `all mends differ`() {
    #expect(Set(TLSTrouble.allCases.map(\.hint)).count == TLSTrouble.allCases.count)
  }
}
