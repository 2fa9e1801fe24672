/// The challenge for Digest that libcurl answers (RFC 7616 §3.3); there is no way to choose one.
///
/// Of several headers it is the first one that has any. Several in one header libcurl takes as one:
/// of each parameter the last counts, and of `qop` all words.
package struct DigestOffer {
  /// Why no answer to it can be the right one.
  package enum Obstacle: Equatable {
    /// A hash over the whole request (`auth-int`, RFC 7616 §3.4.3): libcurl makes it without the
    /// body.
    case hashedBodies
    /// One that not every libcurl computes: its name, as far as it may be shown.
    case algorithm(String)
  }

  /// In lower case.
  private let qualities: [String]
  /// In lower case; `md5` where none is named.
  private let algorithms: [String]
  package let nonce: [UInt8]?

  private init(_ parameters: [Challenge.Parameter]) {
    func texts(_ name: String) -> [String] {
      parameters.filter { $0.name == name }.map {
        String(decoding: $0.value, as: UTF8.self).lowercased().filter { !" \t".contains($0) }
      }
    }
    qualities = texts("qop").flatMap { $0.split(separator: ",").map(String.init) }
    let named = texts("algorithm")
    algorithms = named.isEmpty ? ["md5"] : named
    nonce = parameters.last { $0.name == "nonce" }?.value
  }

  /// Nil where an answer has none.
  package init?(_ head: HTTPResponseHead) {
    let headers = head.values(of: "WWW-Authenticate").map { header in
      Challenge.parse(header).drop { $0.scheme != "digest" }
    }
    guard let taken = headers.first(where: { !$0.isEmpty }) else { return nil }
    self.init(taken.flatMap(\.parameters))
  }

  package var obstacle: Obstacle? {
    if let name = unknownAlgorithm {
      return .algorithm(Challenge.isNameable(name) ? name.uppercased() : "another one")
    }
    let isHashed = qualities.contains("auth-int") && !qualities.contains("auth")
    return isHashed ? .hashedBodies : nil
  }

  /// Another challenge of the answer could be answered if it came first.
  package static func isOtherUsable(_ head: HTTPResponseHead) -> Bool {
    Challenge.all(head).contains {
      $0.scheme == "digest" && DigestOffer($0.parameters).obstacle == nil
    }
  }

  /// Those that every libcurl computes.
  private static let computed: Set<String> = ["md5", "sha-256"]
  /// It reads this one, and before 8.8 it comes out wrong.
  private static let misread: Set<String> = ["sha-512-256"]

  /// The last one counts, and one that libcurl does not know at all ends its reading.
  private var unknownAlgorithm: String? {
    func isOne(of names: Set<String>, _ name: String) -> Bool {
      names.contains(name.hasSuffix("-sess") ? String(name.dropLast(5)) : name)
    }
    let unread = algorithms.first { !isOne(of: Self.computed.union(Self.misread), $0) }
    return unread ?? algorithms.last.flatMap { isOne(of: Self.computed, $0) ? nil : $0 }
  }
}
