import Glibc
import Synchronization

/// A program that a test starts, with its input and output in our hands.
final class Program: Sendable {
  /// What the program reads; closed when the object goes.
  private let input: Int32
  private let output: Int32
  private let process: pid_t
  private let hasEnded = Mutex(false)

  /// Looks the program up in the path.
  init(_ arguments: [String]) throws(LoopbackError) {
    let (toProgram, fromProgram) = (try Pipe(), try Pipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toProgram.reading, 0)
    posix_spawn_file_actions_adddup2(&actions, fromProgram.writing, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawnp(&process, arguments[0], &actions, nil, words, environ)
    close(toProgram.reading)
    close(fromProgram.writing)
    input = toProgram.writing
    output = fromProgram.reading
    self.process = process
    guard code == 0 else {
      hasEnded.withLock { $0 = true }
      throw LoopbackError(text: "\(arguments[0]): \(String(cString: strerror(code)))")
    }
  }

  deinit {
    stop()
    close(input)
    close(output)
  }

  /// Waits for the program's end and gives its exit status.
  func wait() -> Int32 {
    var status: Int32 = 0
    hasEnded.withLock { hasEnded in
      while !hasEnded && waitpid(process, &status, 0) < 0 && errno == EINTR {}
      hasEnded = true
    }
    return status
  }

  func stop() {
    if hasEnded.withLock({ $0 }) { return }
    kill(process, SIGKILL)
    _ = wait()
  }

  /// Gives the program something to read.
  func write(_ bytes: [UInt8]) { _ = Glibc.write(input, bytes, bytes.count) }

  /// The next line the program prints, without its end; nil at the end of the output, or if there
  /// is none for 20 seconds.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while waitFor([(output, POLLIN)], milliseconds: 20_000) != nil, read(output, &byte, 1) == 1 {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
