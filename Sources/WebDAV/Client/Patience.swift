/// The end of a run, which may move.
///
/// A type of its own: with a bare closure as the optional value of a task-local, optimised code
/// crashed in `swift_task_localValuePush` (Swift 6.3.1, Linux).
package struct RunEnd: Sendable {
  /// Since 1970.
  package let milliseconds: @Sendable () -> Int64

  package init(milliseconds: @escaping @Sendable () -> Int64) { self.milliseconds = milliseconds }
}

/// How long requests may be held back because a server asks for it.
package struct Patience: Sendable {
  /// Waits for some milliseconds; nil: nothing is waited for.
  package var pause: (@Sendable (Int64) async -> Void)?
  /// Spreads requests that were held back together, so that they do not come back together.
  package var chance: @Sendable () -> UInt64 = { 0 }

  package init() {}

  /// What one request waits in all where the run has no deadline: long enough for the limits that
  /// providers set on requests a minute, in milliseconds.
  static let withoutDeadline: Int64 = 60_000

  /// So long at most a limit on requests of any kind is waited for before a calendar is made, in
  /// milliseconds.
  fileprivate static let longestForMaking: Int64 = 30_000

  /// The end of the run, in milliseconds since 1970: no wait goes beyond it. It moves while a
  /// person is asked something.
  @TaskLocal package static var deadline: RunEnd?

  /// Says whether the run is to end: what is under way ends then, and nothing is waited for.
  @TaskLocal package static var shouldStop: (@Sendable () -> Bool)? = nil

  /// Told what servers ask to wait for; nil: nobody wants to know.
  @TaskLocal package static var asked: AskedWaits?

  /// The run is to end.
  package static var isStopped: Bool { shouldStop?() ?? false }

  /// In milliseconds: so late at most a rest notices that the run is to end.
  private static let longestPart: Int64 = 200

  /// Waits for some milliseconds, or until the run is to end.
  package static func rest(
    _ milliseconds: Int64, by pause: @Sendable (Int64) async -> Void
  ) async {
    guard shouldStop != nil else { return await pause(milliseconds) }
    var left = milliseconds
    while left > 0, !isStopped, !Task.isCancelled {
      let part = min(left, longestPart)
      await pause(part)
      left -= part
    }
  }

  /// How often one request is put off, whatever the server says then.
  package static let mostDelays = 5
  /// The pause where the server names none, in milliseconds; it doubles each time.
  package static let firstPause: Int64 = 1000

  /// How long to wait for a server that asks for it, in milliseconds.
  ///
  /// - Parameters:
  ///   - asked: the time that it named; nil where it named none.
  ///   - delays: how often it was waited for before.
  package static func wait(asked: Int64?, after delays: Int) -> Int64 {
    // Who asks again after he was waited for as he asked is believed no more than that.
    let least = delays == 0 ? 0 : firstPause << Int64(delays)
    return max(asked ?? firstPause, least)
  }

  /// Whether a wait is over before the run is.
  ///
  /// - Parameters:
  ///   - waited: what the same request has waited before.
  ///   - jitter: what may come on top, at most.
  package static func isWorthwhile(
    _ wait: Int64, after waited: Int64, at now: Int64, jitter: Int64 = 0
  ) -> Bool {
    if let deadline {
      return wait + jitter
        < deadline.milliseconds().subtractingReportingOverflow(now).partialValue
    }
    return waited + wait <= withoutDeadline
  }

  /// What to do where a server was not waited for.
  package static func hint(_ wait: Int64?) -> String {
    wait.map { "try again in \(inWords($0))" } ?? "try again later"
  }

  /// A time that is to pass, in milliseconds, rounded up: `3 hours`.
  static func inWords(_ milliseconds: Int64) -> String {
    let units: [(name: String, length: Int64)] = [
      ("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1000),
    ]
    // Two of a unit and more are told in it: 90 minutes, 3 hours.
    let unit = units.first { milliseconds >= 2 * $0.length } ?? units[units.count - 1]
    let count = max(1, milliseconds / unit.length + (milliseconds % unit.length > 0 ? 1 : 0))
    return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
  }
}

extension DAVClient {
  /// What may come on top of a pause at random, in milliseconds.
  private static func longestJitter(of wait: Int64) -> Int64 { min(5000, wait / 4) }

  /// Waits until the server may be asked; throws where that is beyond the run's budget, or the run
  /// is to end. What another origin asked for is no reason to wait.
  func awaitTurn(_ attempt: inout Attempt) async throws(DAVError) {
    if attempt.request.isTooLate {
      let place = "\(attempt.request.method) \(access.secrets.shown(attempt.url))"
      throw DAVError(.stopped, "stopped before \(place)", mayHaveActed: false)
    }
    let now = access.now()
    guard
      let rest = pace.rest(of: attempt.url.text, at: now)
        ?? pace.rest(of: attempt.url.origin, at: now)
    else { return }
    let wait = rest.milliseconds
    guard isWorthwhile(wait, attempt) else { throw tryLater(wait, attempt, status: nil) }
    let jitter = UInt64(Self.longestJitter(of: wait))
    let extra = Int64(truncatingIfNeeded: access.patience.chance() % (jitter + 1))
    attempt.waited += wait + extra
    Patience.asked?.begin(wait, of: attempt.url.origin, at: access.now())
    if let pause = access.patience.pause { await Patience.rest(wait + extra, by: pause) }
    guard !Task.isCancelled, !Patience.isStopped else {
      throw DAVError(
        .stopped, "stopped while waiting for \(attempt.url.origin)", mayHaveActed: false)
    }
    pace.finish(rest)
    // A token may run out while it waits: whoever gives them knows, and has a newer one.
    attempt.nextToken = nil
  }

  /// 429 or 503 (RFC 6585 §4, RFC 9110 §15.6.4). With a time to wait 418 is the same in other
  /// words; without one it is an answer, as to a report whose token is not known any more.
  static func asksToWait(_ head: HTTPResponseHead) -> Bool {
    switch head.status {
    case 429, 503: true
    case 418: !head.values(of: "Retry-After").isEmpty
    default: false
    }
  }

  /// After an answer that asks to wait, which says that nothing was done: the same request is sent
  /// again in its time, where that can do no harm, and no other one sooner. Throws otherwise.
  func putOff(
    _ head: HTTPResponseHead, _ departure: Pace.Departure, _ attempt: inout Attempt
  ) throws(DAVError) {
    let now = access.now()
    let asked = RetryAfter.milliseconds(head, now: now)
    // A limit on how many calendars are made says nothing of other requests. A short one may be of
    // requests of any kind (GMX takes one in two seconds): that is waited for once.
    let makes = attempt.request.makesCollection
    let isShort = asked.map { $0 <= Patience.longestForMaking } ?? false
    if makes, head.status != 429 || !isShort || attempt.delays > 0 {
      throw tryLater(asked, attempt, status: head.status)
    }
    let wait = Patience.wait(asked: asked, after: attempt.delays)
    attempt.delays += 1
    Patience.asked?.note(status: head.status, of: attempt.url.origin, asking: asked)
    let waiting = attempt.request.waiting
    let isWaitedFor =
      (attempt.request.maySendAgain || makes) && attempt.delays <= waiting.mostDelays
      && isWorthwhile(wait, attempt)
    if !isWaitedFor, waiting == .besideOthers, head.status == 503 {
      pace.pause(for: wait, from: now, at: attempt.url.text)
    } else {
      let header = asked == nil ? "without" : "with"
      pace.slowDown(
        for: wait, from: now, at: attempt.url.origin, departure,
        because: "\(head.status) \(header) Retry-After")
    }
    guard isWaitedFor else {
      var error = tryLater(asked, attempt, status: head.status)
      error.isAskedAgain = attempt.delays > 1
      throw error
    }
    // Who is told to wait was let in, so a token that is refused after it may be renewed as well. A
    // password is not shown again: it does not run out.
    if access.tokens != nil { attempt.challenges = 0 }
  }

  /// After a connection that was refused while others were open, or a lock (423, RFC 4918 §11.3)
  /// while other requests of ours were under way: the server may take fewer at once. Gives false
  /// where that was tried often enough.
  ///
  /// - Parameter answer: what it met.
  func putOff(
    crowded attempt: inout Attempt, _ departure: Pace.Departure,
    by answer: String = "423 beside other requests"
  ) -> Bool {
    guard attempt.delays < Patience.mostDelays, isWorthwhile(Patience.firstPause, attempt)
    else { return false }
    attempt.delays += 1
    pace.slowDown(
      for: Patience.firstPause, from: access.now(), at: attempt.url.origin, departure,
      because: answer, isClear: false)
    return true
  }

  /// After a connection that ended on a request more than once, each time with others: they wait as
  /// well. Gives false where that was tried often enough.
  func putOff(ended attempt: Attempt) -> Bool {
    let wait = Patience.firstPause << Int64(attempt.interruptions - 2)
    guard attempt.interruptions <= Patience.mostDelays, isWorthwhile(wait, attempt) else {
      return false
    }
    pace.pause(for: wait, from: access.now(), at: attempt.url.origin)
    return true
  }

  private func isWorthwhile(_ wait: Int64, _ attempt: Attempt) -> Bool {
    if let longest = attempt.request.waiting.longest, attempt.waited + wait > longest {
      return false
    }
    return access.patience.pause != nil
      && Patience.isWorthwhile(
        wait, after: attempt.waited, at: access.now(), jitter: Self.longestJitter(of: wait))
  }

  private func tryLater(_ wait: Int64?, _ attempt: Attempt, status: Int?) -> DAVError {
    let place = access.secrets.shown(attempt.url)
    return DAVError(
      .tryLater(wait),
      status.map { "the server asks to wait (status \($0) of \(place))" }
        ?? "the server asked to wait, so \(place) is not asked yet",
      hint: Patience.hint(wait), mayHaveActed: false)
  }
}

extension DAVRequest {
  /// How long a request is put off where a server asks to wait.
  package enum Waiting: Sendable, Hashable {
    /// As long as the run goes on.
    case untilEnd
    /// No longer than in a run without a deadline: others wait behind it.
    case briefly
    /// The same, and it is sent again less often: its server answers others that are like it, so a
    /// 503 that stays is about its address alone.
    case besideOthers
    /// For a moment alone, and it is not sent again: others are asked meanwhile.
    case notNow

    /// How often it is put off.
    var mostDelays: Int {
      switch self {
      case .untilEnd, .briefly: Patience.mostDelays
      case .besideOthers: 2
      case .notNow: 0
      }
    }

    /// What it waits in all, in milliseconds; nil: whatever the run has.
    var longest: Int64? {
      switch self {
      case .untilEnd: nil
      case .briefly, .besideOthers: Patience.withoutDeadline
      // What is waited for where the server names no time.
      case .notNow: 2 * Patience.firstPause
      }
    }
  }

  /// It was not sent before the run had to end.
  var isTooLate: Bool { endsAtStop && Patience.isStopped }

  /// Sent twice, it does what it does once: reads, what sets a value, writes whose guard fails the
  /// second time, and moves that write over nothing (RFC 4918 §9.9.3): the second one finds nothing
  /// to be moved, or something in its way.
  var maySendAgain: Bool {
    let guards: Set<String> = ["if-match", "if-none-match", "if-schedule-tag-match"]
    switch method {
    case "PROPPATCH": return true
    case "PUT", "DELETE": return headers.contains { guards.contains($0.name.lowercased()) }
    case "MOVE":
      return headers.contains {
        $0.name.lowercased() == "overwrite" && $0.value.elementsEqual("F".utf8)
      }
    default: return isRead
    }
  }
}
