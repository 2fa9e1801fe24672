import Foundation
import Glibc
import TestSupport

/// Runs the program on a terminal, with a person who answers its questions.
extension CommandLine {
  struct NoTerminal: Error { let code: Int32 }

  /// Runs it to the end; each answer is typed once what stands before it was shown.
  ///
  /// - Parameter signal: sent in the place of an answer to the question after the last one.
  /// - Returns: the status, and all that the terminal showed, echoes included.
  func onTerminal(
    _ arguments: [String], answers: [(question: String, answer: String)] = [],
    signal: (question: String, number: Int32)? = nil, closingAt closing: String? = nil,
    environment: [String: String] = [:]
  ) async throws -> (status: Int32, screen: String) {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // unlockpt and ptsname are not in Swift's Glibc: what they ask the kernel is.
    let (unlock, giveNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    var (locked, number): (Int32, Int32) = (0, 0)
    guard terminal >= 0, ioctl(terminal, unlock, &locked) == 0,
      ioctl(terminal, giveNumber, &number) == 0
    else { throw NoTerminal(code: errno) }
    defer { close(terminal) }
    let path = "/dev/pts/\(number)"
    let slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw NoTerminal(code: errno) }
    let variables = [
      "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm",
    ].merging(environment) { $1 }
    let started = Result { () throws(ChildProcess.Failure) in
      try ChildProcess(
        [Checkout.calgw] + arguments, environment: variables, directory: home, input: slave,
        output: slave, errors: slave)
    }
    close(slave)
    let process = try started.get()
    var exchanges = answers.map { exchange in
      Exchange(question: exchange.question) { Self.enter(exchange.answer, on: terminal) }
    }
    if let signal {
      exchanges.append(Exchange(question: signal.question) { process.send(signal.number) })
    }
    if let closing { exchanges.append(Exchange(question: closing) { Self.hangUp(terminal) }) }
    let conversation = exchanges
    let screen = await onOwnThread { Self.converse(terminal, conversation) }
    // Whoever still waits for an answer gets none any more.
    if screen.isStuck { process.send(SIGTERM) }
    let status = await onOwnThread { process.wait() }
    return (status, String(decoding: screen.bytes, as: UTF8.self))
  }

  /// What a person does once something was shown.
  private struct Exchange: Sendable {
    let question: String
    let answer: @Sendable () -> Void
  }

  /// The answer of a person who ends the input instead (Ctrl-D), or what such an answer ends with.
  static let endOfInput = "\u{4}"

  private static func enter(_ answer: String, on terminal: Int32) {
    let line = Array((answer.hasSuffix(endOfInput) ? answer : answer + "\n").utf8)
    _ = Glibc.write(terminal, line, line.count)
  }

  /// Closes a terminal, whose number leads nowhere from then on. No signal comes with that, since
  /// the program was started without a session of its own.
  private static func hangUp(_ terminal: Int32) {
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(nowhere, terminal)
    close(nowhere)
  }

  /// Reads until the program has let go of the terminal, and answers on the way.
  private static func converse(
    _ terminal: Int32, _ exchanges: [Exchange]
  ) -> (bytes: [UInt8], isStuck: Bool) {
    /// A program that shows nothing for so long waits for something that nobody gives.
    let patience: Int32 = 30_000
    var bytes: [UInt8] = []
    var seen = 0
    var open = exchanges[...]
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, patience) > 0 else { return (bytes, true) }
      let count = read(terminal, &buffer, buffer.count)
      // EIO: nobody holds the other end any more.
      guard count > 0 else { return (bytes, false) }
      bytes += buffer[..<count]
      while let next = open.first,
        let place = Data(bytes[seen...]).range(of: Data(next.question.utf8))
      {
        seen += place.upperBound
        next.answer()
        open = open.dropFirst()
      }
    }
  }
}
