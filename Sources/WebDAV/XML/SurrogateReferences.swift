import Glibc

/// Joins character references to the halves of a UTF-16 pair, as `&#55357;&#56832;` for U+1F600.
///
/// XML knows no such characters, and libxml2 gives up a whole answer for one of them; SOGo writes
/// what is beyond U+FFFF so, in the names of calendars. A half alone stays what it is, and is
/// refused. The text arrives in pieces, and a reference may be cut anywhere. One that stands in a
/// CDATA section as plain text is joined as well.
struct SurrogateReferences {
  /// What may be the beginning of a reference, or a first half whose second is still to come.
  private var held: [UInt8] = []

  /// Longer than the digits of any character, with zeros before them.
  private static let mostDigits = 10

  /// The next piece as it is to be read; nil: as it came.
  mutating func joined(_ piece: UnsafeRawBufferPointer) -> [UInt8]? {
    if held.isEmpty, !Self.mayBeOdd(piece) { return nil }
    let text = held + piece
    held = []
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "&") else {
        output.append(text[index])
        index += 1
        continue
      }
      switch Self.reference(in: text, at: index) {
      case .none:
        output.append(text[index])
        index += 1
      case .cut:
        held = Array(text[index...])
        return output
      case .character(let high, let end):
        guard 0xD800...0xDBFF ~= high else {
          output += text[index..<end]
          index = end
          continue
        }
        switch Self.reference(in: text, at: end) {
        case .cut:
          held = Array(text[index...])
          return output
        case .character(let low, let after) where 0xDC00...0xDFFF ~= low:
          let number = 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
          output += Unicode.Scalar(number).map { Array(String(Character($0)).utf8) } ?? []
          index = after
        case .none, .character:
          output += text[index..<end]
          index = end
        }
      }
    }
    return output
  }

  /// What was held back, once nothing follows.
  mutating func rest() -> [UInt8] {
    defer { held = [] }
    return held
  }

  private enum Reference {
    case none
    /// The text ends before it can be told.
    case cut
    /// Its number, and where it ends.
    case character(UInt32, end: Int)
  }

  private static func reference(in text: [UInt8], at start: Int) -> Reference {
    var index = start
    for expected in "&#".utf8 {
      guard index < text.count else { return .cut }
      guard text[index] == expected else { return .none }
      index += 1
    }
    guard index < text.count else { return .cut }
    let isHexadecimal = text[index] == UInt8(ascii: "x")
    if isHexadecimal { index += 1 }
    let digits = index
    var number: UInt32 = 0
    while index < text.count, index - digits < mostDigits {
      if text[index] == UInt8(ascii: ";") {
        return index == digits ? .none : .character(number, end: index + 1)
      }
      guard let digit = PercentCoding.digit(text[index]), isHexadecimal || digit < 10 else {
        return .none
      }
      number = number &* (isHexadecimal ? 16 : 10) &+ UInt32(digit)
      index += 1
    }
    return index < text.count ? .none : .cut
  }

  /// A piece with an `&#5`, an `&#x`, or one that ends within such a beginning.
  private static func mayBeOdd(_ piece: UnsafeRawBufferPointer) -> Bool {
    var rest = piece[...]
    while let base = rest.base.baseAddress, !rest.isEmpty,
      let found = memchr(base + rest.startIndex, CInt(UInt8(ascii: "&")), rest.count)
    {
      let place = UnsafeRawPointer(found) - base
      guard place + 2 < rest.endIndex else { return true }
      if piece[place + 1] == UInt8(ascii: "#"), "5x0".utf8.contains(piece[place + 2]) {
        return true
      }
      rest = piece[(place + 1)...]
    }
    return false
  }
}
