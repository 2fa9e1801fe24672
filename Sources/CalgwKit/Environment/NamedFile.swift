import Glibc

/// Reads a file that the command line names; it must be a plain one, or a link to one, and nothing
/// waits for a FIFO's other end.
func readNamedFile(_ path: [UInt8], limit: Int) throws(RunFailure) -> [UInt8] {
  func failure(_ code: Int32) -> RunFailure {
    // A socket cannot be opened at all.
    if code == ENXIO { return noPlainFile(.socket) }
    return PlaceFinder.unreadable(nameText(path).text, code)
  }
  func noPlainFile(_ odd: OddFile) -> RunFailure {
    RunFailure(
      .attention, code: "not-a-file", message: "it is \(odd.words)", place: nameText(path).text,
      hint: odd.mend)
  }
  let file = open(cPath(path), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
  guard file >= 0 else { throw failure(errno) }
  defer { close(file) }
  var status = stat()
  guard fstat(file, &status) == 0 else { throw failure(errno) }
  if let odd = OddFile(mode: status.st_mode) { throw noPlainFile(odd) }
  guard status.st_size <= limit else { throw failure(EFBIG) }
  var bytes: [UInt8] = []
  bytes.reserveCapacity(Int(status.st_size) + 1)
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while bytes.count <= limit {
    let count = read(file, &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw failure(errno) }
    if count == 0 { break }
    bytes += buffer[..<count]
  }
  return bytes
}

/// What a path names that is no plain file.
enum OddFile: String {
  case directory = "a directory"
  case pipe = "a pipe"
  case socket = "a socket"
  case device = "a device"
  /// To a plain file.
  case link = "a symbolic link"

  /// Nil for a plain file.
  init?(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: self = .directory
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  /// Nil for a plain file, and where there is nothing.
  init?(at path: [UInt8]) {
    var status = stat()
    guard stat(cPath(path), &status) == 0 else { return nil }
    if let odd = OddFile(mode: status.st_mode) {
      self = odd
      return
    }
    guard lstat(cPath(path), &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    self = .link
  }

  /// Behind "it is".
  var words: String { "\(rawValue), and no plain file" }

  var mend: String {
    switch self {
    case .directory: "name a file in it"
    case .pipe, .socket, .device: "save what comes out of it to a file, and name that"
    case .link: "name the file that it leads to"
    }
  }
}
