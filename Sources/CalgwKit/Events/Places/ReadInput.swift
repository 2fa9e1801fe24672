import Glibc
import VdirStorage

/// Reads a file that a command line names, or standard input for `-`, whole.
///
/// What is missing is status 66, what cannot be read 74.
/// - Parameter signals: One while it waits for a pipe or a person ends the process at once.
public func readInput(_ path: String, signals: StopSignals? = nil) throws(RunFailure) -> [UInt8] {
  let file = path == "-" ? [] : cPath(typedPath(path))
  var named = stat()
  // Nobody may ever write into one that lies among the items.
  if hasItemEnding(path.utf8), stat(file, &named) == 0, named.st_mode & S_IFMT == S_IFIFO {
    throw .badItem("not-a-file", "\(path) is no plain file", hint: "name the file itself, or -")
  }
  let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY
  let descriptor: Int32 =
    path == "-" ? STDIN_FILENO : try waiting(for: signals, at: path) { open(file, flags) }
  guard descriptor >= 0 else {
    let code = errno
    let isMissing = code == ENOENT || code == ENOTDIR
    throw RunFailure(
      isMissing ? .missingInput : .io, code: isMissing ? "no-such-file" : "io",
      message: isMissing ? "there is no file \(path)" : "\(path) cannot be read",
      why: isMissing ? "" : SystemError(code).text, hint: "check the name and the permissions")
  }
  defer { if descriptor != STDIN_FILENO { close(descriptor) } }
  var status = stat()
  if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
    throw .usage("\(path) is a directory", hint: "name a file")
  }
  var bytes: [UInt8] = []
  if status.st_mode & S_IFMT == S_IFREG {
    bytes.reserveCapacity(Int(min(status.st_size, 1 << 30)) + 1)
  }
  /// 1 GiB: the largest text that is read; far above any calendar.
  let limit = 1 << 30
  while true {
    let count = try waiting(for: signals, at: path) { readChunk(descriptor, into: &bytes) }
    if count == 0 { return bytes }
    if count < 0 {
      guard errno == EINTR else {
        throw RunFailure(
          .io, code: "io", message: "\(path) cannot be read", why: SystemError(errno).text,
          hint: "check the file and the disk")
      }
      continue
    }
    guard bytes.count <= limit else {
      throw .badItem("too-large", "\(path) is larger than 1 GiB", hint: "split it first")
    }
  }
}

private func waiting<Value>(for signals: StopSignals?, at path: String, _ call: () -> Value)
  throws(RunFailure) -> Value
{
  guard let signals else { return call() }
  return try signals.waiting(at: path == "-" ? "standard input" : path, call)
}

/// Adds what is there; gives what `read` says.
private func readChunk(_ descriptor: Int32, into bytes: inout [UInt8]) -> Int {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { buffer in
    let count = read(descriptor, buffer.baseAddress, buffer.count)
    if count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    return count
  }
}
