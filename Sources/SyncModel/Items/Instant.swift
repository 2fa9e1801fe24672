/// A moment, in milliseconds since 1970-01-01T00:00:00Z. Wall-clock time: it serves to show, to
/// age history, and to say which of two edits is newer; never to detect a change.
public struct Instant: Sendable, Hashable, Comparable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }
  /// Seconds beyond what fits wrap around and never trap.
  public init(seconds: Int64) { milliseconds = seconds.multipliedReportingOverflow(by: 1000).0 }

  /// So many milliseconds later, or earlier where negative; what lies beyond the first or the last
  /// moment is that moment.
  public func advanced(by length: Int64) -> Instant {
    let (sum, isBeyond) = milliseconds.addingReportingOverflow(length)
    return Instant(milliseconds: isBeyond ? (length < 0 ? .min : .max) : sum)
  }

  /// How many milliseconds this is later than another moment, negative where it is earlier, and at
  /// most as many as there are.
  public func milliseconds(since other: Instant) -> Int64 {
    let (length, isBeyond) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    return isBeyond ? (self < other ? .min : .max) : length
  }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
