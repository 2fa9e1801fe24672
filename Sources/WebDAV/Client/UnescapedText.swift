/// A text as it reads once its escapes are resolved (percent-coding, entities of XML and HTML,
/// backslashes of JSON), with the place in it that each byte comes from.
struct UnescapedText {
  private(set) var bytes: [UInt8] = []
  /// Where each byte stood; all bytes of an escape stood in the whole of it.
  private var sources: [Range<Int>] = []

  /// The text as it is.
  init(_ text: [UInt8]) {
    bytes = text
    sources = text.indices.map { $0..<$0 + 1 }
  }

  /// What stands in the place of some of the bytes in the text as it was at first.
  func source(of part: Range<Int>) -> Range<Int> {
    sources[part.lowerBound].lowerBound..<sources[part.upperBound - 1].upperBound
  }

  /// The same with its escapes resolved, once; nil where it has none.
  ///
  /// - Parameter isCut: more came after it, so that what it ends with may be half an escape, which
  ///   is left out.
  func resolved(isCut: Bool) -> UnescapedText? {
    var resolved = UnescapedText([])
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if isCut, Self.isHalf(rest) { break }
      guard let escape = Self.escape(rest) else {
        resolved.append([bytes[index]], from: sources[index])
        index += 1
        continue
      }
      resolved.append(escape.bytes, from: source(of: index..<index + escape.length))
      index += escape.length
    }
    return resolved.bytes == bytes ? nil : resolved
  }

  private mutating func append(_ added: [UInt8], from source: Range<Int>) {
    bytes += added
    sources += added.map { _ in source }
  }

  // MARK: Escapes

  private typealias Escape = (bytes: [UInt8], length: Int)

  /// Longer than `&#x10FFFF;` and any name that is known here.
  private static let longestEntity = 12

  private static let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  private static func escape(_ text: ArraySlice<UInt8>) -> Escape? {
    switch text.first {
    case UInt8(ascii: "%"): percentCoded(text)
    case UInt8(ascii: "&"): entity(text)
    case UInt8(ascii: "\\"): afterBackslash(text)
    default: nil
    }
  }

  private static func percentCoded(_ text: ArraySlice<UInt8>) -> Escape? {
    hexadecimal(text.dropFirst().prefix(2), digits: 2).map { ([UInt8($0)], 3) }
  }

  private static func entity(_ text: ArraySlice<UInt8>) -> Escape? {
    let name = text.dropFirst().prefix(longestEntity).prefix { $0 != UInt8(ascii: ";") }
    guard text.dropFirst(1 + name.count).first == UInt8(ascii: ";") else { return nil }
    let word = String(decoding: name, as: UTF8.self).lowercased()
    let number: UInt32? =
      if word.hasPrefix("#x") {
        UInt32(word.dropFirst(2), radix: 16)
      } else if word.hasPrefix("#") {
        UInt32(word.dropFirst())
      } else {
        entities[word]?.value
      }
    guard let number, let scalar = Unicode.Scalar(number) else { return nil }
    return (Array(String(Character(scalar)).utf8), name.count + 2)
  }

  /// RFC 8259 §7; of the others, those that stand for themselves.
  private static func afterBackslash(_ text: ArraySlice<UInt8>) -> Escape? {
    guard let mark = text.dropFirst().first else { return nil }
    if "\\\"/'".utf8.contains(mark) { return ([mark], 2) }
    guard let first = unit(text) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (Array(String(Character(scalar)).utf8), 6) }
    guard let second = unit(text.dropFirst(6)) else { return nil }
    let pair = [UInt16(first), UInt16(second)]
    return String(validating: pair, as: UTF16.self).map { (Array($0.utf8), 12) }
  }

  /// The code unit of UTF-16 that `\uXXXX` stands for.
  private static func unit(_ text: ArraySlice<UInt8>) -> UInt32? {
    guard text.starts(with: Array("\\u".utf8)) else { return nil }
    return hexadecimal(text.dropFirst(2).prefix(4), digits: 4)
  }

  private static func hexadecimal(_ text: ArraySlice<UInt8>, digits count: Int) -> UInt32? {
    let digits = text.compactMap(PercentCoding.digit)
    guard digits.count == count, text.count == count else { return nil }
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }

  /// An escape begins here, and the text ends before it does.
  private static func isHalf(_ rest: ArraySlice<UInt8>) -> Bool {
    let tail = rest.dropFirst()
    func areDigits(_ text: ArraySlice<UInt8>) -> Bool {
      text.allSatisfy { PercentCoding.digit($0) != nil }
    }
    switch rest.first {
    case UInt8(ascii: "%"): return tail.count < 2 && areDigits(tail)
    case UInt8(ascii: "&"):
      return tail.count < longestEntity
        && tail.allSatisfy { $0 == UInt8(ascii: "#") || isAlphanumeric($0) }
    case UInt8(ascii: "\\"):
      return tail.isEmpty
        || tail.first == UInt8(ascii: "u") && tail.count < 5 && areDigits(tail.dropFirst())
    default: return false
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
