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
    let uids = CalendarObject(tree).uids.map(ItemID.init(bytes:))
    let others = uids.filter { $0 != uid }
    let isNamed = others.count < uids.count
    let wholeness = tree.wholeness
    switch wholeness {
    case _ where isNamed:
      self = .own(beside: others)
    // What is no calendar at all is somebody's, and never was the item.
    case .notCalendar where !isAgreed:
      self = .foreign
    case .whole, .empty, .notCalendar, .cutOff, .strayEnd, .notUTF8, .tooLarge:
      // A UID that is cut off looks like another one.
      let isBroken = isAgreed && wholeness != .whole
      self = uids.isEmpty || isBroken ? .own(beside: others) : .foreign
    }
  }
}
