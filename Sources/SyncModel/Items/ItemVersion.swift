/// The bytes of an item: iCalendar text as it is on one side.
public struct ItemData: Sendable, Hashable {
  public let bytes: [UInt8]
  public init(bytes: [UInt8]) { self.bytes = bytes }

  /// To read a line takes far more memory than it has bytes. No object that people make has a
  /// tenth of so many; an attachment of 16 MiB has 220,000.
  public static let mostLines = 500_000

  /// It is not to be parsed.
  public var hasTooManyLines: Bool {
    guard bytes.count > Self.mostLines else { return false }
    return bytes.count { $0 == UInt8(ascii: "\n") } > Self.mostLines
  }
}

/// What the engine knows of one content of one resource, without its text.
public struct ItemVersion: Sendable, Hashable {
  public var href: Href
  public var uid: ItemID
  public var version: Version
  /// The digest of the canonical form: equal for contents that mean the same
  /// (docs/decisions/0001-digest-rule.md).
  public var canonical: ContentDigest
  /// The first SUMMARY, for people; empty where there is none.
  public var summary: String
  /// The item's LAST-MODIFIED (RFC 5545 §3.8.7.3), the latest of its components.
  public var lastModified: Instant?
  /// When the side says that the resource changed: a file's mtime, a server's getlastmodified.
  public var modified: Instant?
  /// The kinds of its components without VTIMEZONE, as `VEVENT`.
  public var components: [String]

  public init(
    href: Href, uid: ItemID, version: Version, canonical: ContentDigest, summary: String,
    lastModified: Instant?, modified: Instant?, components: [String]
  ) {
    self.href = href
    self.uid = uid
    self.version = version
    self.canonical = canonical
    self.summary = summary
    self.lastModified = lastModified
    self.modified = modified
    self.components = components
  }
}

/// The last state that both sides shared: the base of every later comparison.
///
/// Servers rewrite what they store, so there are two bases, one a side, and each side is compared
/// with its own (DESIGN "Two bases").
public struct Agreement: Sendable, Hashable {
  public var uid: ItemID
  public var local: ItemVersion
  public var remote: ItemVersion

  public init(uid: ItemID, local: ItemVersion, remote: ItemVersion) {
    self.uid = uid
    self.local = local
    self.remote = remote
  }

  /// The base of one side.
  public subscript(side: Side) -> ItemVersion {
    get { side == .local ? local : remote }
    set { if side == .local { local = newValue } else { remote = newValue } }
  }

  /// Both bases mean the same, so that a whole text may travel and not just a change.
  public var basesAgree: Bool { local.canonical == remote.canonical }
}
