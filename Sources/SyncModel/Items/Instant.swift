/// A moment, in milliseconds since 1970-01-01T00:00:00Z. Wall-clock time: it serves to show, to
/// age history, and to say which of two edits is newer; never to detect a change.
public struct Instant: Sendable, Hashable, Comparable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }
  /// Seconds beyond what fits wrap around and never trap.
  public init(seconds: Int64) { milliseconds = seconds.multipliedReportingOverflow(by: 1000).0 }

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
