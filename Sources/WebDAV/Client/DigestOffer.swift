/// What a challenge for Digest wants (RFC 7616 §3.3).
package struct DigestOffer {
  /// The words of `qop` in lower case, which may be missing.
  let qualities: [String]
  /// In lower case; `md5` where it is missing.
  let algorithm: String
  package let nonce: [UInt8]?

  private init(_ challenge: Challenge) {
    func text(_ name: String) -> String? {
      challenge.value(of: name).map {
        String(decoding: $0, as: UTF8.self).lowercased().filter { !" \t".contains($0) }
      }
    }
    qualities = (text("qop") ?? "").split(separator: ",").map(String.init)
    algorithm = text("algorithm") ?? "md5"
    nonce = challenge.value(of: "nonce")
  }

  /// All that an answer has, in order.
  package static func all(_ head: HTTPResponseHead) -> [DigestOffer] {
    Challenge.all(head).filter { $0.scheme == "digest" }.map(DigestOffer.init)
  }

  /// Those that every libcurl computes: SHA-512-256 comes out wrong before 8.8.
  private static let algorithms: Set<String> = ["md5", "sha-256"]

  /// Digest is offered for a hash over the whole request alone (`auth-int`, RFC 7616 §3.4.3).
  package static func wantsBodiesHashed(_ head: HTTPResponseHead) -> Bool {
    let offers = all(head)
    return !offers.isEmpty
      && offers.allSatisfy { $0.qualities.contains("auth-int") && !$0.qualities.contains("auth") }
  }

  /// Digest is offered by algorithms alone that calgw does not have: the first one's name, as far
  /// as it may be shown.
  package static func unknownAlgorithm(_ head: HTTPResponseHead) -> String? {
    let names = all(head).map(\.algorithm)
    let isKnown = names.contains { name in
      algorithms.contains(name.hasSuffix("-sess") ? String(name.dropLast(5)) : name)
    }
    return isKnown
      ? nil : names.first.map { Challenge.isNameable($0) ? $0.uppercased() : "another one" }
  }
}
