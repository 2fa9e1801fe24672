/// One occurrence of an item.
public struct Occurrence: Sendable, Hashable {
  /// Which component of the set says what it is like.
  public enum Source: Sendable, Hashable {
    case main
    /// An index into the overrides that the set was made of.
    case override(Int)
  }

  /// The start that the rule gives it, whatever an override says; nil if nothing recurs.
  public let recurrenceID: OccurrenceTime?
  public let start: OccurrenceTime
  /// Exclusive. Equal to the start for a moment.
  public let end: OccurrenceTime
  public let source: Source
  /// Start and end are dates: only the days of their walls count.
  public let isAllDay: Bool
}

/// A time on a wall and, where it has one, in the world.
public struct OccurrenceTime: Sendable, Hashable {
  /// Seconds from 1970-01-01 00:00 on the wall.
  public let wall: Int
  /// Local time minus UTC in seconds; nil for floating times and dates.
  public let offset: Int?
  /// Seconds from 1970-01-01T00:00:00Z; floating times and dates are placed in the zone that was
  /// asked for.
  public let instant: Int
}

/// A stretch of time that occurrences are asked for: those that overlap it, and moments from its
/// start on and before its end.
public struct OccurrenceWindow: Sendable, Hashable {
  /// Instants, in seconds from 1970 UTC; the second is exclusive.
  public let from: Int
  public let to: Int

  /// Held to the years 0 to 9999; empty if `to` is not after `from`.
  public init(from: Int, to: Int) {
    self.from = Swift.min(Swift.max(from, Self.first), Self.last)
    self.to = Swift.min(Swift.max(to, self.from), Self.last)
  }

  /// Everything from year 0 to 9999.
  public static let all = OccurrenceWindow(from: Int.min, to: Int.max)

  private static let first = -62_167_305_600
  private static let last = 253_402_387_200
}
