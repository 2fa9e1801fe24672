import CalgwKit
import Glibc
import TestSupport
import Testing

/// Files of settings and secrets, which may be pipes: `--config <(...)`.
@Suite struct SmallFileTests {
  private func pipe() throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    try #require(mkfifo(path, 0o600) == 0)
    return (folder, path)
  }

  @Test func `a pipe that nobody writes to does not hold up a run`() throws {
    let (folder, path) = try pipe()
    defer { withExtendedLifetime(folder) {} }
    let error = #expect(throws: SystemError.self) {
      _ = try SmallFile(reading: path, limit: 100, patience: .zero)
    }
    #expect(error?.text == "nothing was written to the pipe for a minute")
  }

  @Test func `what stands for no file is an empty one, and no other device is a file`() throws {
    #expect(try SmallFile(reading: "/dev/null", limit: 100).bytes.isEmpty)
    let error = #expect(throws: SystemError.self) {
      _ = try SmallFile(reading: "/dev/zero", limit: 100)
    }
    #expect(error?.text == "it is no file")
  }

  @Test func `a connection that takes too long is told as no pipe`() {
    #expect(SystemError(ETIMEDOUT).text == "Connection timed out")
  }

  @Test func `what is written to a pipe is read to its end`() async throws {
    let (folder, path) = try pipe()
    defer { withExtendedLifetime(folder) {} }
    let writing = Task {
      await onOwnThread {
        // Opens once somebody reads.
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        for text in ["ses", "ame\n"] { _ = write(descriptor, text, text.utf8.count) }
        close(descriptor)
      }
    }
    let bytes = await onOwnThread {
      Result { try SmallFile(reading: path, limit: 100, patience: .seconds(3600)).bytes }
    }
    // Lets the writer go that nobody has waited for long enough.
    let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    await writing.value
    #expect(try bytes.get() == Array("sesame\n".utf8))
  }
}
