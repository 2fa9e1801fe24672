private import Synchronization

/// What answers show of their servers' clocks (`Date`, RFC 9110 §6.6.1).
extension DAVClient {
  /// A date is of a second, and an answer takes its time: less than this, in milliseconds, is none.
  private static let leastSkew: Int64 = 3_000

  /// How far the clock of an origin is ahead of ours, in milliseconds, below zero behind; 0 where
  /// no answer has shown it, or next to nothing.
  package func clockAhead(at origin: String) -> Int64 {
    let ahead = learned.withLock { $0.clocks[origin] } ?? 0
    return ahead.magnitude < Self.leastSkew.magnitude ? 0 : ahead
  }

  /// Of several answers the one that was the shortest on its way, and in no cache, says it best:
  /// the others make the clock look further behind.
  func noteClock(_ head: HTTPResponseHead, of origin: String) {
    guard let text = head.values(of: "Date").first,
      let theirs = HTTPDate.milliseconds(text.trimmed)
    else { return }
    let (ahead, isBeyond) = theirs.subtractingReportingOverflow(access.now())
    if isBeyond { return }
    learned.withLock { $0.clocks[origin] = max($0.clocks[origin] ?? ahead, ahead) }
  }
}
