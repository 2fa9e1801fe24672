/// A line of a tree: where its bytes are, how it is built, and its neighbours in printing order.
///
/// Records are as small as they are because a calendar of 50 MB has a million of them.
struct LineRecord {
  enum Kind: UInt8 {
    /// Says nothing: blank lines, or a byte order mark.
    case blank
    case property
    /// No content line: it has no name, no colon, or a quote that never ends.
    case malformed
    case begin
    case end
    /// Taken out of the tree.
    case removed
  }

  /// In the source; from the end of the source on, in the additions.
  var start: UInt32
  /// With folds, without the last line end.
  var contentCount: UInt32
  /// Of the last line end: 0, 1 or 2.
  var endCount: UInt8
  var kind: Kind
  var isFolded: Bool
  /// Where the name ends, in the unfolded content.
  var nameEnd: UInt32 = 0
  /// Where the colon before the value is, in the unfolded content.
  var colon: UInt32 = 0
  /// The physical line in the source, from 1; 0 for a line that was written since.
  var number: UInt32
  /// The component that the line is part of; a BEGIN or END line is part of its own.
  var component: UInt32
  var previous: UInt32
  var next: UInt32
}

/// A component of a tree, by the lines it extends over.
struct ComponentRecord {
  /// Its BEGIN line; none for the root, which holds the text as a whole.
  var begin: UInt32
  /// Its END line; none if there is none.
  var end: UInt32
  /// The last line in it.
  var last: UInt32
  var parent: UInt32
  /// 0 for the root.
  var depth: Int
}

extension UInt32 {
  /// In place of an index: there is no such line or component.
  static let none = UInt32.max
}
