/// What a side says of a resource's state without showing its content: a server's entity tag
/// (RFC 9110 §8.8.3), or for a file its size, times and inode.
///
/// Equal strong tags of one resource mean equal bytes. A weak one can tell that something changed
/// and can never guard a write.
public struct EntityTag: Sendable, Hashable {
  /// As received, quotes included.
  public let bytes: [UInt8]
  public let isStrong: Bool

  public init(bytes: [UInt8], isStrong: Bool = true) {
    self.bytes = bytes
    self.isStrong = isStrong
  }

  /// Names the same version, whether strong or weak (RFC 9110 §8.8.3.2): some servers call a tag
  /// weak in one answer and not in another.
  public func names(sameAs other: EntityTag) -> Bool { opaque == other.opaque }

  private var opaque: ArraySlice<UInt8> {
    bytes.starts(with: "W/".utf8) ? bytes.dropFirst(2) : bytes[...]
  }
}

/// The SHA-256 of some bytes (32 bytes).
public struct ContentDigest: Sendable, Hashable, Comparable {
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }

  public func hash(into hasher: inout Hasher) { hasher.combine(atOnce: bytes) }
  public static func < (left: ContentDigest, right: ContentDigest) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// Computes the SHA-256 of bytes. Handed in by the composition, so that no layer links a library
/// for it.
public typealias DigestFunction = @Sendable ([UInt8]) -> ContentDigest

/// One content of a resource on its side, seen in full.
public struct Version: Sendable, Hashable {
  /// Nil where the side gave none, or none that can be trusted.
  public var tag: EntityTag?
  /// Of the bytes as they are on that side.
  public var digest: ContentDigest

  public init(tag: EntityTag?, digest: ContentDigest) {
    self.tag = tag
    self.digest = digest
  }
}
