import Glibc
import Synchronization
import TestSupport
import Testing
import VdirStorage

/// Calls of the system that do a part of the work, or that a signal ends before they did any: a
/// pipe does both, where a file does so on some file systems alone (C2.7 to C2.9).
@Suite(.serialized) struct InterruptedCallsTests {
  private static let text = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
  private static let signal = SIGUSR2

  init() {
    // Without SA_RESTART, a call that the signal meets ends.
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      interruptions.wrappingAdd(1, ordering: .relaxed)
    }
    _ = sigaction(Self.signal, &action, nil)
  }

  /// Threads of tests are started with all signals blocked.
  private static func letSignalsThrough() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private func pipe() throws -> (reading: Descriptor, writing: Descriptor) {
    var ends: [Int32] = [-1, -1]
    try #require(Glibc.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (Descriptor(number: ends[0]), Descriptor(number: ends[1]))
  }

  @Test func `a write goes on where it was`() async throws {
    let ends = try pipe()
    let before = interruptions.load(ordering: .relaxed)
    let received = await onOwnThread {
      let writer = startThread {
        Self.letSignalsThrough()
        try? LinuxFileSystem().write(Self.text, to: ends.writing)
        close(ends.writing.number)
      }
      var received: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 3000)
      while true {
        pthread_kill(writer, Self.signal)
        let count = Glibc.read(ends.reading.number, &piece, piece.count)
        if count <= 0 { break }
        received += piece.prefix(count)
      }
      pthread_join(writer, nil)
      close(ends.reading.number)
      return received
    }
    #expect(received == Self.text)
    #expect(interruptions.load(ordering: .relaxed) > before)
  }

  @Test func `a read goes on to the end`() async throws {
    let ends = try pipe()
    let before = interruptions.load(ordering: .relaxed)
    let received = Mutex<[UInt8]>([])
    await onOwnThread {
      let reader = startThread {
        Self.letSignalsThrough()
        let text = try? LinuxFileSystem().contents(
          of: ends.reading, expecting: 5000, limit: Self.text.count)
        received.withLock { $0 = text ?? [] }
        // Who gave up leaves nobody waiting.
        var piece = [UInt8](repeating: 0, count: 3000)
        while Glibc.read(ends.reading.number, &piece, piece.count) != 0 {}
      }
      var rest = Self.text[...]
      while !rest.isEmpty {
        pthread_kill(reader, Self.signal)
        let count = rest.prefix(3000).withUnsafeBytes {
          Glibc.write(ends.writing.number, $0.baseAddress, $0.count)
        }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      close(ends.writing.number)
      pthread_join(reader, nil)
      close(ends.reading.number)
    }
    #expect(received.withLock { $0 } == Self.text)
    #expect(interruptions.load(ordering: .relaxed) > before)
  }
}

private let interruptions = Atomic<Int>(0)
