/// One challenge of `WWW-Authenticate` (RFC 9110 §11.6.1): a way to sign in that a server offers.
package struct Challenge: Equatable {
  package struct Parameter: Equatable {
    /// In lower case.
    package let name: String
    /// Without the quotes.
    package let value: [UInt8]
  }

  /// The scheme's name in lower case.
  package let scheme: String
  package fileprivate(set) var parameters: [Parameter] = []

  /// The first value that a parameter has.
  package func value(of name: String) -> [UInt8]? {
    parameters.first { $0.name == name }?.value
  }

  /// All that an answer has, in order. A header may hold several.
  package static func all(_ head: HTTPResponseHead) -> [Challenge] {
    head.values(of: "WWW-Authenticate").flatMap(parse)
  }

  /// The schemes' names, in order.
  static func schemes(_ head: HTTPResponseHead) -> [String] { all(head).map(\.scheme) }

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

  // MARK: Reading a header

  /// Reads one header. Blanks may be missing after a comma, elements of the list may be empty, and
  /// blanks and tabs may stand around `=` (RFC 9110 §5.6.1.2, §5.6.3).
  static func parse(_ header: [UInt8]) -> [Challenge] {
    var challenges: [Challenge] = []
    for element in elements(header) {
      let (first, rest) = word(element)
      guard !first.isEmpty else { continue }
      // `Basic realm=…` and a lone `Negotiate` begin a challenge; `nonce=…` goes on with one.
      guard rest.first != equalsSign else {
        if let last = challenges.indices.last {
          challenges[last].parameters.append(parameter(first, rest))
        }
        continue
      }
      var challenge = Challenge(scheme: lowercased(first))
      let (second, value) = word(rest)
      if value.first == equalsSign { challenge.parameters.append(parameter(second, value)) }
      challenges.append(challenge)
    }
    return challenges
  }

  private static let equalsSign = UInt8(ascii: "=")

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func lowercased(_ word: ArraySlice<UInt8>) -> String {
    String(decoding: word, as: UTF8.self).lowercased()
  }

  /// What stands before the first blank or `=`, and what comes after the blanks.
  private static func word(
    _ text: ArraySlice<UInt8>
  ) -> (word: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    let text = text.drop(while: isBlank)
    let word = text.prefix { !isBlank($0) && $0 != equalsSign }
    return (word, text[word.endIndex...].drop(while: isBlank))
  }

  /// - Parameter rest: begins with `=`.
  private static func parameter(
    _ name: ArraySlice<UInt8>, _ rest: ArraySlice<UInt8>
  ) -> Parameter {
    let text = rest.dropFirst().drop(while: isBlank)
    let value = text.first == UInt8(ascii: "\"") ? unquoted(text) : text.prefix { !isBlank($0) }
    return Parameter(name: lowercased(name), value: Array(value))
  }

  private static func unquoted(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var value: ArraySlice<UInt8> = []
    var isEscaped = false
    for byte in text.dropFirst() {
      if !isEscaped {
        if byte == UInt8(ascii: "\"") { break }
        if byte == UInt8(ascii: "\\") {
          isEscaped = true
          continue
        }
      }
      isEscaped = false
      value.append(byte)
    }
    return value
  }

  /// Splits at commas that are not quoted.
  private static func elements(_ header: [UInt8]) -> [ArraySlice<UInt8>] {
    var isQuoted = false
    var isEscaped = false
    return header.split { byte in
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
