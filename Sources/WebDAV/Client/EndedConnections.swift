private import Synchronization

/// Whether HTTP/2, which carries many requests at once, works (RFC 9113).
package enum Multiplexing: Sendable, Hashable {
  /// No answer came over it.
  case unknown
  case works
  /// It ended a request with an error of its own, in words.
  case failed(request: String, error: String)
  /// The same, and since then an answer came over HTTP/1.1.
  case replaced(request: String, error: String)
}

/// What calgw makes of connections that end without an answer.
extension DAVClient {
  /// A write had no answer, and a look shows that it did nothing. It went out on a connection that
  /// was kept open, as a rule: a server that ends those without saying so, as SOGo does, does it
  /// again.
  package func noteUnreadWrite(to url: WebURL) {
    learned.withLock { $0.unread[url.origin, default: 0] += 1 }
  }

  /// A server that ends the connections that are kept open gets another for each write. One that
  /// closes new ones while it has others of ours gets none, even where a write asks for one: there
  /// only those that it took before are of use, until one of them ends with nothing else under way.
  package func wantsNewConnection(_ attempt: Attempt) -> Bool {
    let origin = attempt.url.origin
    return learned.withLock { learned in
      if learned.turningAway.contains(origin) { return false }
      if attempt.request.wantsNewConnection { return true }
      return !attempt.request.isRead && learned.unread[origin, default: 0] > 1
        && !learned.multiplexed.contains(origin)
    }
  }

  /// Whether a request that had no answer goes out once more. One that may have changed something
  /// does not: its sender looks first.
  ///
  /// With others on their way it may be that the server takes fewer at once: some refuse the
  /// connection, some take it and close it, and over HTTP/2 some end the one that carries all
  /// (GOAWAY). So it goes again at once, since that may have been a connection that was kept open
  /// for too long, and then some times more, with fewer at once and after a pause that doubles.
  /// Soon it is alone, and then the end is about itself: that is tried once more and not again.
  func goesAgain(
    after error: TransportError, _ departure: Pace.Departure, hadCompany: Bool,
    _ attempt: inout Attempt
  ) -> Bool {
    switch error.kind {
    case .noConnection:
      return hadCompany
        && putOff(crowded: &attempt, departure, by: "a connection refused beside others")
    case .interrupted, .unanswered, .turnedAway: break
    case .multiplexingFailed: note(brokenHTTP2: error, attempt)
    case .timeout, .tooSlow:
      // It may serve one connection after the other, and wait for the end of one that is kept open.
      let isMultiplexed = learned.withLock { $0.multiplexed.contains(attempt.url.origin) }
      if hadCompany, !isMultiplexed { pace.noteSilence(departure) }
      return false
    case .unknownHost, .tls, .unexpectedKey, .certificateWanted, .proxyDenied, .malformed,
      .refusedBody, .badRequest, .cancelled:
      return false
    }
    if hadCompany { pace.backOff(departure) }
    learn(from: error.kind, hadCompany: hadCompany, at: attempt.url.origin)
    guard attempt.request.isRead || !error.mayHaveActed else { return false }
    if error.kind == .multiplexingFailed, !attempt.hasLeftHTTP2 {
      // The next one goes over HTTP/1.1: what ended before says nothing of that.
      attempt.hasLeftHTTP2 = true
      return true
    }
    attempt.interruptions += 1
    return attempt.interruptions == 1 || hadCompany && putOff(ended: attempt)
  }

  /// The transport leaves HTTP/2 for the rest of the run.
  private func note(brokenHTTP2 error: TransportError, _ attempt: Attempt) {
    let request = "\(attempt.request.method) \(access.secrets.shown(attempt.url))"
    learned.withLock { learned in
      if case .replaced = learned.multiplexing { return }
      learned.multiplexing = .failed(request: request, error: error.message)
    }
  }

  private func learn(from end: TransportError.Kind, hadCompany: Bool, at origin: String) {
    learned.withLock { learned in
      if end == .turnedAway, hadCompany { learned.turningAway.insert(origin) }
      // Nobody else was there: it is not about how many there are.
      if end == .unanswered, !hadCompany { learned.turningAway.remove(origin) }
    }
  }
}
