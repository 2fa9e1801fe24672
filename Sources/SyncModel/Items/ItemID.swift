/// The UID of an item (RFC 5545 §3.8.4.7), as the bytes of its text.
///
/// Bytes and not a `String`: Swift compares strings by Unicode equivalence, servers and files do
/// not, and two UIDs that differ in normalisation alone are two items.
public struct ItemID: Sendable, Hashable, Comparable {
  public let bytes: [UInt8]

  public init(bytes: [UInt8]) { self.bytes = bytes }
  public init(_ text: String) { self.init(bytes: Array(text.utf8)) }

  /// The UID for people; bytes that are not UTF-8 are shown as U+FFFD.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func hash(into hasher: inout Hasher) { hasher.combine(atOnce: bytes) }
  public static func < (left: ItemID, right: ItemID) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
