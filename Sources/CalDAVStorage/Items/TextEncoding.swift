/// The encoding in which a server gives a calendar. RFC 5545 §3.1.4 has UTF-8; some servers have
/// texts of older programs in Windows-1252, or say nothing of what they have.
package struct TextEncoding: Sendable {
  /// As the server names it, in lower case; nil where it does not.
  package let name: String?

  /// - Parameter contentType: the value of that header; empty where there is none.
  package init(contentType: [UInt8]) {
    var found: String?
    for parameter in contentType.split(separator: UInt8(ascii: ";")).dropFirst() {
      let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1).map { part in
        let word = part.filter { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
        return String(decoding: word, as: UTF8.self).lowercased()
      }
      if parts.count == 2, parts[0] == "charset" { found = found ?? parts[1] }
    }
    name = found
  }

  /// Those that are UTF-8 or Windows-1252, or what both have in common. ISO 8859-1 differs from
  /// the latter in control characters alone, which no calendar may hold.
  private static let known: Set<String> = [
    "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1",
    "latin-1", "windows-1252", "cp1252", "cp-1252",
  ]

  /// The text in UTF-8; nil where it is in an encoding that is not known here.
  ///
  /// Whatever the server names, a line that is UTF-8 is taken for that: in no other encoding does
  /// one come out so by chance, but many servers name the one that was once somebody's default. Any
  /// other line is Windows-1252, so that one of them in a text of UTF-8 spoils no other.
  package func decode(_ bytes: [UInt8]) -> [UInt8]? {
    if String(validating: bytes, as: UTF8.self) != nil { return bytes }
    if let name, !Self.known.contains(name) { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 16)
    var rest = bytes[...]
    while !rest.isEmpty {
      let line = Self.firstLine(of: rest)
      rest = rest[line.endIndex...]
      if String(validating: Self.unfolded(line), as: UTF8.self) != nil {
        output += line
      } else {
        for byte in line { Self.append(byte, to: &output) }
      }
    }
    return output
  }

  private static let lineFeed = UInt8(ascii: "\n")

  /// A line with its folds and its end (RFC 5545 §3.1).
  private static func firstLine(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var end = text.startIndex
    while let feed = text[end...].firstIndex(of: lineFeed) {
      end = feed + 1
      guard end < text.endIndex, text[end] == 0x20 || text[end] == 0x09 else {
        return text[..<end]
      }
    }
    return text
  }

  /// Folds may cut characters.
  private static func unfolded(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var content: [UInt8] = []
    var isAfterFeed = false
    for byte in line {
      let isFold = isAfterFeed && (byte == 0x20 || byte == 0x09)
      isAfterFeed = byte == lineFeed
      if isAfterFeed, content.last == UInt8(ascii: "\r") { content.removeLast() }
      if !isAfterFeed, !isFold { content.append(byte) }
    }
    return content
  }

  /// What Windows-1252 has from 0x80 to 0x9F; the five that it leaves open stay control characters,
  /// as on the web (WHATWG Encoding, index windows-1252).
  private static let special: [Unicode.Scalar] = Array(
    ("\u{20AC}\u{81}\u{201A}\u{192}\u{201E}\u{2026}\u{2020}\u{2021}"
      + "\u{2C6}\u{2030}\u{160}\u{2039}\u{152}\u{8D}\u{17D}\u{8F}"
      + "\u{90}\u{2018}\u{2019}\u{201C}\u{201D}\u{2022}\u{2013}\u{2014}"
      + "\u{2DC}\u{2122}\u{161}\u{203A}\u{153}\u{9D}\u{17E}\u{178}").unicodeScalars)

  private static func append(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case 0x80...0x9F: output += String(special[Int(byte) - 0x80]).utf8
    case 0xA0...: output += String(Unicode.Scalar(byte)).utf8
    default: output.append(byte)
    }
  }
}
