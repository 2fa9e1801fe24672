import TestSupport

/// The program of `Scripts/simulate`, from the build that these tests are part of.
enum SimulateProgram {
  /// Runs it on threads of its own and gives its exit status and the lines that it prints. The
  /// tests beside it that have servers and time limits go first.
  static func run(_ arguments: String...) async throws -> (status: Int32, lines: [String]) {
    let command = ["/usr/bin/nice", "-n", "19", Checkout.program("simulate")] + arguments
    let result = await onOwnThread {
      Result {
        let output = try ProgramStream()
        // No environment: SWIFT_DETERMINISTIC_HASHING would hide what hangs on hashes.
        let process = try ChildProcess(command, environment: [:], output: output.writing)
        output.closeWriting()
        let (status, texts) = process.finish([output])
        return (status, String(decoding: texts[0], as: UTF8.self))
      }
    }
    let (status, text) = try result.get()
    return (status, text.split(separator: "\n").map(String.init))
  }
}
