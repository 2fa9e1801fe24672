/// Values without what servers respell in them: Xandikos escapes the commas of RESOURCES, Radicale
/// those of COMMENT.
package enum LooseText {
  /// What a line says: with its parameters, whatever is escaped in it, and where it is a list of
  /// words each of them, wherever it is cut.
  package static func all(in formed: FormedLine) -> [[UInt8]] {
    let value = formed.line.value
    guard formed.form.suffix(value.count).elementsEqual(value) else { return [formed.form] }
    let head = Array(formed.form.dropLast(value.count))
    // Only of these the order says nothing (RFC 5545 §3.8.1.2, §3.8.1.10).
    let isList = PropertySet(formed.line.name.uppercased, isRepeated: false) == .words
    return (isList ? words(value) : [plain(value)]).map { head + $0 }
  }

  /// A value without backslashes.
  package static func plain(_ value: [UInt8]) -> [UInt8] {
    Array(words(value).joined(separator: [ASCII.comma]))
  }

  /// The parts of a value between commas, without backslashes.
  private static func words(_ value: [UInt8]) -> [[UInt8]] {
    var words: [[UInt8]] = [[]]
    var isEscaped = false
    for byte in value {
      let isBackslash = byte == ASCII.backslash
      if byte == ASCII.comma {
        words.append([])
      } else if isEscaped, byte | 0x20 == 0x6E {
        // A line end: `\n`.
        words[words.count - 1].append(ASCII.lineFeed)
      } else if !isBackslash || isEscaped {
        words[words.count - 1].append(byte)
      }
      isEscaped = isBackslash && !isEscaped
    }
    return words
  }
}
