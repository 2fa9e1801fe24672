/// Sees whether a running exchange still moves. Times are nanoseconds of a clock that stands
/// still while the machine sleeps.
package struct ExchangeWatch {
  /// The limits of `CurlTransport.Options`, in nanoseconds and bytes.
  package struct Limits: Sendable {
    var silence: Int64
    var total: Int64
    var window: Int64
    /// Zero for no limit.
    var leastPerWindow: Int64

    package init(silence: Int64, total: Int64, window: Int64, leastPerWindow: Int64) {
      self.silence = silence
      self.total = total
      self.window = window
      self.leastPerWindow = leastPerWindow
    }

    /// How often to look: four times in the shortest span, but neither busily nor rarely.
    var interval: Int64 {
      let shortest = min(silence, total, leastPerWindow > 0 ? window : silence)
      return max(10_000_000, min(1_000_000_000, shortest / 4))
    }
  }

  package enum Verdict: Equatable { case moving, silent, tooSlow, tooLong }

  private let limits: Limits
  private let begin: Int64
  private var seen: Int64
  private var lastMove: Int64
  private var windowBegin: Int64
  private var windowSeen: Int64

  /// - Parameter moved: bytes that passed so far in either direction.
  package init(limits: Limits, now: Int64, moved: Int64) {
    self.limits = limits
    begin = now
    seen = moved
    lastMove = now
    windowBegin = now
    windowSeen = moved
  }

  package mutating func look(now: Int64, moved: Int64) -> Verdict {
    if moved != seen {
      seen = moved
      lastMove = now
    }
    if now - begin >= limits.total { return .tooLong }
    if now - lastMove >= limits.silence { return .silent }
    if limits.leastPerWindow > 0, now - windowBegin >= limits.window {
      if moved - windowSeen < limits.leastPerWindow { return .tooSlow }
      windowBegin = now
      windowSeen = moved
    }
    return .moving
  }
}

extension Duration {
  /// Whole milliseconds from 1 to what libcurl takes, about 24 days.
  package var clampedMilliseconds: Int64 {
    let (seconds, attoseconds) = components
    if seconds >= 2_147_483 { return 2_147_483_000 }
    if seconds < 0 { return 1 }
    return max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}

extension ExchangeWatch.Limits {
  package init(_ options: CurlTransport.Options) {
    silence = options.silenceTimeout.clampedMilliseconds * 1_000_000
    total = options.totalTimeout.clampedMilliseconds * 1_000_000
    let milliseconds = options.minimumRateWindow.clampedMilliseconds
    window = milliseconds * 1_000_000
    let rate = Int64(max(0, min(options.minimumRate, 1_000_000_000)))
    leastPerWindow = rate > 0 ? max(1, rate * milliseconds / 1000) : 0
  }
}
