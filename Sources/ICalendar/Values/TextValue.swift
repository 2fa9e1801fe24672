/// A value of type TEXT (RFC 5545 §3.3.11).
public struct TextValue: Sendable, Hashable {
  /// The text itself, with line feeds and without escapes. UTF-8 where the source is.
  public var bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(text: String) { bytes = Array(text.utf8) }

  /// Reads a value as it stands in a line. A backslash before anything else than `\`, `;`, `,`,
  /// `n` and `N` is kept: it is no escape.
  public init(escaped: [UInt8]) {
    guard escaped.contains(ASCII.backslash) else {
      bytes = escaped
      return
    }
    var result: [UInt8] = []
    result.reserveCapacity(escaped.count)
    var index = 0
    while index < escaped.count {
      let next = index + 1 < escaped.count ? escaped[index + 1] : 0
      let decoded: UInt8? =
        switch (escaped[index], next) {
        case (ASCII.backslash, 0x6E), (ASCII.backslash, 0x4E): ASCII.lineFeed
        case (ASCII.backslash, ASCII.backslash), (ASCII.backslash, ASCII.semicolon),
          (ASCII.backslash, ASCII.comma):
          next
        default: nil
        }
      result.append(decoded ?? escaped[index])
      index += decoded == nil ? 1 : 2
    }
    bytes = result
  }

  /// The value as it is to stand in a line. CRLF, CR and LF all become `\n`.
  public var escaped: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case ASCII.lineFeed where index > 0 && bytes[index - 1] == ASCII.carriageReturn: break
      case ASCII.lineFeed, ASCII.carriageReturn: result += [ASCII.backslash, 0x6E]
      case ASCII.backslash, ASCII.semicolon, ASCII.comma: result += [ASCII.backslash, byte]
      default: result.append(byte)
      }
    }
    return result
  }

  /// The text for people; bytes that are not UTF-8 are shown as U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }
}
