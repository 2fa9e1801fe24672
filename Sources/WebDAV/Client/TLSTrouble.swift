/// Why a connection over TLS was not made, as far as the words of OpenSSL and libcurl tell it.
package enum TLSTrouble: Sendable, CaseIterable {
  case expired
  case notYetValid
  /// The certificate is another host's.
  case otherHost
  case unknownAuthority
  /// Nothing leads from its certificate to an authority: that of a trusted one may be missing here,
  /// or one between them in what the server sends.
  case brokenChain
  /// What answers does not speak TLS.
  case noTLS
  /// It speaks versions that nobody should any more (RFC 8996), or none that both sides have.
  case oldTLS
  case other

  /// - Parameter words: those of a `TransportError` of the kind `tls`.
  package init(_ words: String) {
    let words = words.lowercased()
    let found = Self.phrases.first { words.contains($0.key) }
    self = found?.value ?? .other
  }

  private static let phrases: KeyValuePairs<String, TLSTrouble> = [
    "certificate has expired": .expired,
    "certificate is not yet valid": .notYetValid,
    "subject name": .otherHost,
    "hostname mismatch": .otherHost,
    "ip address mismatch": .otherHost,
    "self-signed certificate": .unknownAuthority,
    "self signed certificate": .unknownAuthority,
    "issuer certificate": .brokenChain,
    "verify the first certificate": .brokenChain,
    "wrong version number": .noTLS,
    "packet length too long": .noTLS,
    "http request": .noTLS,
    "protocol version": .oldTLS,
    "unsupported protocol": .oldTLS,
  ]

  /// What to do about it.
  package var hint: String {
    switch self {
    case .expired:
      "the server's operator has to renew it; see that this machine's clock is right, too"
    case .notYetValid:
      "see that this machine's clock is right; else the server's operator has to renew it"
    case .otherHost: "write the host into the url that the certificate is for"
    case .unknownAuthority:
      "if it is your own server, set ca_file to the certificate of its authority; else somebody "
        + "may be in between"
    case .brokenChain:
      "if it is your own server, set ca_file to the certificate of its authority; if that is done, "
        + "or the authority a public one, its operator has to let it send the certificates "
        + "between; else somebody may be in between"
    case .noTLS:
      "what answers at that port does not speak TLS: correct the port in the url; begin it with "
        + "http:// if the server really has no https"
    case .oldTLS: "the server's TLS is too old; its operator has to allow TLS 1.2"
    case .other:
      "if the certificate is for another name, correct the URL; if the server has one of its own, "
        + "name its authority with ca_file; if it wants one of yours, set client_cert"
    }
  }
}
