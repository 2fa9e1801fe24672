import WebDAV

/// True for what a terminal obeys or does not show: control characters, bidirectional and
/// zero-width formatting, line separators, tags.
package func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F: true
  case 0xAD, 0x61C, 0x180E: true
  case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
  case 0xFEFF, 0xFFF9...0xFFFB: true
  case 0xE0000...0xE007F: true
  default: false
  }
}

/// Text from outside as it may be shown on a terminal: whatever a terminal would obey or hide is a
/// visible escape, as `\u{202E}`, and what is longer than `limit` characters is cut. Bytes of an
/// `argumentText` that are not UTF-8 are `%XX`, as in `nameText`.
public func visibleText(_ text: String, limit: Int = 200) -> String {
  var shown = ""
  for (count, character) in text.enumerated() {
    if count == limit { return shown + "…" }
    // A base with many combining marks is one character and no reason for a line of any length.
    // Its base may stand behind others, and is never left out: it may be a quote of a command.
    for (place, scalar) in character.unicodeScalars.enumerated() where place < 8 || scalar.isASCII {
      if isEscape(scalar) {
        let digit = String(scalar.value & 15, radix: 16, uppercase: true)
        shown += scalar.value < 0xFDE0 ? "%" + digit : digit
      } else if isDeceptive(scalar) {
        shown += visibleEscape(scalar)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
  }
  return shown
}

/// A path for people and JSON.
public struct ShownPath: Sendable, Hashable, CustomStringConvertible {
  public let text: String
  /// Bytes that are not UTF-8 are written `%XX`.
  let isEncoded: Bool

  init(_ path: [UInt8]) { (text, isEncoded) = nameText(path) }

  public var description: String { text }
}

/// Bytes of a name as text: as they are where they are UTF-8, else with `%XX` for each byte that is
/// not (and for `%`, so that the bytes can be had back).
package func nameText(_ bytes: [UInt8]) -> (text: String, isEncoded: Bool) {
  if let text = String(validating: bytes, as: UTF8.self) { return (text, false) }
  let text = spelled(bytes, where: { $0 != "%" }) { "%" + hexadecimal([$0]).uppercased() }
  return (text, true)
}

/// Bytes as text, with an escape for each byte that is not UTF-8, and for those of a scalar that is
/// not plain.
func spelled(
  _ bytes: [UInt8], where isPlain: (Unicode.Scalar) -> Bool, escaping escape: (UInt8) -> String
) -> String {
  var text = ""
  var rest = bytes[...]
  while !rest.isEmpty {
    // A scalar has one to four bytes.
    let scalar = (1...4).lazy.compactMap { length -> Unicode.Scalar? in
      guard rest.count >= length,
        let scalars = String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars
      else { return nil }
      return scalars.count == 1 ? scalars.first : nil
    }.first
    let length = scalar.map { UTF8.width($0) } ?? 1
    if let scalar, isPlain(scalar) {
      text.unicodeScalars.append(scalar)
    } else {
      for byte in rest.prefix(length) { text += escape(byte) }
    }
    rest = rest.dropFirst(length)
  }
  return text
}
