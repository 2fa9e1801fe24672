/// Gives the form in which a text is sent to a server (RFC 5545 §3.1): no byte order mark, CRLF
/// line ends, a line end after the last line, and no line longer than 75 octets or folded inside
/// a UTF-8 character.
///
/// A line that is so already keeps its folds; a text that is so already is given back as it is.
/// The meaning stays the same for any bytes.
public func wireForm(of bytes: [UInt8]) -> [UInt8] {
  bytes.withUnsafeBufferPointer { buffer in
    let ends = LineEnds(buffer)
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + ends.feeds + 2)
    var scanner = LineScanner(buffer, ends: ends)
    while let line = scanner.next() {
      let raw = buffer.part(line.start, line.contentEnd)
      if line.isBlank {
        WireLine.appendBlank(raw, to: &output)
      } else if !line.isFolded, raw.count <= Folding.widthLimit {
        output.append(contentsOf: raw)
        output.append(contentsOf: WireLine.ending)
      } else if WireLine.isWellFolded(raw) {
        WireLine.append(raw, to: &output)
      } else {
        unfold(raw).withUnsafeBufferPointer {
          Folding.append($0, ending: WireLine.ending, to: &output)
        }
      }
    }
    return output
  }
}

private enum WireLine {
  static let ending: [UInt8] = [ASCII.carriageReturn, ASCII.lineFeed]

  /// Calls `body` with each physical line in a stretch of text. A text that ends with a line end
  /// has no empty line after it.
  static func forEach(
    in raw: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    var start = 0
    while start < raw.count {
      var end = start
      while end < raw.count, !raw[end].isLineBreak { end += 1 }
      body(raw.part(start, end))
      let isPair =
        end + 1 < raw.count && raw[end] == ASCII.carriageReturn && raw[end + 1] == ASCII.lineFeed
      start = end + (isPair ? 2 : 1)
    }
  }

  /// Every physical line is short enough, continues the one before it, and ends between two
  /// characters.
  static func isWellFolded(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
    var isGood = true
    var borders: [Int] = []
    var length = 0
    forEach(in: raw) { line in
      if length > 0 || !borders.isEmpty {
        borders.append(length)
        length += max(line.count - 1, 0)
      } else {
        length = line.count
        if line.isEmpty { isGood = false }
      }
      if line.count > Folding.widthLimit || line.isEmpty { isGood = false }
    }
    guard isGood else { return false }
    let content = unfold(raw)
    return content.withUnsafeBufferPointer { content in
      borders.allSatisfy { isCharacterBorder(content, at: $0) }
    }
  }

  static func append(_ raw: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    forEach(in: raw) { line in
      output.append(contentsOf: line)
      output.append(contentsOf: ending)
    }
  }

  /// Keeps blank lines and drops a byte order mark.
  static func appendBlank(_ raw: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    guard raw.first != 0xEF else { return }
    append(raw, to: &output)
  }
}
