/// A version that a sync replaced or removed, or that waits in a conflict.
public struct HistoryEntry: Sendable, Hashable {
  /// The entries of one attempt to write an item are made within so many milliseconds.
  public static let oneAttempt: Int64 = 5_000

  /// What became of the version.
  public enum Action: String, Sendable, CaseIterable {
    case replaced
    case deleted
    case conflict
    /// Its place alone is another: it is in another collection of the pair.
    case moved
    /// Bytes that an editor wrote into a file after calgw had taken it away.
    case lateEdit = "late-edit"
  }

  public var time: Instant
  public var uid: ItemID
  public var side: Side
  public var action: Action
  /// One sentence without a full stop, for `calgw log`.
  public var reason: String
  public var href: Href
  /// The content that was there.
  public var before: ContentDigest?
  /// The content that took its place; nil for a deletion.
  public var after: ContentDigest?

  public init(
    time: Instant, uid: ItemID, side: Side, action: Action, reason: String, href: Href,
    before: ContentDigest?, after: ContentDigest?
  ) {
    self.time = time
    self.uid = uid
    self.side = side
    self.action = action
    self.reason = reason
    self.href = href
    self.before = before
    self.after = after
  }
}

/// A history entry as the journal holds it; the number is what `calgw restore ID` takes.
public struct RecordedHistoryEntry: Sendable, Hashable {
  public let number: Int64
  public let entry: HistoryEntry

  public init(number: Int64, entry: HistoryEntry) {
    self.number = number
    self.entry = entry
  }
}
