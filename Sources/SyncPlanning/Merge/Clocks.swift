public import SyncModel

/// The time of a run, and how far the clocks of the sides are ahead of ours: when a side says that
/// a resource changed it says so by its own.
public struct Clocks: Sendable, Hashable {
  /// To tell an absurd time.
  public var now: Instant
  /// In milliseconds; below zero where a clock is behind.
  public var ahead: [Side: Int64]

  public init(now: Instant, ahead: [Side: Int64] = [:]) {
    self.now = now
    self.ahead = ahead
  }

  /// What our clock showed when that of a side showed a time.
  func ours(_ time: Instant, on side: Side) -> Instant {
    let (milliseconds, isBeyond) = time.milliseconds.subtractingReportingOverflow(ahead[side] ?? 0)
    return isBeyond ? time : Instant(milliseconds: milliseconds)
  }
}
