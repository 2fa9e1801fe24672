public import SyncModel

/// Which events a query is for: those that overlap a range of time, in some calendars or in all.
public struct EventPredicate: Sendable, Hashable {
  /// The first moment of the range.
  public var from: Instant
  /// The end of the range, which does not belong to it.
  public var to: Instant
  /// Ids of the calendars to look at; nil for all.
  public var calendars: Set<String>?

  /// A range of at most `longestRange`; a query for more is refused with
  /// `EventStoreError.rangeTooLong`, and nothing is cut off in silence.
  public init(from: Instant, to: Instant, calendars: Set<String>? = nil) {
    self.from = from
    self.to = to
    self.calendars = calendars
  }

  /// Four years, as EventKit has it, in days: four years have one leap day at most. One day more,
  /// for ranges from midnight to midnight in a zone that changed its offset in between.
  public static let longestRange = 4 * 365 + 1 + 1

  /// The range in whole seconds, outwards; throws where it is too long.
  func seconds() throws(EventStoreError) -> (from: Int, to: Int) {
    // Seconds of milliseconds: their difference fits always.
    let first = floorSeconds(from.milliseconds)
    let whole = floorSeconds(to.milliseconds)
    let last = Instant(seconds: Int64(whole)) < to ? whole + 1 : whole
    if last - first > Self.longestRange * 86_400 {
      throw .rangeTooLong(days: (last - first + 86_399) / 86_400)
    }
    return (first, last)
  }
}

/// Whole seconds, towards the past.
func floorSeconds(_ milliseconds: Int64) -> Int {
  let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
  return Int(rest < 0 ? seconds - 1 : seconds)
}
