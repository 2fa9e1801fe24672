/// The name of a resource on its side: a file's name in the folder, or a path on the server.
///
/// The spelling is kept as received and sent back unchanged; what is compared is the `key`, since
/// servers spell one path in several ways (`%40` and `@`, `%c3` and `%C3`).
public struct Href: Sendable, Hashable, Comparable {
  /// As received.
  public let spelling: [UInt8]
  /// What two spellings of one resource have in common.
  public let key: [UInt8]

  public init(spelling: [UInt8], key: [UInt8]) {
    self.spelling = spelling
    self.key = key
  }

  /// A name that has one spelling only, as a file's.
  public init(_ spelling: [UInt8]) { self.init(spelling: spelling, key: spelling) }
  public init(_ text: String) { self.init(Array(text.utf8)) }

  /// The spelling for people; bytes that are not UTF-8 are shown as U+FFFD.
  public var text: String { String(decoding: spelling, as: UTF8.self) }

  /// The place of an item that is nowhere on its side while another item has the address: the
  /// journal knows one item a place, and what both sides shared of this one is to be known still.
  public func vacated(by uid: ItemID) -> Href {
    Href(spelling: spelling, key: address.key + [0] + uid.bytes)
  }

  /// Nothing of a side is there: no key that a side gives holds a NUL.
  public var isVacated: Bool { key.contains(0) }

  /// Of a vacated place, where the item was; else the same.
  public var address: Href { Href(spelling: spelling, key: Array(key.prefix { $0 != 0 })) }

  public static func == (left: Href, right: Href) -> Bool { left.key == right.key }
  public func hash(into hasher: inout Hasher) { hasher.combine(atOnce: key) }
  public static func < (left: Href, right: Href) -> Bool {
    left.key.lexicographicallyPrecedes(right.key)
  }
}
