private import Synchronization

/// What the answers of a server show of its clock (`Date`, RFC 9110 §6.6.1).
struct ServerClock {
  /// How far it was ahead of ours, in milliseconds, by the answer that had it the least, and the
  /// most.
  private var least: Int64
  private var most: Int64

  /// A date is of a second, and an answer takes its time: less than this, in milliseconds, is none.
  private static let leastSkew: Int64 = 3_000
  /// In milliseconds: no answer takes longer on its way, and is of use.
  private static let longestWay: Int64 = 60_000

  init(ahead: Int64) { (least, most) = (ahead, ahead) }

  mutating func note(ahead: Int64) { (least, most) = (min(least, ahead), max(most, ahead)) }

  /// How far it is ahead. Of several answers the one that was the shortest on its way says it best:
  /// the others make it look further behind. Where they are further apart than that, as of several
  /// machines under one name, or when our own clock was set, none is believed.
  var ahead: Int64 {
    let (spread, isBeyond) = most.subtractingReportingOverflow(least)
    guard !isBeyond, spread <= Self.longestWay, most.magnitude >= Self.leastSkew.magnitude else {
      return 0
    }
    return most
  }
}

extension DAVClient {
  /// How far the clock of an origin is ahead of ours, in milliseconds, below zero behind; 0 where
  /// no answer has shown it, or next to nothing.
  package func clockAhead(at origin: String) -> Int64 {
    learned.withLock { $0.clocks[origin]?.ahead } ?? 0
  }

  /// What lay in a cache is of another time.
  func noteClock(_ head: HTTPResponseHead, of origin: String) {
    guard head.values(of: "Age").isEmpty, let text = head.values(of: "Date").first,
      let theirs = HTTPDate.milliseconds(text.trimmed)
    else { return }
    let (ahead, isBeyond) = theirs.subtractingReportingOverflow(access.now())
    if isBeyond { return }
    learned.withLock { learned in
      learned.clocks[origin, default: ServerClock(ahead: ahead)].note(ahead: ahead)
    }
  }
}
