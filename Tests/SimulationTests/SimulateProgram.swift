import TestSupport

/// The program of `Scripts/simulate`, from the build that these tests are part of.
enum SimulateProgram {
  /// Runs it and gives its exit status and the lines that it prints.
  static func run(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
    // No environment: SWIFT_DETERMINISTIC_HASHING would hide what hangs on hashes.
    try await lines(of: [Checkout.program("simulate")] + arguments, environment: [:])
  }

  /// The same with the script itself, for what it does without the program.
  static func script(_ arguments: [String]) async throws -> (status: Int32, lines: [String]) {
    try await lines(
      of: [Checkout.script("simulate")] + arguments, environment: ["PATH": "/usr/bin:/bin"])
  }

  /// On threads of its own. The tests beside it that have servers and time limits go first.
  private static func lines(
    of command: [String], environment: [String: String]
  ) async throws -> (status: Int32, lines: [String]) {
    let polite = ["/usr/bin/nice", "-n", "19"] + command
    let result = await onOwnThread {
      Result {
        let output = try ProgramStream()
        let process = try ChildProcess(
          polite, environment: environment, output: output.writing)
        output.closeWriting()
        let (status, texts) = process.finish([output])
        return (status, String(decoding: texts[0], as: UTF8.self))
      }
    }
    let (status, text) = try result.get()
    return (status, text.split(separator: "\n").map(String.init))
  }
}
