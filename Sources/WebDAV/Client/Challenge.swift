/// The authentication schemes that a server offers with 401 (RFC 9110 §11.6.1).
package enum Challenge {
  /// The schemes' names in lower case, in order. A header may hold several challenges.
  static func schemes(_ head: HTTPResponseHead) -> [String] {
    head.values(of: "WWW-Authenticate").flatMap(schemes)
  }

  /// Letters of a name that is shown; the longest registered one has 15.
  private static let longestName = 30

  /// Whether a scheme may be named to a person: a token (RFC 9110 §5.6.2) of sane length, and not
  /// what a server sent back of what it got.
  static func isNameable(_ scheme: String) -> Bool {
    (1...longestName).contains(scheme.utf8.count)
      && scheme.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// What a challenge for Digest wants (RFC 7616 §3.3).
  private struct DigestOffer {
    /// The words of `qop`, which may be missing.
    var qualities: [String] = []
    var algorithm: String?
  }

  /// Those that every libcurl computes: SHA-512-256 comes out wrong before 8.8.
  private static let algorithms: Set<String> = ["md5", "sha-256"]

  /// Digest is offered for a hash over the whole request alone (`auth-int`, RFC 7616 §3.4.3).
  package static func wantsBodiesHashed(_ head: HTTPResponseHead) -> Bool {
    let offers = digestOffers(head)
    return !offers.isEmpty
      && offers.allSatisfy { $0.qualities.contains("auth-int") && !$0.qualities.contains("auth") }
  }

  /// Digest is offered by algorithms alone that calgw does not have: the first one's name, as far
  /// as it may be shown.
  package static func unknownAlgorithm(_ head: HTTPResponseHead) -> String? {
    let names = digestOffers(head).map { $0.algorithm ?? "md5" }
    let isKnown = names.contains { name in
      algorithms.contains(name.hasSuffix("-sess") ? String(name.dropLast(5)) : name)
    }
    return isKnown ? nil : names.first.map { isNameable($0) ? $0.uppercased() : "another one" }
  }

  private static func digestOffers(_ head: HTTPResponseHead) -> [DigestOffer] {
    head.values(of: "WWW-Authenticate").flatMap(digestOffers)
  }

  private static func digestOffers(_ value: [UInt8]) -> [DigestOffer] {
    var offers: [DigestOffer] = []
    var isDigest = false
    for part in parts(value) {
      var parameter = part
      let words = part.split(separator: 0x20, maxSplits: 1)
      if let first = words.first, !first.contains(UInt8(ascii: "=")) {
        isDigest = String(decoding: first, as: UTF8.self).lowercased() == "digest"
        if isDigest { offers.append(DigestOffer()) }
        parameter = words.count > 1 ? words[1] : []
      }
      let text = String(decoding: parameter, as: UTF8.self).lowercased()
        .filter { !" \t\"".contains($0) }
      guard isDigest, let last = offers.indices.last else { continue }
      if text.hasPrefix("qop=") {
        offers[last].qualities = text.dropFirst(4).split(separator: ",").map(String.init)
      } else if text.hasPrefix("algorithm=") {
        offers[last].algorithm = String(text.dropFirst(10))
      }
    }
    return offers
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
