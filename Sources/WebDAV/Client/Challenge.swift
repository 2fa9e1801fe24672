/// The authentication schemes that a server offers with 401 (RFC 9110 §11.6.1).
enum Challenge {
  /// The schemes' names in lower case, in order. A header may hold several challenges.
  static func schemes(_ head: HTTPResponseHead) -> [String] {
    head.values(of: "WWW-Authenticate").flatMap(schemes)
  }

  private static func schemes(_ value: [UInt8]) -> [String] {
    parts(value).compactMap { part in
      let words = part.split(separator: 0x20, maxSplits: 1)
      // `Basic realm=…` and a lone `Negotiate` begin a challenge; `nonce=…` goes on with one.
      guard let first = words.first, !first.contains(UInt8(ascii: "=")) else { return nil }
      return String(decoding: first, as: UTF8.self).lowercased()
    }
  }

  /// Splits at commas that are not quoted.
  private static func parts(_ value: [UInt8]) -> [ArraySlice<UInt8>] {
    var isQuoted = false
    var isEscaped = false
    return value.split { byte in
      if isEscaped {
        isEscaped = false
        return false
      }
      if isQuoted, byte == UInt8(ascii: "\\") { isEscaped = true }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ",") && !isQuoted
    }
  }
}
