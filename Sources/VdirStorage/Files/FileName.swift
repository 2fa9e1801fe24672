import SyncModel

/// A single component of a path, so that what is done with it cannot leave its directory.
///
/// Bytes and not a `String`: names need not be UTF-8, and two that differ in normalisation alone
/// are two files.
public struct FileName: Sendable, Hashable, Comparable {
  public let bytes: [UInt8]

  /// Gives nil for what is no single component: the empty name, `.`, `..`, and whatever holds a
  /// slash or a NUL. Its length is left to the file system, which knows its own limit.
  public init?(_ bytes: [UInt8]) {
    let dot = UInt8(ascii: ".")
    guard !bytes.isEmpty, bytes != [dot], bytes != [dot, dot] else { return nil }
    guard !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else { return nil }
    self.bytes = bytes
  }

  public init?(_ text: String) { self.init(Array(text.utf8)) }

  /// The name for people; bytes that are not UTF-8 are shown as U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func hash(into hasher: inout Hasher) { hasher.combine(atOnce: bytes) }
  public static func < (left: FileName, right: FileName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
