/// The first byte that is not part of a well-formed UTF-8 sequence (RFC 3629); nil if all are.
func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  let raw = UnsafeRawBufferPointer(bytes)
  var index = 0
  while index < bytes.count {
    // Most text is ASCII: eight bytes at a time.
    if index + 8 <= raw.count,
      raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    {
      index += 8
      continue
    }
    let length = sequenceLength(bytes, at: index)
    guard length > 0 else { return index }
    index += length
  }
  return nil
}

/// The length of the well-formed UTF-8 sequence that starts at a byte; 0 if none does.
func sequenceLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
  func byte(_ offset: Int) -> UInt8 { index + offset < bytes.count ? bytes[index + offset] : 0 }
  func isContinuation(_ offset: Int) -> Bool { byte(offset) & 0xC0 == 0x80 }
  let lead = byte(0)
  switch lead {
  case 0x00...0x7F: return 1
  case 0xC2...0xDF: return isContinuation(1) ? 2 : 0
  case 0xE0...0xEF:
    guard isContinuation(1), isContinuation(2) else { return 0 }
    // E0 would be overlong below A0, ED a surrogate from A0 on.
    if lead == 0xE0, byte(1) < 0xA0 { return 0 }
    if lead == 0xED, byte(1) > 0x9F { return 0 }
    return 3
  case 0xF0...0xF4:
    guard isContinuation(1), isContinuation(2), isContinuation(3) else { return 0 }
    // F0 would be overlong below 90, F4 beyond U+10FFFF from 90 on.
    if lead == 0xF0, byte(1) < 0x90 { return 0 }
    if lead == 0xF4, byte(1) > 0x8F { return 0 }
    return 4
  default: return 0
  }
}

/// A line may be folded before this byte: it does not lie inside a UTF-8 character.
func isCharacterBorder(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
  guard index > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 else { return true }
  // A character has at most three bytes before its last.
  for back in 1...3 where index >= back {
    let length = sequenceLength(bytes, at: index - back)
    if length > 0 { return length <= back }
  }
  return true
}
