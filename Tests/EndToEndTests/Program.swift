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
    /// User and system time in seconds; of a measured run alone.
    var cpu = 0.0
    /// Peak resident memory in MiB; of a measured run alone.
    var memory = 0.0

    /// The objects of `--json`, one a line.
    func objects() throws -> [[String: Any]] {
      try output.split(separator: "\n").compactMap { line in
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      }
    }
  }

  struct NotMeasured: Error {
    let errors: String
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
    // Not by this process: a program that it has open cannot be started.
    _ = try ChildProcess(["/bin/cp", Checkout.calgw, copy], environment: [:]).wait()
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
  func measured(_ arguments: String...) async throws -> Run { try await measured(arguments) }

  /// The same with more variables, which what measures it gets, too.
  func measured(
    _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Run {
    let script = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:]).returncode
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      print(used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)
      sys.exit(status)
      """
    let command = ["/usr/bin/env", "python3", "-c", script, Checkout.calgw] + arguments
    var variables = sandbox.environment.merging(environment) { $1 }
    variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    var run = try await Self.start(command, variables)
    let used = run.errors.split(separator: "\n").last?.split(separator: " ").compactMap {
      Double($0)
    }
    guard let used, used.count == 2 else { throw NotMeasured(errors: run.errors) }
    run.memory = used[0] / 1024
    run.cpu = used[1]
    return run
  }

  func run(
    _ arguments: [String], environment: [String: String] = [:], killedAfter: Int32? = nil
  ) async throws -> Run {
    try await Self.start(
      command + arguments, sandbox.environment.merging(environment) { $1 }, killedAfter: killedAfter
    )
  }

  private static func start(
    _ command: [String], _ environment: [String: String], killedAfter: Int32? = nil
  ) async throws -> Run {
    let result = await onOwnThread {
      Result {
        let (output, errors) = (try ProgramStream(), try ProgramStream())
        let process = try ChildProcess(
          command, environment: environment, output: output.writing, errors: errors.writing)
        output.closeWriting()
        errors.closeWriting()
        let (status, texts) = process.finish([output, errors], killedAfter: killedAfter)
        return Run(
          status: status, output: String(decoding: texts[0], as: UTF8.self),
          errors: String(decoding: texts[1], as: UTF8.self))
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
    try Data(text.utf8).save(to: URL(filePath: file))
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
