private import Synchronization

/// Whether a server let requests go as they came.
package enum Throttling: Sendable, Hashable {
  /// Nothing shows it: there never were as many at once as there may be.
  case unknown
  /// As many at once as there may be were answered.
  case none
  /// It asked to wait (`429 with Retry-After`), or refused some of several time and again (423).
  case asked(String)
  /// It answers one at a time alone, as this showed.
  case alone(String)
}

/// How many requests are on their way to one account's server at once, and from when on.
///
/// A server that asks to wait, or refuses or ends a connection or says 423 while it has others of
/// ours, gets half as many from then on, and none before the time that it named, for which those to
/// other origins of the account do not wait; one that is silent
/// to several, or ends the sign-in of one by another's (Digest), gets one at a time. What ends
/// together is one end. As many good answers in a row as there may be requests at once, while at
/// least half of them are used, let one more go; after each end it takes twice as many answers as
/// before, after each complaint four times as many, since some servers never take more than one.
///
/// Over HTTP/1 each request has a connection of its own, so there are as many at once as there may
/// be connections. Over HTTP/2 one connection carries all, so there may be more, up to
/// `mostStreams`; but after a complaint never more again than that left, and not to a server that
/// complained in an earlier run. One at a time stays one at a time.
package final class Pace: Sendable {
  /// Requests at once over HTTP/2. Servers are to allow 100 (RFC 9113 §5.1.2), but those that hand
  /// requests on to a program behind them let them queue there: with 16, each may take two seconds
  /// before the last one has waited as long as a silent server is waited for.
  static let mostStreams = 16

  /// What an origin asked for, or one address.
  private struct Pause {
    /// In milliseconds since 1970.
    var end: Int64 = 0
    /// The longest pause that was asked for, in milliseconds: a clock that was set back makes none
    /// longer.
    var longest: Int64 = 0
  }

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
    /// How often `width` was narrowed.
    var narrowings = 0
    /// Those that had no answer in time while others were under way, since `width` was narrowed.
    var silences = 0
    /// So many times `width` good answers let one more go.
    var caution = 1
    /// There was a good answer since the server last complained or ended a request.
    var hasGoneWell = true
    /// By origins, and by addresses to which alone it applies; others are asked at once.
    var pauses: [String: Pause] = [:]
    var waiting: [CheckedContinuation<Departure, Never>] = []
    var throttling: Throttling

    mutating func letOneGo() -> Departure {
      underWay += 1
      peak = max(peak, underWay)
      return Departure(narrowings: narrowings)
    }

    mutating func rest(for pause: Int64, from now: Int64, at origin: String) {
      let former = pauses[origin] ?? Pause()
      pauses[origin] = Pause(
        end: max(former.end, now + pause), longest: max(former.longest, pause))
    }

    /// Half as many at once, but one.
    mutating func narrow(most: Int) {
      width = max(1, width / 2)
      narrowings += 1
      mostMultiplexed = min(mostMultiplexed, max(most, width))
      goodAnswers = 0
    }

    /// More at once are tried more rarely from now on. What comes together is one reason for it.
    mutating func growCautious(by factor: Int) {
      if hasGoneWell { caution = min(Pace.mostCaution, factor * caution) }
      hasGoneWell = false
    }

    /// One at a time, and for long.
    mutating func goAlone(most: Int, because answer: String) {
      while width > 1 { narrow(most: most) }
      silences = 0
      caution = Pace.mostCaution
      hasGoneWell = false
      throttling = .alone(answer)
    }
  }

  /// How a run begins.
  package enum Beginning: Sendable, Hashable {
    /// As many at once as there may be.
    case full
    /// The server has asked to wait before: one request at first, and for some time.
    case slow
    /// It answered one at a time alone: one, and for long.
    case alone

    fileprivate var caution: Int {
      switch self {
      case .full: 1
      case .slow: Pace.earlierCaution
      case .alone: Pace.mostCaution
      }
    }
  }

  /// Requests at once over HTTP/1 as long as nothing speaks against it.
  private let most: Int
  private let state: Mutex<State>

  package init(most: Int, beginning: Beginning = .full) {
    let most = max(1, most)
    self.most = most
    let isFull = beginning == .full
    state = Mutex(
      State(
        width: isFull ? most : 1,
        mostMultiplexed: isFull && most > 1 ? max(most, Self.mostStreams) : most,
        caution: beginning.caution, throttling: .unknown))
  }

  /// What the answers so far show.
  package var throttling: Throttling { state.withLock { $0.throttling } }

  /// Requests at once, at this time.
  package var width: Int { state.withLock { $0.width } }

  /// The most requests that were on their way at once.
  package var peak: Int { state.withLock { $0.peak } }

  /// A pause that an origin asked for: what is left of it in milliseconds, and until when.
  struct Rest {
    let origin: String
    let milliseconds: Int64
    let end: Int64
  }

  /// Nil where requests to an origin may go at once, or those to one address.
  func rest(of origin: String, at now: Int64) -> Rest? {
    state.withLock { state in
      guard let pause = state.pauses[origin], pause.end > now else { return nil }
      return Rest(
        origin: origin, milliseconds: min(pause.longest, pause.end - now), end: pause.end)
    }
  }

  /// This one was waited for; another may have been asked for meanwhile.
  func finish(_ rest: Rest) {
    state.withLock { state in
      if state.pauses[rest.origin]?.end == rest.end { state.pauses[rest.origin] = nil }
    }
  }

  /// When a request went: what several of one time meet is one event.
  package struct Departure: Sendable {
    /// How often there had been fewer at once by then.
    fileprivate let narrowings: Int
  }

  /// Waits until one more request may be on its way; `leave` must follow.
  package func enter() async -> Departure {
    let departure = state.withLock { state -> Departure? in
      state.underWay < state.width ? state.letOneGo() : nil
    }
    if let departure { return departure }
    return await withCheckedContinuation { continuation in
      let departure = state.withLock { state -> Departure? in
        guard state.underWay >= state.width else { return state.letOneGo() }
        state.waiting.append(continuation)
        return nil
      }
      if let departure { continuation.resume(returning: departure) }
    }
  }

  /// Lets go of what `enter` gave. Says whether others were on their way meanwhile: of several that
  /// end together the last one had company as well.
  package func leave(_ departure: Departure) -> Bool {
    typealias Next = (CheckedContinuation<Departure, Never>, Departure)
    let (hadCompany, next) = state.withLock { state -> (Bool, [Next]) in
      state.underWay -= 1
      let hadCompany = state.underWay > 0 || state.narrowings > departure.narrowings
      var next: [Next] = []
      while state.underWay < state.width, !state.waiting.isEmpty {
        next.append((state.waiting.removeFirst(), state.letOneGo()))
      }
      return (hadCompany, next)
    }
    for (continuation, departure) in next { continuation.resume(returning: departure) }
    return hadCompany
  }

  /// An origin has too much to do: fewer at once, and none to it for so many milliseconds.
  ///
  /// - Parameters:
  ///   - departure: of the request that showed it: of several that went together the first one
  ///     alone is a reason for more caution.
  ///   - answer: what showed it, as `429 with Retry-After`.
  ///   - isClear: it says so itself. What may be chance, as a lock, has to come again and again.
  package func slowDown(
    for pause: Int64, from now: Int64, at origin: String, _ departure: Departure? = nil,
    because answer: String, isClear: Bool = true
  ) {
    state.withLock { state in
      let isNews = departure.map { $0.narrowings == state.narrowings } ?? true
      state.narrow(most: most)
      if isNews { state.growCautious(by: Self.growthByComplaint) }
      let isUntold = [Throttling.unknown, .none].contains(state.throttling)
      if isClear || isUntold && state.caution == Self.mostCaution {
        state.throttling = .asked(answer)
      }
      state.rest(for: pause, from: now, at: origin)
    }
  }

  /// The most that `caution` grows to, so that a server which has recovered is found to have.
  fileprivate static let mostCaution = 64
  /// Of a server that complained in an earlier run.
  fileprivate static let earlierCaution = 16
  /// After a complaint: each holds all requests back for a second and more.
  private static let growthByComplaint = 4
  /// After an end, which holds back nothing.
  private static let growthByEnd = 2

  /// The server ended a request without an answer while it had others of ours: fewer at once, but
  /// once only for what went before that. What became of a write that met such an end has to be
  /// looked for, so more at once are tried more rarely each time.
  package func backOff(_ departure: Departure) {
    state.withLock { state in
      guard departure.narrowings == state.narrowings else { return }
      state.narrow(most: most)
      state.growCautious(by: Self.growthByEnd)
    }
  }

  /// So many that were under way together and had no answer in time are no chance.
  private static let fewestSilences = 2

  /// The server did not answer in time while it had others of ours. Where it was silent to several,
  /// they go one at a time from then on, and at the beginning of the next run.
  package func noteSilence(_ departure: Departure) {
    state.withLock { state in
      guard departure.narrowings == state.narrowings else { return }
      state.silences += 1
      guard state.silences >= Self.fewestSilences else { return }
      state.goAlone(most: most, because: "silence to several at once")
    }
  }

  /// What the server gives to one request takes it from another: they go one at a time from then
  /// on, and at the beginning of the next run.
  func goAlone(because answer: String) {
    state.withLock { $0.goAlone(most: most, because: answer) }
  }

  /// None goes to an origin, or to one address, for so many milliseconds.
  func pause(for milliseconds: Int64, from now: Int64, at origin: String) {
    state.withLock { $0.rest(for: milliseconds, from: now, at: origin) }
  }

  /// The server answered.
  ///
  /// - Parameter isMultiplexed: over HTTP/2.
  package func wentWell(isMultiplexed: Bool) {
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
