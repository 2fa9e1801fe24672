import Glibc

/// How a program that was run for its output ended.
struct CommandResult: Sendable, Hashable {
  enum End: Sendable, Hashable {
    case exited(Int32)
    case signalled(Int32)
    /// It ran longer than it may, or calgw was told to stop; it was killed.
    case timedOut
    case stopped
    /// It wrote more than it may; it was killed.
    case tooMuchOutput
  }

  var end: End
  var output: [UInt8]
  /// What it wrote to standard error, cut at `RunCommand.errorLimit`.
  var errors: [UInt8]
}

/// Runs a program for its output: no shell, standard input closed to `/dev/null`, its own process
/// group so that all of it can be killed.
struct RunCommand {
  /// 64 KiB: no secret is longer, and a runaway program fills no memory.
  static let outputLimit = 65_536
  /// 2 KiB of complaints are enough to understand one.
  static let errorLimit = 2048
  /// How often the stop flag is looked at, in milliseconds.
  static let stopCheckInterval: Int32 = 100

  var arguments: [String]
  var variables: [String: String]
  var timeLimit: Duration
  var shouldStop: @Sendable () -> Bool

  /// Runs it to its end. Throws only where it could not be started.
  func run() throws(SystemError) -> CommandResult {
    let output = try Pipe()
    defer { output.closeBoth() }
    let errors = try Pipe()
    defer { errors.closeBoth() }
    let process = try spawn(output: output.writeEnd, errors: errors.writeEnd)
    output.closeWriteEnd()
    errors.closeWriteEnd()
    var result = CommandResult(end: .exited(0), output: [], errors: [])
    let cut = collect(from: output, and: errors, into: &result)
    if cut != nil { kill(-process, SIGKILL) }
    let status = wait(for: process)
    result.end = cut ?? status
    return result
  }

  /// Reads both streams until they end; gives why it stopped before that.
  private func collect(from output: Pipe, and errors: Pipe, into result: inout CommandResult)
    -> CommandResult.End?
  {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: timeLimit)
    var polled = [
      pollfd(fd: output.readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.readEnd, events: Int16(POLLIN), revents: 0),
    ]
    // A daemon that the program left behind may hold standard error open: only the output counts.
    while polled[0].fd >= 0 {
      if shouldStop() { return .stopped }
      if clock.now >= end { return .timedOut }
      guard poll(&polled, nfds_t(polled.count), Self.stopCheckInterval) > 0 else { continue }
      if polled[1].revents != 0, let bytes = readSome(&polled[1]) {
        result.errors += bytes.prefix(max(0, Self.errorLimit - result.errors.count))
      }
      if polled[0].revents != 0, let bytes = readSome(&polled[0]) {
        result.output += bytes
        if result.output.count > Self.outputLimit { return .tooMuchOutput }
      }
    }
    drainErrors(&polled[1], into: &result)
    return nil
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

  /// Waits for the process itself, within the same kind of limits.
  private func wait(for process: pid_t) -> CommandResult.End {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: timeLimit)
    var status: Int32 = 0
    while true {
      let waited = waitpid(process, &status, WNOHANG)
      if waited == process { break }
      if waited < 0, errno != EINTR { return .exited(0) }
      if shouldStop() || clock.now >= end { kill(-process, SIGKILL) }
      // Two milliseconds. (nanosleep wants a timespec, which two C modules define.)
      _ = poll(nil, 0, 2)
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
  }

  /// Starts the program with an own process group, default signals and an empty signal
  /// mask.
  private func spawn(output: Int32, errors: Int32) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
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
    guard pipe(&ends) == 0 else { throw SystemError(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
