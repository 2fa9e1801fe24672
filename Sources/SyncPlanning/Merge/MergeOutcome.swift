public import SyncModel

/// What became of joining two texts of an item.
public enum MergeOutcome: Sendable, Hashable {
  case merged(MergedTexts)
  /// They cannot be joined without a person.
  case conflict(MergeObstacle)
}

/// Two texts, one for each side, that hold what both sides changed.
public struct MergedTexts: Sendable, Hashable {
  /// For the local side; the text that it has where nothing is to be written there.
  public var local: [UInt8]
  /// For the remote side. It is the local one, unless the two bases mean different things.
  public var remote: [UInt8]
  /// What both sides changed in unlike ways and one side lost, in the order of the text.
  public var lost: [LostChange]

  public init(local: [UInt8], remote: [UInt8], lost: [LostChange] = []) {
    self.local = local
    self.remote = remote
    self.lost = lost
  }
}

/// A change that gave way to one of the other side.
public struct LostChange: Sendable, Hashable {
  /// The property's name in upper case, as `SUMMARY`, or that of a component, as `VALARM`.
  public var name: String
  /// The side that holds.
  public var winner: Side
  /// The RECURRENCE-ID of the override that it is in, as it is written; nil in the item itself.
  public var occurrence: String?
  /// The version that was edited last holds; else a rule decided, as that an edit survives the
  /// deletion.
  public var isByTime: Bool

  public init(name: String, winner: Side, occurrence: String? = nil, isByTime: Bool) {
    self.name = name
    self.winner = winner
    self.occurrence = occurrence
    self.isByTime = isByTime
  }
}

/// Why two texts cannot be joined.
public enum MergeObstacle: Error, Sendable, Hashable {
  /// Both changed when the item is, and one of them its start, its end or its rule.
  case schedule
  /// Both changed when one occurrence is, or one side it alone and the other one all later ones as
  /// well: its day for people, as `12 January 2026`.
  case occurrence(String)
  /// One side made it an item of another kind, as a task of an event, and the other one changed
  /// what it was; or the two are of unlike kinds, of which an item has but one (RFC 4791 §4.1).
  case kind
  /// A version has more text than is compared property by property (`isTooLargeToCompare`).
  case tooLarge
  /// One of the texts is built in a way that cannot be edited, or what came out would be no valid
  /// item.
  case unmergeable
}
