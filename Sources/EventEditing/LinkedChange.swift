/// What an edit or a deletion makes of an item: its new text, and a new item beside it where a
/// series was split.
///
/// Who writes both writes the new item first: then, whatever happens in between, no occurrence is
/// missing.
public struct LinkedChange: Sendable, Hashable {
  /// The item's text; nil where nothing is left of it and it is to be deleted. Equal to the old
  /// bytes where nothing changed.
  public var item: [UInt8]?
  /// The new series of a split.
  public var created: NewItem?
  /// What was lost, what could not be expressed, and what changed that was not named.
  public var notes: [EditNote]

  public init(item: [UInt8]?, created: NewItem? = nil, notes: [EditNote] = []) {
    self.item = item
    self.created = created
    self.notes = notes
  }
}

/// A whole calendar object that did not exist before.
public struct NewItem: Sendable, Hashable {
  /// Without escapes.
  public var uid: [UInt8]
  public var text: [UInt8]
  /// What there is to say of a new event; what a split did is said of the change.
  public var notes: [EditNote]

  public init(uid: [UInt8], text: [UInt8], notes: [EditNote] = []) {
    self.uid = uid
    self.text = text
    self.notes = notes
  }
}
