import SyncModel

/// A text of the history that is to be on the local side again.
struct WantedText {
  let uid: ItemID
  let text: ItemData
  let digest: ContentDigest
  /// Nil: it is no whole item.
  let canonical: ContentDigest?
  let summary: String
  /// The file that it was in; nil for a whole item, which goes where the item is.
  let file: Href?
  /// For the history of what it replaces.
  let reason: String
  /// It takes the place of a file that is no whole item, or none.
  var isForBrokenFile = false
  /// Where a whole item was then on the local side, also before the journal began: if no whole item
  /// is there now, that is what it takes the place of.
  var former: Href?

  var isWhole: Bool { canonical != nil }

  /// Nothing of it is to be written.
  func isSame(as old: TextInPlace) -> Bool {
    if let canonical { old.canonical == canonical } else { old.version.digest == digest }
  }
}
