import CCurl
import Glibc
import Synchronization
import WebDAV

/// The thread of an event loop, from its start to its end.
final class LoopThread: Sendable {
  let mailbox: Mailbox
  private let thread: pthread_t
  private let hasEnded = Mutex(false)

  init(
    options: CurlTransport.Options, trust: TrustStore?, traffic: TrafficCount,
    shown: ShownCertificates, note: @escaping @Sendable (String) -> Void
  ) throws(TransportError) {
    guard Self.library == CURLE_OK, let multi = curl_multi_init() else {
      throw .unprepared("libcurl cannot be started")
    }
    mailbox = Mailbox(waking: multi)
    let parts = LoopParts(
      multi: multi, mailbox: mailbox, options: options, trust: trust, traffic: traffic,
      shown: shown, note: note)
    let context = Unmanaged.passRetained(parts)
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, Self.body, context.toOpaque())
    guard code == 0 else {
      context.release()
      curl_multi_cleanup(multi)
      throw .unprepared("no thread can be started: \(String(cString: strerror(code)))")
    }
    self.thread = thread
  }

  /// Ends what runs and waits for the thread; a sink, which runs on that thread, only tells it.
  func end() {
    mailbox.stop()
    if pthread_equal(thread, pthread_self()) != 0 { return }
    hasEnded.withLock { hasEnded in
      if !hasEnded { pthread_join(thread, nil) }
      hasEnded = true
    }
  }

  deinit {
    mailbox.stop()
    if hasEnded.withLock({ $0 }) { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      pthread_join(thread, nil)
    }
  }

  /// Once a process; libcurl makes this safe for several threads.
  private static let library = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  private static let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    guard let context = $0 else { return nil }
    let parts = Unmanaged<LoopParts>.fromOpaque(context).takeRetainedValue()
    blockSignals()
    EventLoop(parts).run()
    return nil
  }

  /// Signals go to the program's own threads, and a write to a closed connection is an error and
  /// not the end of the program. A crash of this thread still has to be seen.
  private static func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    for crash in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] {
      sigdelset(&signals, crash)
    }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}

/// What the thread is given at its start. Unchecked: it is handed over once, and `multi` is the
/// thread's own from then on.
final class LoopParts: @unchecked Sendable {
  let multi: UnsafeMutableRawPointer
  let mailbox: Mailbox
  let options: CurlTransport.Options
  let trust: TrustStore?
  let traffic: TrafficCount
  let shown: ShownCertificates
  let note: @Sendable (String) -> Void

  init(
    multi: UnsafeMutableRawPointer, mailbox: Mailbox, options: CurlTransport.Options,
    trust: TrustStore?, traffic: TrafficCount, shown: ShownCertificates,
    note: @escaping @Sendable (String) -> Void
  ) {
    self.multi = multi
    self.mailbox = mailbox
    self.options = options
    self.trust = trust
    self.traffic = traffic
    self.shown = shown
    self.note = note
  }
}

/// Sums up what went over the wire.
final class TrafficCount: Sendable {
  private let sum = Mutex(HTTPTraffic())

  var value: HTTPTraffic { sum.withLock { $0 } }

  func add(requests: Int, bytesIn: Int64, bytesOut: Int64) {
    sum.withLock { sum in
      sum.requests &+= requests
      sum.bytesIn &+= bytesIn
      sum.bytesOut &+= bytesOut
    }
  }
}

/// Stands still while the machine sleeps, so that waking up ends no exchange by itself.
func monotonicNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}
