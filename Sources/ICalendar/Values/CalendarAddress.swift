/// The address of an attendee or organizer (CAL-ADDRESS, RFC 5545 §3.3.3), mostly `mailto:`.
package enum CalendarAddress {
  /// By what two addresses are one person's, whatever their spelling.
  ///
  /// The case of letters does not count: that of a scheme and of a host says nothing (RFC 3986
  /// §6.2.2.1), and no two people share one that differs in case alone. Nor does it count whether
  /// an unreserved character is percent-encoded (§6.2.2.2); of `mailto:` any that can be seen, as
  /// what it means is the decoded address (RFC 6068 §2). For comparing alone: what is written keeps
  /// its spelling.
  package static func key(of address: some Collection<UInt8>) -> [UInt8] {
    let folded = address.uppercased
    guard folded.contains(percent) else { return folded }
    let isMail = folded.starts(with: "MAILTO:".utf8)
    var key: [UInt8] = []
    var index = 0
    while index < folded.count {
      if let byte = encodedByte(folded[index...]), isMail ? byte > 0x20 : isUnreserved(byte),
        byte != 0x7F
      {
        key.append(byte.uppercased)
        index += 3
      } else {
        key.append(folded[index])
        index += 1
      }
    }
    return key
  }

  private static let percent = UInt8(ascii: "%")

  /// What the three bytes at the beginning stand for, as `%40`; nil where they are none.
  private static func encodedByte(_ text: ArraySlice<UInt8>) -> UInt8? {
    guard text.first == percent, text.count > 2,
      let high = digit(text[text.startIndex + 1]), let low = digit(text[text.startIndex + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Of a text in upper case.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    default: nil
    }
  }

  /// Letters, digits, `-`, `.`, `_` and `~` (RFC 3986 §2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool { byte.isNameByte || byte == 0x7E }
}
