/// A parameter of a content line (RFC 5545 §3.2).
public struct Parameter: Sendable, Hashable {
  /// As it is written.
  public var name: [UInt8]
  /// The values without their quotes. Carets are as they are written (RFC 6868); `texts` decodes
  /// them. Empty where the parameter has no equals sign.
  public var values: [[UInt8]]

  public init(name: [UInt8], values: [[UInt8]]) {
    self.name = name
    self.values = values
  }

  /// A parameter with one value; what a parameter cannot hold as it is, is encoded (RFC 6868).
  public init(_ name: String, text: String) {
    self.init(name: Array(name.utf8), values: [CaretEncoding.encode(Array(text.utf8))])
  }

  init(_ range: ParameterScanner.Range, in text: UnsafeBufferPointer<UInt8>) {
    name = Array(text.part(range.start, range.nameEnd))
    values =
      range.nameEnd == range.end
      ? []
      : ParameterScanner.values(text.part(range.nameEnd + 1, range.end)).map {
        Array(ParameterScanner.unquoted($0))
      }
  }

  /// The values with carets decoded (RFC 6868 §3.2): `^n` is a line feed, `^'` a quote, `^^` a
  /// caret.
  public var texts: [[UInt8]] { values.map(CaretEncoding.decode) }
}

/// Finds the parameters in `;NAME=value,"value";NAME=…`.
enum ParameterScanner {
  struct Range {
    var start: Int
    /// Where the equals sign is; the end where there is none.
    var nameEnd: Int
    var end: Int
  }

  /// Cuts at semicolons outside quotes. The text starts with one, or is empty.
  static func scan(_ text: UnsafeBufferPointer<UInt8>) -> [Range] {
    guard !text.isEmpty else { return [] }
    var ranges: [Range] = []
    var start = 1
    var equals: Int?
    var isQuoted = false
    var index = 1
    while index <= text.count {
      let byte = index < text.count ? text[index] : ASCII.semicolon
      switch byte {
      case ASCII.quote: isQuoted.toggle()
      case ASCII.equals where equals == nil && !isQuoted: equals = index
      case ASCII.semicolon where !isQuoted || index == text.count:
        ranges.append(Range(start: start, nameEnd: equals ?? index, end: index))
        start = index + 1
        equals = nil
      default: break
      }
      index += 1
    }
    return ranges
  }

  /// Cuts a parameter's value at commas outside quotes.
  static func values(_ text: UnsafeBufferPointer<UInt8>) -> [UnsafeBufferPointer<UInt8>] {
    var parts: [UnsafeBufferPointer<UInt8>] = []
    var start = 0
    var isQuoted = false
    for index in 0..<text.count {
      if text[index] == ASCII.quote {
        isQuoted.toggle()
      } else if text[index] == ASCII.comma, !isQuoted {
        parts.append(text.part(start, index))
        start = index + 1
      }
    }
    parts.append(text.part(start, text.count))
    return parts
  }

  /// Sorts by name without regard to case; parameters of one name keep their order.
  static func sortByName(_ ranges: inout [Range], in text: UnsafeBufferPointer<UInt8>) {
    guard ranges.count > 1 else { return }
    ranges.sort { left, right in
      let leftName = text.part(left.start, left.nameEnd)
      let rightName = text.part(right.start, right.nameEnd)
      for index in 0..<min(leftName.count, rightName.count) {
        let (one, other) = (leftName[index].uppercased, rightName[index].uppercased)
        if one != other { return one < other }
      }
      return (leftName.count, left.start) < (rightName.count, right.start)
    }
  }

  /// Without the quotes around it, if it has them.
  static func unquoted(_ value: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    guard value.count >= 2, value.first == ASCII.quote, value.last == ASCII.quote else {
      return value
    }
    return value.part(1, value.count - 1)
  }
}

/// The encoding of what a parameter's value cannot hold (RFC 6868 §3).
enum CaretEncoding {
  static func decode(_ value: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(value.count)
    var index = 0
    while index < value.count {
      let next = index + 1 < value.count ? value[index + 1] : 0
      let decoded: UInt8? =
        switch (value[index], next) {
        case (ASCII.caret, 0x6E): ASCII.lineFeed
        case (ASCII.caret, 0x27): ASCII.quote
        case (ASCII.caret, ASCII.caret): ASCII.caret
        default: nil
        }
      result.append(decoded ?? value[index])
      index += decoded == nil ? 1 : 2
    }
    return result
  }

  static func encode(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for (index, byte) in text.enumerated() {
      switch byte {
      case ASCII.lineFeed where index > 0 && text[index - 1] == ASCII.carriageReturn: break
      case ASCII.lineFeed, ASCII.carriageReturn: result += [ASCII.caret, 0x6E]
      case ASCII.quote: result += [ASCII.caret, 0x27]
      case ASCII.caret: result += [ASCII.caret, ASCII.caret]
      default: result.append(byte)
      }
    }
    return result
  }
}
