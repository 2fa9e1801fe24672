import Glibc

/// An error number of the system in words.
package struct SystemError: Error, Hashable {
  let code: Int32

  package init(_ code: Int32) { self.code = code }

  /// A pipe to whose end nobody came in time. Numbers of the system are above zero.
  static let silentPipe = SystemError(-1)
  /// A device or a socket.
  static let notAFile = SystemError(-2)

  /// As the C library puts it, in English.
  package var text: String {
    if self == .silentPipe { return "nothing was written to the pipe for a minute" }
    if self == .notAFile { return "it is no file" }
    guard let message = strerrordesc(code) else { return "error \(code)" }
    return message
  }

  private func strerrordesc(_ code: Int32) -> String? {
    /// Longer than any message of the C library.
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return nil }
    let end = buffer.firstIndex(of: 0) ?? buffer.count
    return String(decoding: buffer[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A whole small file, and what the system says of it.
package struct SmallFile {
  package var bytes: [UInt8]
  var status: stat

  /// `/dev/null`, by its numbers in Linux's list of devices: major 1, minor 3.
  private static let nullDevice: dev_t = 0x103

  /// Reads at most `limit` bytes of a regular file or a pipe. `/dev/null` is an empty file.
  ///
  /// - Parameter patience: how long the writers of a pipe may take for all of it; as a command may.
  package init(
    reading path: String, limit: Int, patience: Duration = .seconds(60)
  ) throws(SystemError) {
    let end = ContinuousClock.now.advanced(by: patience)
    // Of a pipe that nobody writes to yet, the opening itself would wait, and for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFIFO: break
    case S_IFCHR where status.st_rdev == Self.nullDevice: break
    case S_IFDIR: throw SystemError(EISDIR)
    default: throw .notAFile
    }
    bytes = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < limit {
      if status.st_mode & S_IFMT == S_IFIFO { try Self.wait(for: descriptor, until: end) }
      let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw SystemError(errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
  }

  /// Comes back when there is something to read, or the last writer has left.
  private static func wait(
    for descriptor: Int32, until end: ContinuousClock.Instant
  ) throws(SystemError) {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let left = max(.zero, ContinuousClock.now.duration(to: end)).components
      let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
      let count = poll(&waiting, 1, Int32(clamping: milliseconds))
      if count > 0 { return }
      if count == 0 { throw .silentPipe }
      guard errno == EINTR else { throw SystemError(errno) }
    }
  }
}
