import CLinux
import Glibc
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into a flag that the engine asks between batches; a second
/// signal ends the process at once.
///
/// The handler writes the signal's number into a pipe and nothing else; a thread reads it. (To
/// block the signals and wait for them is no way here: the main thread of a Swift program sleeps
/// with every signal open.)
public final class StopSignals: Sendable {
  /// 0: none came yet.
  private let received = Atomic<Int32>(0)
  /// Set while a person is asked something: a signal then ends the process at once, after this.
  private let farewell = Mutex<(@Sendable (StopReason) -> Void)?>(nil)
  private let questions = Mutex(Questions())
  /// Measures how long questions stand.
  let now: @Sendable () -> ContinuousClock.Instant

  private struct Questions {
    /// What was answered took so long.
    var past = Swift.Duration.zero
    /// Since when a question stands.
    var since: ContinuousClock.Instant?
  }

  /// How long a person was asked something, up to now.
  package var timeAsked: Swift.Duration {
    questions.withLock { questions in
      questions.past + (questions.since.map { $0.duration(to: now()) } ?? .zero)
    }
  }

  /// Takes the signals over and starts the thread; once a process. A SIGHUP that is ignored (nohup)
  /// stays ignored. Writing to a closed pipe is an error from now on and no signal.
  public init() {
    now = { .now }
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { return }
    // A handler must never wait, however many signals come.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe = ends[1]
    guard startThread(reading: ends[0]) else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !Self.isIgnored(SIGHUP) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { noteSignal($0) }
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Takes nothing over: as if the process had been told this.
  ///
  /// - Parameter now: what questions and the run's time are measured by.
  package init(
    told reason: StopReason?, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.now = now
    received.store(reason?.rawValue ?? 0, ordering: .relaxed)
  }

  /// What the process was told; nil as long as it was told nothing.
  public var reason: StopReason? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : StopReason(rawValue: number)
  }

  /// Does something that waits for a person; a signal meanwhile ends the process, after `farewell`
  /// has put the terminal in order, and said why. Gives nil at once where the process was told to
  /// stop before: nobody is asked any more.
  public func asking<Answer>(
    farewell: @escaping @Sendable (StopReason) -> Void = { _ in }, _ ask: () -> Answer?
  ) -> Answer? {
    let mayAsk = self.farewell.withLock { current in
      guard reason == nil else { return false }
      current = farewell
      return true
    }
    guard mayAsk else { return nil }
    defer { self.farewell.withLock { $0 = nil } }
    questions.withLock { $0.since = now() }
    let answer = ask()
    let asked = timeAsked
    questions.withLock { $0 = Questions(past: asked) }
    // The input of a terminal that is closed ends before its signal is here, if one comes at all.
    if answer == nil, Self.isHungUp(STDIN_FILENO), !Self.isIgnored(SIGHUP) {
      farewell(.hungUp)
      _exit(128 + SIGHUP)
    }
    return answer
  }

  /// Does something that waits for input for as long as somebody else likes; a signal meanwhile
  /// ends the process at once. Fails where the process was told to stop before.
  func waiting<Value>(at place: String, _ read: () -> Value) throws(RunFailure) -> Value {
    guard let value = asking({ read() }) else {
      throw .stopped(reason ?? .interrupted, place: place)
    }
    return value
  }

  /// It was a terminal, and nobody holds the other end any more.
  private static func isHungUp(_ file: Int32) -> Bool { isatty(file) == 0 && errno == EIO }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private func startThread(reading pipe: Int32) -> Bool {
    final class Start: Sendable {
      let signals: StopSignals
      let pipe: Int32
      init(signals: StopSignals, pipe: Int32) {
        self.signals = signals
        self.pipe = pipe
      }
    }
    let start = Unmanaged.passRetained(Start(signals: self, pipe: pipe))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        start.signals.take(from: start.pipe)
        return nil
      }, start.toOpaque())
    if code == 0 { pthread_detach(thread) } else { start.release() }
    return code == 0
  }

  private func take(from pipe: Int32) {
    while true {
      var number: UInt8 = 0
      let count = read(pipe, &number, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return }
      // Under the lock, so that a question begins either before the signal or not at all.
      let isFirst = farewell.withLock { farewell in
        if let farewell {
          farewell(StopReason(rawValue: Int32(number)) ?? .terminated)
          return false
        }
        return received.compareExchange(
          expected: 0, desired: Int32(number), ordering: .relaxed
        ).exchanged
      }
      if !isFirst { _exit(128 + Int32(number)) }
    }
  }
}

/// The end of the pipe that the handler writes to. Set once, before any handler is.
nonisolated(unsafe) private var signalPipe: Int32 = -1

/// The signal handler: only what is safe in one.
private func noteSignal(_ number: Int32) {
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe, &byte, 1)
  errno = before
}
