import Foundation
import Glibc
import Synchronization

/// A child process whose standard input and output are one socket to this process.
///
/// Standard error is the test run's own. The socket closes when this process ends in whatever
/// way, so a child that lives until its input ends never outlives a killed test run.
final class ScriptProcess: Sendable {
  enum Failure: Error {
    case socket(errno: Int32)
    case spawn(String, errno: Int32)
  }

  private struct State {
    /// Nil once the child has been waited for.
    var socket: Int32?
    /// What was read after the last line that was handed out.
    var rest: [UInt8] = []
  }

  private let child: ChildProcess
  private let state: Mutex<State>

  /// Starts the program at the absolute path `arguments[0]`.
  init(_ arguments: [String]) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    // Closed in every program that any thread starts meanwhile; Glibc's module has no pipe2.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .socket(errno: errno) }
    defer { close(ends[1]) }
    do throws(ChildProcess.Failure) {
      child = try ChildProcess(
        arguments, environment: ProcessInfo.processInfo.environment, input: ends[1],
        output: ends[1], errors: STDERR_FILENO)
    } catch {
      close(ends[0])
      throw .spawn(error.program, errno: error.code)
    }
    state = Mutex(State(socket: ends[0]))
  }

  deinit {
    if state.withLock({ $0.socket }) != nil { _ = finish() }
  }

  /// The next line of the child's output without its end, nil at the end. Blocks.
  func readLine() -> String? {
    state.withLock { state in
      guard let socket = state.socket else { return nil }
      var chunk = [UInt8](repeating: 0, count: 4096)
      while true {
        if let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: state.rest[..<end], as: UTF8.self)
          state.rest.removeSubrange(...end)
          return line
        }
        let count = read(socket, &chunk, chunk.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return nil }
        state.rest += chunk[..<count]
      }
    }
  }

  /// Ends the child's input, waits for its end, and gives its exit status (128 + signal where one
  /// ended it). Blocks; a second call gives 0.
  func finish() -> Int32 {
    let socket = state.withLock { state in
      defer { state.socket = nil }
      return state.socket
    }
    guard let socket else { return 0 }
    shutdown(socket, Int32(SHUT_WR))
    let status = child.wait()
    close(socket)
    return status
  }
}
