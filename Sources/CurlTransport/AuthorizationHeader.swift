import WebDAV

extension HTTPCredentials {
  /// The value of the `Authorization` header, from bytes as given; nil where a challenge comes
  /// first.
  var headerValue: [UInt8]? {
    switch scheme {
    // RFC 7617 section 2.
    case .basic: Array("Basic ".utf8) + base64(username + [UInt8(ascii: ":")] + password)
    // RFC 6750 section 2.1.
    case .bearer: Array("Bearer ".utf8) + password
    case .digest: nil
    }
  }
}
