package import SyncModel
import WebDAV

extension EntityTag {
  /// Reads a tag as servers give it: opaque, quotes kept. Nil where it is empty or could not be
  /// kept as it is; not strong where it could not guard a write.
  package init?(received bytes: [UInt8]?) {
    guard let tag = bytes?.trimmed, !tag.isEmpty, tag != Array("\"\"".utf8),
      !Self.isUnsendable(tag)
    else { return nil }
    self.init(bytes: tag, isStrong: Self.isStrong(tag))
  }

  /// Whether a tag as received has what no header can carry back (RFC 9110 §5.5): a line end in it
  /// would be the beginning of another header.
  static func isUnsendable(_ received: [UInt8]?) -> Bool {
    received?.trimmed.contains { $0 < 0x20 || $0 == 0x7F } ?? false
  }

  /// `"…"`, or a tag without quotes, as Robur sends them (RFC 9110 §8.8.3 for the characters).
  private static func isStrong(_ tag: [UInt8]) -> Bool {
    var inner = tag[...]
    if tag.count > 2, tag.first == UInt8(ascii: "\""), tag.last == UInt8(ascii: "\"") {
      inner = inner.dropFirst().dropLast()
    } else if tag.starts(with: "W/".utf8) || tag.starts(with: "w/".utf8) {
      return false
    }
    return inner.allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
  }

  /// The tag as a guard header needs it; nil where it can guard nothing.
  var headerValue: [UInt8]? {
    guard isStrong, Self.isStrong(bytes) else { return nil }
    let quote = UInt8(ascii: "\"")
    return bytes.first == quote ? bytes : [quote] + bytes + [quote]
  }

  /// The same tag in another spelling: servers differ within themselves about quotes, escapes and
  /// what a proxy that compresses appends.
  package func isSpelling(of other: EntityTag) -> Bool { bare == other.bare }

  private var bare: [UInt8] {
    var text = String(decoding: PercentCoding.decoded(bytes), as: UTF8.self)
      .replacing("&quot;", with: "\"")
    if text.hasPrefix("W/") { text.removeFirst(2) }
    text = text.filter { $0 != "\"" }
    for suffix in ["-gzip", ";gzip", "-br"] where text.hasSuffix(suffix) {
      text.removeLast(suffix.count)
    }
    return Array(text.utf8)
  }

  /// Digits, and what stands between those of a time: a server that makes its tags of the second of
  /// a change gives one tag to two versions of one second (DavMail). Hashes have more letters, and
  /// counts fewer digits.
  var mayBeTime: Bool {
    let letters = bytes.filter { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
    let digits = bytes.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return digits.count >= Self.fewestDigits && letters.count <= Self.mostLetters
  }

  /// The seconds since 1970 that it is, of a server that makes its tags so; nil for any other.
  package var seconds: Int64? {
    let digits = bare
    guard digits.count == Self.digitsOfSeconds,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  /// From 2001 to 2286.
  private static let digitsOfSeconds = 10
  /// Those of a time of day, in seconds.
  private static let fewestDigits = 4
  /// `T` and `Z`.
  private static let mostLetters = 2
}
