import Foundation
import Glibc
import TestSupport

/// The `calgw` program from the build that these tests are part of.
struct Program: Sendable {
  /// What a run printed, how it ended and what it cost.
  struct Run: Sendable {
    /// 128 + signal where a signal ended it.
    var status: Int32
    var output: String
    var errors: String
    /// User and system time in seconds.
    var cpu: Double
    /// Peak resident memory in MiB.
    var memory: Double

    /// The objects of `--json`, one a line.
    func objects() throws -> [[String: Any]] {
      try output.split(separator: "\n").compactMap { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      }
    }
  }

  struct NotStarted: Error {
    let path: String
    let code: Int32
  }

  /// A folder of its own: configuration, state, home.
  let sandbox: Sandbox
  /// What runs it.
  private var command = [Checkout.calgw]

  init(sandbox: Sandbox) { self.sandbox = sandbox }

  /// The same without the rights of root, to whom no folder is closed: the sandbox is given to
  /// another user, with a copy of the program that he can reach.
  func asNobody() throws -> Program {
    guard geteuid() == 0 else { return self }
    let copy = "\(sandbox.path)/calgw"
    try FileManager.default.copyItem(atPath: Checkout.calgw, toPath: copy)
    let everything = FileManager.default.enumerator(atPath: sandbox.path)
    for case let name as String in everything ?? .init() {
      chown("\(sandbox.path)/\(name)", 65534, 65534)
    }
    chown(sandbox.path, 65534, 65534)
    var program = self
    program.command = [
      "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy,
    ]
    return program
  }

  /// Runs to the end, or kills it after `killedAfter` milliseconds.
  func callAsFunction(
    _ arguments: String..., input: String = "", environment: [String: String] = [:],
    killedAfter: Int32? = nil
  ) async throws -> Run {
    try await run(arguments, environment: environment, killedAfter: killedAfter)
  }

  /// Runs to the end, and says what it alone has cost: a child that is started from here would
  /// count this process's own peak of memory as its.
  func measured(_ arguments: String...) async throws -> Run {
    let script = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:]).returncode
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      print(used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)
      sys.exit(status)
      """
    let command = ["/usr/bin/env", "python3", "-c", script, Checkout.calgw] + arguments
    var variables = sandbox.environment
    variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    let result = await onOwnThread { [variables] in
      Result { try Child(arguments: command, environment: variables).finish(killedAfter: nil) }
    }
    var run = try result.get()
    let used = run.errors.split(separator: "\n").last?.split(separator: " ").compactMap {
      Double($0)
    }
    guard let used, used.count == 2 else { throw NotStarted(path: "python3", code: run.status) }
    run.memory = used[0] / 1024
    run.cpu = used[1]
    return run
  }

  func run(
    _ arguments: [String], environment: [String: String] = [:], killedAfter: Int32? = nil
  ) async throws -> Run {
    let variables = sandbox.environment.merging(environment) { $1 }
    let result = await onOwnThread {
      Result {
        try Child(arguments: command + arguments, environment: variables)
          .finish(killedAfter: killedAfter)
      }
    }
    return try result.get()
  }
}

/// A folder for one test, removed with it.
final class Sandbox: Sendable {
  let path: String

  init() {
    let pattern = "\(FileManager.default.temporaryDirectory.path())/calgw-XXXXXX"
    var template = Array(pattern.utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    precondition(!path.isEmpty, "no temporary directory")
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var environment: [String: String] {
    [
      "HOME": path, "XDG_STATE_HOME": "\(path)/state", "XDG_CONFIG_HOME": "\(path)/config",
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "Europe/Vienna",
    ]
  }

  func write(_ name: String, _ text: String, mode: Int = 0o600) throws {
    let file = "\(path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: URL(filePath: file).deletingLastPathComponent().path(),
      withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  /// The names in a folder, hidden ones included, sorted.
  func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
  }

  /// The items of a folder.
  func items(in folder: String) -> [String] { names(in: folder).filter { $0.hasSuffix(".ics") } }
}

/// A child process whose two outputs are files, so that it never waits for its reader.
private struct Child {
  let pid: pid_t
  private let outputs: [FileHandle]
  /// Its other end is held by the child alone: it hangs up when the child ends.
  private let life: FileHandle

  init(arguments: [String], environment: [String: String]) throws {
    let files = try (0..<2).map { _ in
      var template = Array("/tmp/calgw-output-XXXXXX".utf8CString)
      let descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw Program.NotStarted(path: "mkstemp", code: errno) }
      unlink(template)
      return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, files[0].fileDescriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, files[1].fileDescriptor, 2)
    let pipe = Pipe()
    posix_spawn_file_actions_adddup2(&actions, pipe.fileHandleForWriting.fileDescriptor, 9)
    var words = arguments.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, arguments[0], &actions, nil, &words, &variables)
    guard code == 0 else { throw Program.NotStarted(path: arguments[0], code: code) }
    pid = child
    outputs = files
    life = pipe.fileHandleForReading
    try pipe.fileHandleForWriting.close()
  }

  func finish(killedAfter: Int32?) throws -> Program.Run {
    if let killedAfter, !endsWithin(killedAfter) { kill(pid, SIGKILL) }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0, errno == EINTR {}
    let signal = status & 0x7f
    let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    let texts = try outputs.map { file in
      try file.seek(toOffset: 0)
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
    return Program.Run(
      status: signal == 0 ? (status >> 8) & 0xff : 128 + signal, output: texts[0],
      errors: texts[1], cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      memory: Double(usage.ru_maxrss) / 1024)
  }

  /// Waits for the end of the process, at most so long.
  private func endsWithin(_ milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: life.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }
}
