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
/// A server that answers 429 or 503, or refuses a connection or says 423 while it has others of
/// ours, gets half as many from then on, and none before the time that it named. As many good
/// answers in a row as there are requests at once let one more go.
final class Pace: Sendable {
  private struct State {
    /// Requests at once, at this time.
    var width: Int
    var underWay = 0
    /// Good answers since `width` was changed.
    var goodAnswers = 0
    /// In milliseconds since 1970; nil: at once.
    var notBefore: Int64?
    /// The longest pause that was asked for, in milliseconds: a clock that was set back makes none
    /// longer.
    var longest: Int64 = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var throttling: Throttling
  }

  /// Requests at once as long as nothing speaks against it.
  private let most: Int
  private let state: Mutex<State>

  /// - Parameter startsSlowly: the server has asked to wait before: one request at first.
  init(most: Int, startsSlowly: Bool = false) {
    self.most = max(1, most)
    state = Mutex(State(width: startsSlowly ? 1 : max(1, most), throttling: .unknown))
  }

  /// What the answers so far show.
  var throttling: Throttling { state.withLock { $0.throttling } }

  /// Requests at once, at this time.
  var width: Int { state.withLock { $0.width } }

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
      state.underWay += 1
      return true
    }
    if mayGo { return }
    await withCheckedContinuation { continuation in
      let mayGo = state.withLock { state in
        guard state.underWay >= state.width else {
          state.underWay += 1
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
        state.underWay += 1
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
      state.width = max(1, state.width / 2)
      state.goodAnswers = 0
      state.notBefore = max(state.notBefore ?? 0, now + pause)
      state.longest = max(state.longest, pause)
    }
  }

  /// The server answered.
  func wentWell() {
    state.withLock { state in
      guard state.width < most else {
        // The one that was answered is not counted any more.
        if state.underWay + 1 >= most, state.throttling == .unknown { state.throttling = .none }
        return
      }
      state.goodAnswers += 1
      guard state.goodAnswers >= state.width else { return }
      state.width += 1
      state.goodAnswers = 0
    }
  }
}
