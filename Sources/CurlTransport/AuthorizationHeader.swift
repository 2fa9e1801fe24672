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

private let base64Alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// RFC 4648 section 4, with padding.
package func base64(_ bytes: [UInt8]) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bits <<= UInt32(8 * (3 - group.count))
    for place in 0..<4 {
      let sextet = Int(bits >> UInt32(18 - 6 * place)) & 0x3F
      text.append(place <= group.count ? base64Alphabet[sextet] : UInt8(ascii: "="))
    }
  }
  return text
}
