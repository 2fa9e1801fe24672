/// Percent-encoding on bytes (RFC 3986 §2).
package enum PercentCoding {
  /// The value of a hexadecimal digit, else nil.
  static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The octet that `%XX` at `index` stands for; nil where there is none.
  static func octet(in bytes: [UInt8], at index: Int) -> UInt8? {
    guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "%"),
      let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
    else { return nil }
    return high << 4 | low
  }

  /// Unreserved characters (RFC 3986 §2.3): every server spells them plainly.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// What may stand plainly in a path or a query (RFC 3986 §3.3, §3.4).
  static func isPathByte(_ byte: UInt8) -> Bool {
    isUnreserved(byte) || "!$&'()*+,;=:@/?".utf8.contains(byte)
  }

  static func append(encoded byte: UInt8, to output: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// Encodes all but unreserved characters, for one path segment of ours.
  package static func segment(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes {
      if isUnreserved(byte) { output.append(byte) } else { append(encoded: byte, to: &output) }
    }
    return output
  }

  /// Encodes what a request line cannot carry and leaves every other spelling as it is; a `%`
  /// that begins no `%XX` is data.
  static func requestSpelling(_ path: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(path.count)
    for (index, byte) in path.enumerated() {
      if byte == UInt8(ascii: "%") {
        if octet(in: path, at: index) != nil {
          output.append(byte)
        } else {
          append(encoded: byte, to: &output)
        }
      } else if isPathByte(byte) {
        output.append(byte)
      } else {
        append(encoded: byte, to: &output)
      }
    }
    return output
  }

  /// Decodes exactly once, so that all spellings of one path become equal. An encoded `/`, `?` or
  /// `%` stays encoded, in upper case: as data it names something else than as a delimiter. Empty
  /// segments are left out, as servers do that give `/work//a.ics`.
  static func key(_ path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    if !hasSpellings(path) { return path }
    var output: [UInt8] = []
    output.reserveCapacity(path.count)
    var index = 0
    while index < path.count {
      if path[index] == slash, output.last == slash {
        index += 1
      } else if let decoded = octet(in: path, at: index) {
        if "/?%".utf8.contains(decoded) {
          append(encoded: decoded, to: &output)
        } else {
          output.append(decoded)
        }
        index += 3
      } else if path[index] == UInt8(ascii: "%") {
        append(encoded: UInt8(ascii: "%"), to: &output)
        index += 1
      } else {
        output.append(path[index])
        index += 1
      }
    }
    return output
  }

  /// Nearly no path has other spellings, and a listing has thousands of paths.
  private static func hasSpellings(_ path: [UInt8]) -> Bool {
    var previous: UInt8 = 0
    for byte in path {
      if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "/") && previous == byte { return true }
      previous = byte
    }
    return false
  }

  /// Decodes a segment wholly, for people.
  package static func decoded(_ segment: [UInt8]) -> [UInt8] {
    // Most need none.
    if !segment.contains(UInt8(ascii: "%")) { return segment }
    var output: [UInt8] = []
    var index = 0
    while index < segment.count {
      if let decoded = octet(in: segment, at: index) {
        output.append(decoded)
        index += 3
      } else {
        output.append(segment[index])
        index += 1
      }
    }
    return output
  }
}
