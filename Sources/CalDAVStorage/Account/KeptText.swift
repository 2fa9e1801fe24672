import WebDAV

/// Names and descriptions of calendars as they stand in the files of a vdir. What the server has is
/// what counts, of any length and with the marks that join emoji or turn the direction of text;
/// only what such a file cannot hold is left out. So none of it is safe to show: whoever prints it
/// sees to that.
enum KeptText {
  /// A name, which is one line: line ends, with the blanks around them, are one blank. Nil where
  /// nothing is left of it.
  static func line(_ bytes: [UInt8]) -> String? {
    let lines = fit(bytes).split { (0x0A...0x0D).contains($0) }.map { Array($0).trimmed }
    return text(Array(lines.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: " ")])))
  }

  /// A text of any number of lines; nil where nothing is left of it.
  static func lines(_ bytes: [UInt8]) -> String? {
    let others: Set<UInt8> = [0x0B, 0x0C, 0x0D]
    return text(fit(bytes).filter { !others.contains($0) })
  }

  /// Without what no XML can carry (XML 1.0 §2.2): a file that holds it counts as none.
  private static func fit(_ bytes: [UInt8]) -> [UInt8] {
    let fit = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x09...0x0D: true
      case 0..<0x20, 0xFFFE, 0xFFFF: false
      default: true
      }
    }
    return Array(String(String.UnicodeScalarView(fit)).utf8)
  }

  /// Blanks at the ends are none of a value's: vdir programs end their files with a line feed.
  private static func text(_ bytes: [UInt8]) -> String? {
    let words = bytes.trimmed
    return words.isEmpty ? nil : String(decoding: words, as: UTF8.self)
  }
}
