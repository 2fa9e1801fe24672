import Foundation
import Glibc

/// A program that a test starts, with its input and output in our hands.
final class Program: Sendable {
  /// What the program reads; closed when the object goes.
  private let input: Int32
  private let output: Int32
  private let process: ChildProcess

  /// Looks the program up in the path.
  init(_ arguments: [String]) throws(LoopbackError) {
    let (toProgram, fromProgram) = (try Pipe(), try Pipe())
    input = toProgram.writing
    output = fromProgram.reading
    defer {
      close(toProgram.reading)
      close(fromProgram.writing)
    }
    do throws(ChildProcess.Failure) {
      process = try ChildProcess(
        ["/usr/bin/env"] + arguments, environment: ProcessInfo.processInfo.environment,
        input: toProgram.reading, output: fromProgram.writing)
    } catch {
      close(toProgram.writing)
      close(fromProgram.reading)
      throw LoopbackError(text: "\(arguments[0]): \(String(cString: strerror(error.code)))")
    }
  }

  deinit {
    stop()
    close(input)
    close(output)
  }

  /// Waits for the program's end and gives its exit status.
  func wait() -> Int32 { process.wait() }

  func stop() {
    process.send(SIGKILL)
    _ = wait()
  }

  /// Gives the program something to read.
  func write(_ bytes: [UInt8]) { _ = Glibc.write(input, bytes, bytes.count) }

  /// The next line the program prints, without its end; nil at the end of the output, or if there
  /// is none for 20 seconds.
  func readLine() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while waitFor([(output, POLLIN)], milliseconds: 20_000) != nil, read(output, &byte, 1) == 1 {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
