package import SyncModel

/// The name of a file that calgw keeps in a vdir for a moment, which tells what may be in it after
/// a kill at any point.
///
///     .calgw-n<token>                       new, never seen by anyone: remove it
///     .calgw-x<token>-<item without .ics>~  an item's old content, or a complete new one that was
///                                           not put in its place: keep the bytes, then remove it
///     .calgw-y<token>-<SHA-256 of item>     the same, where the item's name is too long to be
///                                           told, ends in .ICS, or is one that a person alone
///                                           takes for an item's
///
/// A new file becomes an `x` before it is exchanged with the item, so an `n` never holds what
/// somebody else wrote. None of them ends in `.ics`, whatever the item's name.
package struct HiddenName: Sendable, Hashable {
  enum Meaning: Sendable, Hashable {
    case new
    case displaced(item: FileName)
    /// Of the item whose name has this SHA-256, in hexadecimal.
    case displacedByDigest([UInt8])
  }

  let fileName: FileName
  let meaning: Meaning

  private static let prefix = Array(".calgw-".utf8)
  private static let dash = UInt8(ascii: "-")
  private static let end = UInt8(ascii: "~")
  /// In bytes; Linux has this limit for every component of a path (NAME_MAX).
  private static let longestName = 255

  /// Reads a name; nil where it is none of calgw's.
  package init?(_ name: FileName) {
    guard name.bytes.starts(with: Self.prefix) else { return nil }
    let rest = name.bytes.dropFirst(Self.prefix.count)
    guard let kind = rest.first else { return nil }
    let parts = rest.dropFirst().split(
      separator: Self.dash, maxSplits: 1, omittingEmptySubsequences: false)
    switch (kind, parts.count) {
    case (UInt8(ascii: "n"), 1): meaning = .new
    case (UInt8(ascii: "x"), 2) where parts[1].last == Self.end:
      guard let item = FileName(parts[1].dropLast() + FileName.itemEnding), item.isItem else {
        return nil
      }
      meaning = .displaced(item: item)
    case (UInt8(ascii: "y"), 2) where parts[1].count == 64:
      meaning = .displacedByDigest(Array(parts[1]))
    default: return nil
    }
    fileName = name
  }

  /// Names a new file. The token is of lower-case letters, digits and dots.
  static func new(token: String) -> FileName? {
    FileName(prefix + Array("n\(token)".utf8))
  }

  /// Names what an item's content is moved to. `isShort` asks for the name that does not grow with
  /// the item's.
  package static func displaced(
    token: String, item: FileName, digest: DigestFunction, isShort: Bool = false
  ) -> FileName? {
    let count = FileName.itemEnding.count
    let isUsual = item.isItem && item.bytes.suffix(count).elementsEqual(FileName.itemEnding)
    let long = prefix + Array("x\(token)-".utf8) + item.bytes.dropLast(count) + [end]
    if !isShort, isUsual, long.count <= longestName { return FileName(long) }
    return FileName(prefix + Array("y\(token)-".utf8) + hex(digest(item.bytes).bytes))
  }

  /// The item that a displaced file belonged to. Where its name could not be told, it is looked for
  /// among what is there, else made up from its digest.
  package func item(among items: [FileName], digest: DigestFunction) -> FileName? {
    switch meaning {
    case .new: nil
    case .displaced(let item): item
    case .displacedByDigest(let wanted):
      items.first { hex(digest($0.bytes).bytes) == wanted }
        ?? FileName(wanted + FileName.itemEnding)
    }
  }
}
