import Glibc

extension PairStore {
  /// Says whether a file begins as a journal of calgw does. Nothing is opened as a database: what
  /// lies in a directory may be of any program.
  public static func isJournal(_ path: String) -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { _ = Glibc.close(descriptor) }
    var head = [UInt8](repeating: 0, count: applicationPlace.upperBound)
    guard Glibc.pread(descriptor, &head, head.count, 0) == head.count,
      head.starts(with: "SQLite format 3\0".utf8)
    else { return false }
    let application = head[applicationPlace].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return application == Schema.applicationID
  }

  /// Where SQLite has the application's id in the head of a file, the highest byte first.
  private static let applicationPlace = 68..<72
}
