import Glibc
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into a flag that the engine asks between batches; a second
/// signal ends the process at once.
///
/// The signals are blocked in every thread and taken by one of their own, so no code runs in a
/// signal handler.
public final class StopSignals: Sendable {
  /// 0: none came yet.
  private let received = Atomic<Int32>(0)
  /// Set while a person is asked something: a signal then ends the process at once, after this.
  private let farewell = Mutex<(@Sendable () -> Void)?>(nil)

  /// Blocks the signals and starts the thread. To be made before any other thread, since threads
  /// inherit what is blocked; a SIGHUP that is ignored (nohup) stays ignored. Writing to a closed
  /// pipe is an error from now on and no signal.
  public init() {
    signal(SIGPIPE, SIG_IGN)
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGINT, SIGTERM] { sigaddset(&set, number) }
    if !Self.isIgnored(SIGHUP) { sigaddset(&set, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    startThread(waitingFor: set)
  }

  /// What the process was told; nil as long as it was told nothing.
  public var reason: StopReason? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : StopReason(rawValue: number)
  }

  /// Does something that waits for a person; a signal meanwhile ends the process, after `farewell`
  /// has put the terminal in order.
  public func asking<Answer>(
    farewell: @escaping @Sendable () -> Void = {}, _ ask: () -> Answer
  ) -> Answer {
    self.farewell.withLock { $0 = farewell }
    defer { self.farewell.withLock { $0 = nil } }
    return ask()
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private func startThread(waitingFor set: sigset_t) {
    final class Start: Sendable {
      let signals: StopSignals
      let set: sigset_t
      init(signals: StopSignals, set: sigset_t) {
        self.signals = signals
        self.set = set
      }
    }
    let start = Unmanaged.passRetained(Start(signals: self, set: set))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        start.signals.take(start.set)
        return nil
      }, start.toOpaque())
    if code == 0 { pthread_detach(thread) } else { start.release() }
  }

  private func take(_ set: sigset_t) {
    var set = set
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      let isFirst = received.compareExchange(
        expected: 0, desired: number, ordering: .relaxed
      ).exchanged
      if let farewell = farewell.withLock({ $0 }) {
        farewell()
        _exit(128 + number)
      }
      if !isFirst { _exit(128 + number) }
    }
  }
}
