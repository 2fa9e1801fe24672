private import Synchronization

/// Whether a server let requests go as they came.
package enum Throttling: Sendable, Hashable {
  /// Nothing shows it: there never were as many at once as there may be.
  case unknown
  /// As many at once as there may be were answered.
  case none
  /// It asked to wait, by this answer, as `429 with Retry-After`.
  case asked(String)
}

/// How many requests are on their way to one account's server at once, and from when on.
///
/// A server that asks to wait, or refuses or ends a connection or says 423 while it has others of
/// ours, gets half as many from then on, and none before the time that it named. As many good
/// answers in a row as there may be requests at once, while at least half of them are used, let one
/// more go; after each connection that it ended it takes twice as many answers as before.
///
/// Over HTTP/1 each request has a connection of its own, so there are as many at once as there may
/// be connections. Over HTTP/2 one connection carries all, so there may be more, up to
/// `mostStreams`; but after a complaint never more again than that left, and not to a server that
/// complained in an earlier run. One at a time stays one at a time.
final class Pace: Sendable {
  /// Requests at once over HTTP/2. Servers are to allow 100 (RFC 9113 §5.1.2), but those that hand
  /// requests on to a program behind them let them queue there: with 16, each may take two seconds
  /// before the last one has waited as long as a silent server is waited for.
  static let mostStreams = 16

  private struct State {
    /// Requests at once, at this time.
    var width: Int
    /// Requests at once over HTTP/2 as long as nothing speaks against it.
    var mostMultiplexed: Int
    var underWay = 0
    /// The most that ever were on their way.
    var peak = 0
    /// Good answers since `width` was changed.
    var goodAnswers = 0
    /// So many times `width` good answers let one more go.
    var caution = 1
    /// There was a good answer since the server last ended a request.
    var hasGoneWell = true
    /// In milliseconds since 1970; nil: at once.
    var notBefore: Int64?
    /// The longest pause that was asked for, in milliseconds: a clock that was set back makes none
    /// longer.
    var longest: Int64 = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var throttling: Throttling

    mutating func letOneGo() {
      underWay += 1
      peak = max(peak, underWay)
    }

    /// Half as many at once, but one.
    mutating func narrow(most: Int) {
      width = max(1, width / 2)
      mostMultiplexed = min(mostMultiplexed, max(most, width))
      goodAnswers = 0
    }
  }

  /// Requests at once over HTTP/1 as long as nothing speaks against it.
  private let most: Int
  private let state: Mutex<State>

  /// - Parameter startsSlowly: the server has asked to wait before: one request at first.
  init(most: Int, startsSlowly: Bool = false) {
    let most = max(1, most)
    self.most = most
    let mayWiden = most > 1 && !startsSlowly
    state = Mutex(
      State(
        width: startsSlowly ? 1 : most,
        mostMultiplexed: mayWiden ? max(most, Self.mostStreams) : most, throttling: .unknown))
  }

  /// What the answers so far show.
  var throttling: Throttling { state.withLock { $0.throttling } }

  /// Requests at once, at this time.
  var width: Int { state.withLock { $0.width } }

  /// The most requests that were on their way at once.
  var peak: Int { state.withLock { $0.peak } }

  /// A pause that the server asked for: what is left of it in milliseconds, and until when.
  struct Rest {
    let milliseconds: Int64
    let end: Int64
  }

  /// Nil where requests may go at once.
  func rest(at now: Int64) -> Rest? {
    state.withLock { state in
      guard let end = state.notBefore, end > now else { return nil }
      return Rest(milliseconds: min(state.longest, end - now), end: end)
    }
  }

  /// This one was waited for; another may have been asked for meanwhile.
  func finish(_ rest: Rest) {
    state.withLock { state in
      if state.notBefore == rest.end { (state.notBefore, state.longest) = (nil, 0) }
    }
  }

  /// Waits until one more request may be on its way; `leave` must follow.
  func enter() async {
    let mayGo = state.withLock { state in
      guard state.underWay < state.width else { return false }
      state.letOneGo()
      return true
    }
    if mayGo { return }
    await withCheckedContinuation { continuation in
      let mayGo = state.withLock { state in
        guard state.underWay >= state.width else {
          state.letOneGo()
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if mayGo { continuation.resume() }
    }
  }

  /// Lets go of what `enter` gave. Says whether others were on their way meanwhile.
  func leave() -> Bool {
    let (hadCompany, next) = state.withLock { state in
      state.underWay -= 1
      let hadCompany = state.underWay > 0
      var next: [CheckedContinuation<Void, Never>] = []
      while state.underWay < state.width, !state.waiting.isEmpty {
        state.letOneGo()
        next.append(state.waiting.removeFirst())
      }
      return (hadCompany, next)
    }
    for continuation in next { continuation.resume() }
    return hadCompany
  }

  /// The server has too much to do: fewer at once, and none for so many milliseconds.
  ///
  /// - Parameter answer: the answer that said so, as `429 with Retry-After`; nil for others.
  func slowDown(for pause: Int64, from now: Int64, because answer: String? = nil) {
    state.withLock { state in
      if let answer { state.throttling = .asked(answer) }
      state.narrow(most: most)
      state.notBefore = max(state.notBefore ?? 0, now + pause)
      state.longest = max(state.longest, pause)
    }
  }

  /// The most that `caution` grows to: after every end it doubles.
  private static let mostCaution = 64

  /// The server ended a request without an answer while it had others of ours: fewer at once. What
  /// became of a write that met such an end has to be looked for, so more at once are tried more
  /// rarely each time.
  func backOff() {
    state.withLock { state in
      state.narrow(most: most)
      // Requests that end together are one end.
      if state.hasGoneWell { state.caution = min(Self.mostCaution, 2 * state.caution) }
      state.hasGoneWell = false
    }
  }

  /// The server answered.
  ///
  /// - Parameter isMultiplexed: over HTTP/2.
  func wentWell(isMultiplexed: Bool) {
    state.withLock { state in
      // The one that was answered is not counted any more.
      let atOnce = state.underWay + 1
      state.hasGoneWell = true
      if state.width >= most, atOnce >= most, state.throttling == .unknown {
        state.throttling = .none
      }
      let most = isMultiplexed ? state.mostMultiplexed : most
      if state.width >= most {
        state.width = most
        state.goodAnswers = 0
        return
      }
      guard atOnce * 2 >= state.width else { return }
      state.goodAnswers += 1
      guard state.goodAnswers >= state.caution * state.width else { return }
      state.width += 1
      state.goodAnswers = 0
    }
  }
}
