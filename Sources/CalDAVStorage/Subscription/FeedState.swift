import SyncModel
import WebDAV

/// What tells whether a feed is still the one that was read: its validators (RFC 9110 §8.8), and
/// for servers that have none, or new ones each time, the digest of its text.
struct FeedState: Sendable, Hashable {
  var entityTag: [UInt8]?
  var lastModified: [UInt8]?
  var digest: [UInt8]
  /// More than one VCALENDAR stood in it, or nobody has looked: cut off between two of them it
  /// would look whole.
  var mayHaveSeveral: Bool

  /// In bytes; a longer validator is none that a server knows again.
  private static let longestValidator = 1024
  private static let lineFeed = UInt8(ascii: "\n")
  /// After the digest: that there was one VCALENDAR, or more.
  private static let (one, several) = (UInt8(ascii: "1"), UInt8(ascii: "n"))
  private static let digestLength = 32

  init(_ head: HTTPResponseHead, digest: ContentDigest, hasSeveral: Bool) {
    entityTag = Self.only(head.values(of: "ETag"))
    lastModified = Self.only(head.values(of: "Last-Modified"))
    self.digest = digest.bytes
    mayHaveSeveral = hasSeveral
  }

  /// Whether an answer that says that nothing changed is about what was read: one that names
  /// another entity tag, as where the server went by the date alone, is not (RFC 9111 §4.3.4).
  func isMeant(by head: HTTPResponseHead) -> Bool {
    guard let named = Self.only(head.values(of: "ETag")) else { return true }
    return entityTag.map { EntityTag(bytes: $0).isSpelling(of: EntityTag(bytes: named)) } ?? false
  }

  /// Reads what `state` gave, now or before it told the number of calendars; nil for anything else.
  init?(_ state: StreamState) {
    let parts = state.bytes.split(
      separator: Self.lineFeed, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let rest = parts.last, rest.count >= Self.digestLength,
      rest.count <= Self.digestLength + 1
    else { return nil }
    entityTag = parts[0].isEmpty ? nil : Array(parts[0])
    lastModified = parts[1].isEmpty ? nil : Array(parts[1])
    digest = Array(rest.prefix(Self.digestLength))
    mayHaveSeveral = rest.dropFirst(Self.digestLength).first != Self.one
  }

  var state: StreamState {
    StreamState(
      bytes: (entityTag ?? []) + [Self.lineFeed] + (lastModified ?? []) + [Self.lineFeed] + digest
        + [mayHaveSeveral ? Self.several : Self.one])
  }

  /// Asks for the text only if it is another one. A server that knows both goes by the tag
  /// (RFC 9110 §13.2.2).
  var headers: [HTTPHeader] {
    [
      entityTag.map { HTTPHeader("If-None-Match", $0) },
      lastModified.map { HTTPHeader("If-Modified-Since", $0) },
    ].compactMap { $0 }
  }

  private static func only(_ values: [[UInt8]]) -> [UInt8]? {
    guard values.count == 1, let value = values.first?.trimmed, !value.isEmpty,
      value.count <= longestValidator, !value.contains(where: { $0 < 0x20 || $0 == 0x7F })
    else { return nil }
    return value
  }
}

extension StorageError {
  /// Without the paths of URLs, which are secrets with feeds.
  var concealed: StorageError {
    StorageError(
      kind, withoutPaths(message), why: withoutPaths(why), hint: withoutPaths(hint))
  }
}

/// The text with every URL in it cut down to scheme and server: paths of feeds are secrets.
public func withoutPaths(_ text: String) -> String {
  var result = ""
  var rest = text[...]
  while let mark = rest.firstRange(of: "://") {
    result += rest[..<mark.upperBound]
    rest = rest[mark.upperBound...]
    let host = rest.prefix { !"/?# \"'),".contains($0) }
    result += host
    rest = rest[host.endIndex...]
    guard let next = rest.first, "/?#".contains(next) else { continue }
    let path = rest.prefix { !" \"'),".contains($0) }
    if path != "/" { result += "/…" }
    rest = rest[path.endIndex...]
  }
  return result + rest
}
