import CLinux
import Glibc

/// How a program that was run for its output ended.
package struct CommandResult: Sendable, Hashable {
  package enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// It ran longer than it may, or calgw was told to stop; it was killed.
    case timedOut
    case stopped
    /// It wrote more than it may; it was killed.
    case tooMuchOutput
  }

  package var end: End
  package var output: [UInt8]
  /// What it wrote to standard error, cut at `RunCommand.errorLimit`.
  var errors: [UInt8]
}

extension CommandResult.End {
  /// How a program ended, to follow its name; `limit` is the time that it had.
  func words(limit: Duration) -> String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signalled(let signal): "was ended by signal \(signal)"
    case .timedOut: "took longer than \(limit.milliseconds / 1000) s"
    case .stopped: "was ended, since calgw was told to stop"
    case .tooMuchOutput: "wrote more than \(RunCommand.outputLimit) bytes"
    }
  }
}

/// Runs a program: no shell, its own process group so that all of it can be killed.
package struct RunCommand {
  /// 64 KiB: no secret is longer, and a runaway program fills no memory.
  package static let outputLimit = 65_536
  /// 2 KiB of complaints are enough to understand one.
  static let errorLimit = 2048
  /// How often the stop flag is looked at, in milliseconds.
  static let stopCheckInterval: Int32 = 100
  /// How often a process is looked at that has closed its output, in milliseconds.
  static let waitInterval: Int32 = 2
  /// Bytes that may be in a pipe when its writer ends: what comes after them is of a program that
  /// was left behind, which may never end.
  private static let pipeCapacity = 65_536

  var arguments: [String]
  var variables: [String: String]
  var timeLimit: Duration
  var shouldStop: @Sendable () -> Bool
  /// Where it runs; nil: where calgw does.
  var directory: String?

  package init(
    arguments: [String], variables: [String: String], timeLimit: Duration,
    shouldStop: @escaping @Sendable () -> Bool
  ) {
    self.arguments = arguments
    self.variables = variables
    self.timeLimit = timeLimit
    self.shouldStop = shouldStop
  }

  /// Runs it to its end for its output, with nothing to read. Throws only where it could not be
  /// started.
  package func run() throws(SystemError) -> CommandResult {
    let output = try Pipe()
    defer { output.closeBoth() }
    let errors = try Pipe()
    defer { errors.closeBoth() }
    let end = ContinuousClock.now.advanced(by: timeLimit)
    let process = try spawn(input: nil, output: output.writeEnd, errors: errors.writeEnd)
    output.closeWriteEnd()
    errors.closeWriteEnd()
    var result = CommandResult(end: .exited(0), output: [], errors: [])
    let cut = collect(from: output, and: errors, of: process, until: end, into: &result)
    if cut != nil { kill(-process, SIGKILL) }
    let status = wait(for: process, until: end)
    result.end = cut ?? status
    return result
  }

  /// Runs it to its end with a text to read. What it prints, to whichever of its outputs, is handed
  /// to `passing` as it comes, with what says whether it may wait to be rid of it.
  package func run(
    reading text: [UInt8], passing: (_ bytes: [UInt8], _ mayWait: () -> Bool) -> Void
  ) throws(SystemError) -> CommandResult.End {
    // A file in memory needs nobody to write on while the program reads, or does not.
    let input = clinux_memory_file()
    guard input >= 0 else { throw SystemError(errno) }
    defer { close(input) }
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { throw SystemError(errno) }
      rest = rest.dropFirst(max(0, count))
    }
    lseek(input, 0, SEEK_SET)
    let output = try Pipe()
    defer { output.closeBoth() }
    let end = ContinuousClock.now.advanced(by: timeLimit)
    let process = try spawn(input: input, output: output.writeEnd, errors: output.writeEnd)
    output.closeWriteEnd()
    var polled = [Self.polled(output)]
    let cut = follow(&polled, of: process, until: end) { bytes, _ in
      passing(bytes) { !shouldStop() && ContinuousClock.now < end }
      return nil
    }
    return wait(for: process, until: end, cut: cut)
  }

  /// Reads both streams until the output ends, or the program has; gives why it stopped before
  /// that.
  private func collect(
    from output: Pipe, and errors: Pipe, of process: pid_t, until end: ContinuousClock.Instant,
    into result: inout CommandResult
  ) -> CommandResult.End? {
    var polled = [Self.polled(output), Self.polled(errors)]
    let cut = follow(&polled, of: process, until: end) { bytes, stream in
      if stream == 1 {
        result.errors += bytes.prefix(max(0, Self.errorLimit - result.errors.count))
        return nil
      }
      result.output += bytes
      return result.output.count > Self.outputLimit ? .tooMuchOutput : nil
    }
    if cut == nil { drainErrors(&polled[1], into: &result) }
    return cut
  }

  /// Hands on what comes from some streams until the first of them ends, or the program has; gives
  /// why it stopped before that.
  private func follow(
    _ polled: inout [pollfd], of process: pid_t, until end: ContinuousClock.Instant,
    _ take: (_ bytes: [UInt8], _ stream: Int) -> CommandResult.End?
  ) -> CommandResult.End? {
    // What the program left behind, as an agent that keeps passwords, may hold them open: the
    // program's own end is the end, once all that it wrote is read.
    var remains = Self.pipeCapacity * polled.count
    while polled[0].fd >= 0, remains >= 0 {
      if shouldStop() { return .stopped }
      if ContinuousClock.now >= end { return .timedOut }
      let hasEnded = hasEnded(process)
      let wait = hasEnded ? 0 : Self.stopCheckInterval
      guard poll(&polled, nfds_t(polled.count), wait) > 0 else {
        if hasEnded { break }
        continue
      }
      for stream in polled.indices.reversed() where polled[stream].revents != 0 {
        guard let bytes = readSome(&polled[stream]) else { continue }
        if hasEnded { remains -= bytes.count }
        if let cut = take(bytes, stream) { return cut }
      }
    }
    return nil
  }

  private static func polled(_ pipe: Pipe) -> pollfd {
    pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)
  }

  /// What was written to standard error before the output ended.
  private func drainErrors(_ polled: inout pollfd, into result: inout CommandResult) {
    while polled.fd >= 0, result.errors.count < Self.errorLimit {
      guard poll(&polled, 1, 0) > 0, let bytes = readSome(&polled) else { return }
      result.errors += bytes.prefix(max(0, Self.errorLimit - result.errors.count))
    }
  }

  /// Reads what is there; at the end of the stream it is polled no more.
  private func readSome(_ polled: inout pollfd) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(polled.fd, &buffer, buffer.count)
    if count > 0 { return Array(buffer[..<count]) }
    if count == 0 || errno != EINTR { polled.fd = -1 }
    return nil
  }

  /// Its status stays for `wait`.
  private func hasEnded(_ process: pid_t) -> Bool {
    var state = siginfo_t()
    let isKnown = waitid(P_PID, id_t(process), &state, WEXITED | WNOHANG | WNOWAIT) == 0
    return isKnown && state.si_signo != 0
  }

  /// Waits for the process itself, within the same limits.
  ///
  /// - Parameter cut: why it is to be killed at once.
  private func wait(
    for process: pid_t, until end: ContinuousClock.Instant, cut: CommandResult.End? = nil
  ) -> CommandResult.End {
    var status: Int32 = 0
    var cut = cut
    while true {
      let waited = waitpid(process, &status, WNOHANG)
      if waited == process { break }
      // Its status went to somebody else: nothing says that it succeeded.
      if waited < 0, errno != EINTR { return .exited(0xFF) }
      if cut == nil, ContinuousClock.now >= end { cut = .timedOut }
      if cut == nil, shouldStop() { cut = .stopped }
      if cut != nil { kill(-process, SIGKILL) }
      _ = poll(nil, 0, Self.waitInterval)
    }
    let signal = status & 0x7F
    if let cut, signal == SIGKILL { return cut }
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Starts the program with an own process group, default signals and an empty signal
  /// mask.
  private func spawn(input: Int32?, output: Int32, errors: Int32) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let directory {
      let code = clinux_spawn_in(&actions, directory)
      guard code == 0 else { throw SystemError(code) }
    }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var strings = arguments.map { strdup($0) } + [nil]
    var pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in strings + pairs { free(string) } }
    guard let program = arguments.first else { throw SystemError(EINVAL) }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, &strings, &pairs)
    guard code == 0 else { throw SystemError(code) }
    return process
  }
}

/// A pipe whose ends are closed once each.
private final class Pipe {
  private var ends: [Int32] = [-1, -1]

  init() throws(SystemError) {
    guard clinux_pipe(&ends) == 0 else { throw SystemError(errno) }
  }

  var readEnd: Int32 { ends[0] }
  var writeEnd: Int32 { ends[1] }

  func closeWriteEnd() { close(1) }

  func closeBoth() {
    close(0)
    close(1)
  }

  private func close(_ index: Int) {
    if ends[index] >= 0 { Glibc.close(ends[index]) }
    ends[index] = -1
  }
}
