import Glibc

/// An error number of the system in words.
package struct SystemError: Error, Hashable {
  let code: Int32

  init(_ code: Int32) { self.code = code }

  /// As the C library puts it, in English.
  var text: String {
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

  /// Reads at most `limit` bytes of a regular file or a pipe.
  package init(reading path: String, limit: Int) throws(SystemError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFIFO: break
    case S_IFDIR: throw SystemError(EISDIR)
    default: throw SystemError(EINVAL)
    }
    bytes = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while bytes.count < limit {
      let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
  }
}
