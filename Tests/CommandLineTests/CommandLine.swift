import Foundation
import Glibc
import TestSupport

/// The real program in a home directory of its own, which goes with it.
final class CommandLine: Sendable {
  /// What a run printed and how it ended: 128 + the signal where one ended it.
  struct Run: Sendable {
    var status: Int32
    var output: String
    var errors: String
  }

  let home: String

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "calgw-cli-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    home = url.path()
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  func write(_ name: String, _ text: String) throws {
    let file = URL(filePath: home + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func configure(_ text: String) throws { try write("config/calgw/config.toml", text) }

  func exists(_ name: String) -> Bool { access(home + "/" + name, F_OK) == 0 }

  /// Runs to the end; `output` is where standard output goes instead of into the result.
  func callAsFunction(
    _ arguments: String..., environment: [String: String] = [:], to output: String? = nil
  )
    async throws -> Run
  {
    let process = try start(arguments, environment: environment, to: output)
    return await onOwnThread { process.finish() }
  }

  /// The same with arguments from a table.
  func run(_ arguments: [String]) async throws -> Run {
    let process = try start(arguments)
    return await onOwnThread { process.finish() }
  }

  /// The same with something on standard input.
  func run(_ arguments: [String], input: String) async throws -> Run {
    try write("input", input)
    let process = try start(arguments, from: home + "/input")
    return await onOwnThread { process.finish() }
  }

  /// Starts it without waiting for its end.
  func start(
    _ arguments: [String], environment: [String: String] = [:], from input: String? = nil,
    to output: String? = nil
  ) throws -> RunningProgram {
    var variables = [
      "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
    variables.merge(environment) { $1 }
    let process = Process()
    process.executableURL = URL(filePath: Checkout.calgw)
    process.arguments = arguments
    process.environment = variables
    process.currentDirectoryURL = URL(filePath: home)
    process.standardInput =
      input.flatMap { FileHandle(forReadingAtPath: $0) } ?? FileHandle.nullDevice
    let program = RunningProgram(process)
    process.standardOutput =
      if let output { FileHandle(forWritingAtPath: output) } else { program.output }
    process.standardError = program.errors
    try process.run()
    return program
  }
}

/// A calgw that is running.
final class RunningProgram: @unchecked Sendable {
  // Used from one thread at a time: by the test, then by the one that waits.
  private let process: Process
  let output = Pipe()
  let errors = Pipe()

  init(_ process: Process) { self.process = process }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end. Both streams are short enough for a pipe.
  func finish() -> CommandLine.Run {
    process.waitUntilExit()
    try? output.fileHandleForWriting.close()
    try? errors.fileHandleForWriting.close()
    func text(_ pipe: Pipe) -> String {
      String(decoding: (try? pipe.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
    }
    let status = process.terminationStatus
    return CommandLine.Run(
      status: process.terminationReason == .uncaughtSignal ? 128 + status : status,
      output: text(output), errors: text(errors))
  }
}

/// A small event.
func event(_ uid: String, _ summary: String) -> String {
  [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//", "BEGIN:VEVENT", "UID:\(uid)",
    "DTSTAMP:20260101T000000Z", "DTSTART:20260105T100000Z", "SUMMARY:\(summary)", "END:VEVENT",
    "END:VCALENDAR", "",
  ].joined(separator: "\r\n")
}
