public import Glibc
import Synchronization

/// A program that a test starts, with its streams where the test wants them.
///
/// Stands in for Foundation's `Process`, whose `run` reads beyond its memory where a process with
/// hundreds of open files starts several at once, as a test run does.
public final class ChildProcess: Sendable {
  public struct Failure: Error {
    public let program: String
    public let code: Int32
  }

  /// More than a test run has open at a time.
  private static let mostDescriptors: Int32 = 2048

  public let pid: pid_t
  private let result = Mutex<Int32?>(nil)

  /// Starts the program at the absolute path `arguments[0]`. Streams are descriptors, which stay
  /// the caller's; nil is `/dev/null`.
  public init(
    _ arguments: [String], environment: [String: String], directory: String? = nil,
    input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil
  ) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [input, output, errors].enumerated() {
      if let stream {
        posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    // Foundation opens files for children, too: one that another test is just writing would stay
    // open in this one, and calgw leaves alone what somebody has open for writing. Until it has
    // closed them it has them all the same (`whileNoneStarts`).
    for number in 3..<Self.mostDescriptors { posix_spawn_file_actions_addclose(&actions, number) }
    // Swift's Glibc has no posix_spawn_file_actions_addchdir_np.
    let change = directory.map { ["/usr/bin/env", "-C", $0] } ?? []
    let command = change + arguments
    var words = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var child = pid_t()
    // Gives back once the program runs.
    let code = Self.whileNoneStarts {
      posix_spawn(&child, command[0], &actions, nil, &words, &variables)
    }
    guard code == 0 else { throw Failure(program: arguments[0], code: code) }
    pid = child
  }

  private static let starting = Mutex(())

  /// Does what no program may see half of that is started meanwhile, as to write a file: between
  /// its birth and its first instruction a child has open whatever its parent had.
  public static func whileNoneStarts<Result>(_ body: () throws -> Result) rethrows -> Result {
    try starting.withLock { _ in try body() }
  }

  /// Nothing once it has been waited for: the number may be another process's by then.
  public func send(_ signal: Int32) {
    result.withLock { if $0 == nil { kill(pid, signal) } }
  }

  /// Reads all that it prints to the streams, and waits for its end: what else may still hold a
  /// stream is not waited for. Blocks.
  ///
  /// - Parameter killedAfter: Milliseconds after which it is killed.
  public func finish(
    _ streams: [ProgramStream], killedAfter: Int32? = nil
  ) -> (status: Int32, texts: [[UInt8]]) {
    var killing = killedAfter.map { ContinuousClock.now + .milliseconds($0) }
    var texts = [[UInt8]](repeating: [], count: streams.count)
    var open = Set(streams.indices)
    var hasEnded = false
    while !open.isEmpty {
      let indices = open.sorted()
      var waiting = indices.map {
        pollfd(fd: streams[$0].reading, events: Int16(POLLIN), revents: 0)
      }
      if let moment = killing, moment <= .now {
        send(SIGKILL)
        killing = nil
      }
      let left = killing.map { Int32(ContinuousClock.now.duration(to: $0) / .milliseconds(1)) }
      let patience = min(Self.interval, max(1, left ?? Self.interval))
      let ready = poll(&waiting, nfds_t(waiting.count), hasEnded ? 0 : patience)
      if ready <= 0, hasEnded { break }
      for (index, place) in zip(indices, waiting) where place.revents != 0 {
        let some = streams[index].readSome()
        if some.isEmpty { open.remove(index) } else { texts[index] += some }
      }
      var info = siginfo_t()
      hasEnded =
        waitid(P_PID, UInt32(pid), &info, WEXITED | WNOWAIT | WNOHANG) == 0
        && info.si_signo == SIGCHLD
    }
    return (wait(), texts)
  }

  /// How long nothing is printed before its end is looked for, in milliseconds.
  private static let interval: Int32 = 50

  /// Waits for its end and gives its exit status: 128 + the signal where one ended it. Blocks.
  public func wait() -> Int32 {
    // Not under the lock: a signal may be what ends it.
    var info = siginfo_t()
    while waitid(P_PID, UInt32(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return result.withLock { known in
      if let known { return known }
      var status: Int32 = 0
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7f
      let value = signal == 0 ? (status >> 8) & 0xff : 128 + signal
      known = value
      return value
    }
  }
}

/// One of a program's outputs: the program has `writing`, the test reads the rest. No other program
/// that is started meanwhile inherits it.
public final class ProgramStream: Sendable {
  fileprivate let reading: Int32
  private let writingEnd: Mutex<Int32?>

  public init() throws(ChildProcess.Failure) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw ChildProcess.Failure(program: "socketpair", code: errno)
    }
    reading = ends[0]
    writingEnd = Mutex(ends[1])
  }

  deinit {
    closeWriting()
    close(reading)
  }

  public var writing: Int32? { writingEnd.withLock { $0 } }

  /// To be called once the program has it, so that its end is the end of the stream.
  public func closeWriting() {
    writingEnd.withLock { end in
      if let end { close(end) }
      end = nil
    }
  }

  /// What comes next; empty at the end. Blocks.
  public func readSome(upTo limit: Int = 65_536) -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: limit)
    while true {
      let count = read(reading, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      return Array(chunk.prefix(max(0, count)))
    }
  }

  /// All that comes until the end. Blocks.
  public func readAll() -> [UInt8] {
    var all: [UInt8] = []
    while case let some = readSome(), !some.isEmpty { all += some }
    return all
  }
}
