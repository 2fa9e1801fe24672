/// The bytes that iCalendar's grammar is made of.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let comma: UInt8 = 0x2C
  static let colon: UInt8 = 0x3A
  static let semicolon: UInt8 = 0x3B
  static let equals: UInt8 = 0x3D
  static let backslash: UInt8 = 0x5C
  static let caret: UInt8 = 0x5E
}

extension UInt8 {
  /// The byte, in upper case if it is a letter of ASCII.
  var uppercased: UInt8 { (self &- 0x61) < 26 ? self & 0xDF : self }

  /// A space or a tab: what starts a continuation line.
  var isBlank: Bool { self == ASCII.space || self == ASCII.tab }

  var isLineBreak: Bool { self == ASCII.lineFeed || self == ASCII.carriageReturn }

  /// May stand in a name: RFC 5545 §3.1 has letters, digits and `-`; `_` and `.` occur as well.
  var isNameByte: Bool {
    ((self | 0x20) &- 0x61) < 26 || (self &- 0x30) < 10 || self == 0x2D || self == 0x5F
      || self == 0x2E
  }
}

extension Sequence<UInt8> {
  /// The bytes, with the letters of ASCII in upper case.
  package var uppercased: [UInt8] { map(\.uppercased) }
}

/// Compares names as RFC 5545 §2 wants it: the case of ASCII letters does not count.
func sameName(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
  guard left.count == right.count else { return false }
  for index in 0..<left.count where left[index].uppercased != right[index].uppercased {
    return false
  }
  return true
}

func sameName(_ left: UnsafeBufferPointer<UInt8>, _ right: StaticString) -> Bool {
  guard right.hasPointerRepresentation else { return sameName(left, "\(right)") }
  return sameName(
    left, UnsafeBufferPointer(start: right.utf8Start, count: right.utf8CodeUnitCount))
}

@_disfavoredOverload
func sameName(_ left: UnsafeBufferPointer<UInt8>, _ right: String) -> Bool {
  var right = right
  return right.withUTF8 { sameName(left, $0) }
}

@_disfavoredOverload
func sameName(_ left: [UInt8], _ right: String) -> Bool {
  left.withUnsafeBufferPointer { sameName($0, right) }
}

extension UnsafeBufferPointer<UInt8> {
  /// A part of the buffer; bounds are held to the buffer's own.
  func part(_ lower: Int, _ upper: Int) -> UnsafeBufferPointer<UInt8> {
    let low = Swift.min(Swift.max(lower, 0), count)
    let high = Swift.min(Swift.max(upper, low), count)
    return UnsafeBufferPointer(rebasing: self[low..<high])
  }

  /// Without spaces and tabs at the end.
  var withoutTrailingBlanks: UnsafeBufferPointer<UInt8> {
    var end = count
    while end > 0, self[end - 1].isBlank { end -= 1 }
    return part(0, end)
  }

  /// Without spaces and tabs at either end.
  var trimmed: UnsafeBufferPointer<UInt8> {
    var start = 0
    while start < count, self[start].isBlank { start += 1 }
    return part(start, count).withoutTrailingBlanks
  }
}

extension [UInt8] {
  /// Appends letters of ASCII in upper case, and other bytes as they are.
  mutating func append(uppercased bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes { append(byte.uppercased) }
  }
}
