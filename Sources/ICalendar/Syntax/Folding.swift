/// The folding of long lines (RFC 5545 §3.1).
enum Folding {
  /// In octets without the line end: "lines of text SHOULD NOT be longer than 75 octets".
  static let widthLimit = 75

  /// Appends a content line, folded at character borders, with its line end.
  static func append(
    _ content: UnsafeBufferPointer<UInt8>, ending: [UInt8], to output: inout [UInt8]
  ) {
    var start = 0
    var room = widthLimit
    while content.count - start > room {
      var end = start + room
      // A character has at most four bytes, so this never reaches the start.
      while end > start + 1, !isCharacterBorder(content, at: end) { end -= 1 }
      output.append(contentsOf: content.part(start, end))
      output.append(contentsOf: ending)
      output.append(ASCII.space)
      start = end
      room = widthLimit - 1
    }
    output.append(contentsOf: content.part(start, content.count))
    output.append(contentsOf: ending)
  }
}
