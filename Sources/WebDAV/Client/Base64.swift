private let alphabet = Array(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

/// RFC 4648 §4, with padding.
package func base64(_ bytes: [UInt8]) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity((bytes.count + 2) / 3 * 4)
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    bits <<= UInt32(8 * (3 - group.count))
    for place in 0..<4 {
      let sextet = Int(bits >> UInt32(18 - 6 * place)) & 0x3F
      text.append(place <= group.count ? alphabet[sextet] : UInt8(ascii: "="))
    }
  }
  return text
}

/// RFC 4648 §5, without padding.
package func base64URL(_ bytes: [UInt8]) -> [UInt8] {
  base64(bytes).compactMap { byte -> UInt8? in
    switch byte {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    case UInt8(ascii: "="): nil
    default: byte
    }
  }
}
