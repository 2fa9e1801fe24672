import Foundation
import Glibc
import TestSupport

/// Runs the program on a terminal, with a person who answers its questions.
extension CommandLine {
  struct NoTerminal: Error { let code: Int32 }

  /// Runs it to the end; each answer is typed once what stands before it was shown.
  ///
  /// - Returns: the status, and all that the terminal showed, echoes included.
  func onTerminal(
    _ arguments: [String], answers: [(question: String, answer: String)] = [],
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
    let process = Process()
    process.executableURL = URL(filePath: Checkout.calgw)
    process.arguments = arguments
    process.environment = [
      "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm",
    ].merging(environment) { $1 }
    process.currentDirectoryURL = URL(filePath: home)
    let slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw NoTerminal(code: errno) }
    let handle = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    do { try process.run() } catch {
      close(slave)
      throw error
    }
    close(slave)
    let screen = await onOwnThread { Self.converse(terminal, answers) }
    // Whoever still waits for an answer gets none any more.
    if process.isRunning, screen.isStuck { process.terminate() }
    await onOwnThread { process.waitUntilExit() }
    let status = process.terminationStatus
    return (
      process.terminationReason == .uncaughtSignal ? 128 + status : status,
      String(decoding: screen.bytes, as: UTF8.self)
    )
  }

  /// Reads until the program has let go of the terminal, and answers on the way.
  private static func converse(
    _ terminal: Int32, _ answers: [(question: String, answer: String)]
  ) -> (bytes: [UInt8], isStuck: Bool) {
    /// A program that shows nothing for so long waits for something that nobody gives.
    let patience: Int32 = 30_000
    var bytes: [UInt8] = []
    var seen = 0
    var open = answers[...]
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
        let line = Array((next.answer + "\n").utf8)
        _ = Glibc.write(terminal, line, line.count)
        open = open.dropFirst()
      }
    }
  }
}
