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
    try Data(text.utf8).save(to: file)
  }

  func configure(_ text: String) throws { try write("config/calgw/config.toml", text) }

  /// A pair `p` of a folder and the account `home` of a server, with more keys of each.
  func configure(
    server url: String, account: String = "", folder: String = "~/calendars", pair: String = ""
  ) throws {
    try configure(
      """
      [account.home]
      url = "\(url)"
      \(account)
      [pair.p]
      local = "\(folder)"
      remote = "home"
      \(pair)
      """)
  }

  /// A pair `p` of two servers, the accounts `here` and `there`, with more keys of it.
  func configure(here: String, there: String, pair: String = "") throws {
    try configure(
      """
      [account.here]
      url = "\(here)"
      [account.there]
      url = "\(there)"
      [pair.p]
      local = { remote = "here" }
      remote = "there"
      \(pair)
      """)
  }

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

  /// The same with arguments from a table; `wrapper` is a command that runs the one after it.
  func run(_ arguments: [String], within wrapper: [String] = []) async throws -> Run {
    let process = try start(arguments, within: wrapper)
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
    to output: String? = nil, within wrapper: [String] = []
  ) throws -> RunningProgram {
    var variables = [
      "HOME": home, "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state",
      "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
    ]
    variables.merge(environment) { $1 }
    return try RunningProgram(
      wrapper + [Checkout.calgw] + arguments, environment: variables, directory: home, from: input,
      to: output)
  }
}

/// A program that is running.
final class RunningProgram: Sendable {
  private let process: ChildProcess
  let output: ProgramStream
  private let errors: ProgramStream

  /// `input` and `destination` are files; without them there is no input, and the output is kept.
  init(
    _ command: [String], environment: [String: String], directory: String,
    from input: String? = nil, to destination: String? = nil
  ) throws {
    let files = [(input, O_RDONLY), (destination, O_WRONLY)].map { path, mode in
      path.map { open($0, mode | O_CLOEXEC) }
    }
    defer { for case let file? in files { close(file) } }
    output = try ProgramStream()
    errors = try ProgramStream()
    process = try ChildProcess(
      command, environment: environment, directory: directory, input: files[0],
      output: files[1] ?? output.writing, errors: errors.writing)
    output.closeWriting()
    errors.closeWriting()
  }

  func send(_ signal: Int32) { process.send(signal) }

  /// The next line that it prints, without its end; nil at the end of the output.
  func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = output.readSome(upTo: 1).first, byte != UInt8(ascii: "\n") {
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Waits for the end.
  func finish() -> CommandLine.Run {
    let (status, texts) = process.finish([output, errors])
    return CommandLine.Run(
      status: status, output: String(decoding: texts[0], as: UTF8.self),
      errors: String(decoding: texts[1], as: UTF8.self))
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
