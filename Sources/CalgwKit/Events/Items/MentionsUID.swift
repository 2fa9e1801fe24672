/// True if a text may hold an item of a UID: a look at the bytes that costs a fraction of reading
/// them, and that never says no where reading would find the UID.
///
/// Folds (RFC 5545 §3.1) and backslashes before escaped characters (§3.3.11) may stand anywhere in
/// it.
package func mayMention(_ uid: [UInt8], in text: [UInt8]) -> Bool {
  guard let first = uid.first else { return false }
  return text.withUnsafeBufferPointer { text in
    uid.withUnsafeBufferPointer { uid in
      var index = 0
      while index < text.count {
        // An escape before the first character does no harm: the character itself is met next.
        if text[index] == first || text[index] == UInt8(ascii: "\\") {
          if matches(uid, text, from: index) { return true }
        }
        index += 1
      }
      return false
    }
  }
}

private func matches(
  _ uid: UnsafeBufferPointer<UInt8>, _ text: UnsafeBufferPointer<UInt8>, from start: Int
) -> Bool {
  var place = start
  for byte in uid {
    skipFolds(text, &place)
    guard place < text.count else { return false }
    if text[place] == byte {
      place += 1
      continue
    }
    guard text[place] == UInt8(ascii: "\\") else { return false }
    place += 1
    skipFolds(text, &place)
    guard place < text.count else { return false }
    let isLineFeed = text[place] == UInt8(ascii: "n") || text[place] == UInt8(ascii: "N")
    guard text[place] == byte || (byte == 0x0A && isLineFeed) else { return false }
    place += 1
  }
  return true
}

/// Steps over line ends that are followed by a blank.
private func skipFolds(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int) {
  while place < text.count, text[place] == 0x0D || text[place] == 0x0A {
    var next = place
    while next < text.count, text[next] == 0x0D || text[next] == 0x0A { next += 1 }
    guard next < text.count, text[next] == 0x20 || text[next] == 0x09 else { return }
    place = next + 1
  }
}
