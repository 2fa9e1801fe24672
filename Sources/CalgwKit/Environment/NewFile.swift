import Glibc

/// Why a new file could not be made, or not be filled.
enum NewFileError: Error {
  case notMade(SystemError)
  case notWritten(SystemError)
}

/// Makes a file that its owner alone may read, and puts it on the disk; one that is there already
/// stays as it is (EEXIST).
func makePrivateFile(_ path: String, holding bytes: [UInt8]) throws(NewFileError) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
  guard descriptor >= 0 else { throw .notMade(SystemError(errno)) }
  defer { close(descriptor) }
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0, fsync(descriptor) == 0 else {
      let error = SystemError(errno)
      unlink(path)
      throw .notWritten(error)
    }
    rest = rest.dropFirst(count)
  }
  let end = path.lastIndex(of: "/") ?? path.startIndex
  let directory = open(String(path[..<end]) + "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard directory >= 0 else { return }
  defer { close(directory) }
  // Without its name it would be nowhere after a power cut.
  guard fsync(directory) == 0 else { throw .notWritten(SystemError(errno)) }
}
