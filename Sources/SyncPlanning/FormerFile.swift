import ICalendar
public import SyncModel

/// What a file is to a version of an item that is to be put back into the folder.
public enum FormerFile: Sendable, Hashable {
  /// The item's own, whole or broken: the version takes its place. The items `beside` it in the
  /// file would go with it.
  case own(beside: [ItemID])
  /// Somebody else's: the version goes elsewhere.
  case foreign

  /// Judges a file by what it holds now.
  ///
  /// - Parameter isAgreed: both sides shared the item from this file. Whatever broke it since, it
  ///   is the item's, as long as no other one was saved over it; else its text has to say so, or
  ///   at least nothing else.
  public init(_ bytes: [UInt8], of uid: ItemID, isAgreed: Bool) {
    let tree = SyntaxTree(bytes: bytes)
    let uids = Self.uids(in: tree)
    // In the last line of a file that is cut off stands perhaps half of the item's own.
    let others = Self.uids(in: SyntaxTree(bytes: bytes.wholeLines)).filter { $0 != uid }
    switch tree.wholeness {
    case _ where uids.contains(uid):
      self = .own(beside: others)
    case _ where !others.isEmpty:
      self = .foreign
    // What is no calendar at all is somebody's, and never was the item.
    case .notCalendar where !isAgreed:
      self = .foreign
    case .whole, .empty, .notCalendar, .cutOff, .conflictMarker, .strayEnd, .notUTF8, .tooLarge:
      self = uids.isEmpty || isAgreed ? .own(beside: []) : .foreign
    }
  }

  private static func uids(in tree: SyntaxTree) -> [ItemID] {
    CalendarObject(tree).uids.map(ItemID.init(bytes:))
  }
}

extension [UInt8] {
  /// Without a last line that nothing ends.
  fileprivate var wholeLines: [UInt8] {
    guard let end = lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    return Array(self[...end])
  }
}
