import Glibc
import SyncModel

/// A file that nobody else may read: journals hold private calendars.
struct PrivateFile {
  let path: String

  /// The directory it is in; "." where the path names none.
  var directory: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Something is there, be it a dangling symbolic link.
  static func exists(_ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0
  }

  /// Something is there, or nobody lets us see whether there is: then opening it fails.
  static func mayExist(_ path: String) -> Bool {
    exists(path) || ![ENOENT, ENOTDIR].contains(errno)
  }

  /// Makes the directory, with the ones above it, for its owner alone. One that is there is left
  /// as it is, but must not let others exchange the file.
  func prepareDirectory() throws(JournalError) {
    try Self.makeDirectory(directory, depth: 0)
    var info = stat()
    guard stat(directory, &info) == 0 else { throw cannotWrite("reach the directory of") }
    guard info.st_uid == geteuid() else { throw foreign("the directory \(directory)") }
    guard info.st_mode & S_IWOTH == 0 || info.st_mode & S_ISVTX != 0 else {
      throw JournalError(
        .unusable, "anybody may write to the directory \(directory) of the journal",
        hint: "run `chmod o-w \(directory)`, or choose another `state_dir`")
    }
  }

  /// Deeper than any path that the system takes (PATH_MAX is 4096 bytes).
  private static let deepestPath = 2048

  private static func makeDirectory(_ path: String, depth: Int) throws(JournalError) {
    guard depth < deepestPath, !exists(path) else { return }
    try makeDirectory(PrivateFile(path: path).directory, depth: depth + 1)
    if mkdir(path, 0o700) == 0 {
      // The umask may have taken the owner's own permissions away.
      _ = chmod(path, 0o700)
    } else if errno != EEXIST {
      let why = String(cString: strerror(errno))
      throw JournalError(
        .cannotWrite, "cannot create the directory \(path) for the journal: \(why)",
        hint: "create it, or choose another `state_dir`")
    }
  }

  /// Creates an empty file with mode 0600 whatever the umask is; SQLite gives the files beside it
  /// the same mode.
  func create() throws(JournalError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw cannotWrite("create") }
    defer { close(descriptor) }
    guard fchmod(descriptor, 0o600) == 0, fsync(descriptor) == 0 else {
      throw cannotWrite("create")
    }
    try syncDirectory()
  }

  /// Checks that it is a file of ours and takes what others may do with it away.
  ///
  /// By name and never by opening it: closing any descriptor of a file lets go of all locks that
  /// this process holds on it, SQLite's among them (fcntl(2)).
  func check() throws(JournalError) {
    var info = stat()
    guard lstat(path, &info) == 0 else { throw cannotWrite("open") }
    guard info.st_mode & S_IFMT != S_IFLNK else { throw notAFile("a symbolic link") }
    guard info.st_mode & S_IFMT == S_IFREG else { throw notAFile("no regular file") }
    guard info.st_uid == geteuid() else { throw foreign("the journal \(path)") }
    guard info.st_mode & 0o7177 != 0 else { return }
    // On a disk that is only read it stays as it is, and a copy of it can be had.
    guard chmod(path, info.st_mode & 0o600) == 0 || errno == EROFS else {
      throw cannotWrite("protect")
    }
  }

  /// Nothing can be written beside it.
  var isInClosedDirectory: Bool { faccessat(AT_FDCWD, directory, W_OK, AT_EACCESS) != 0 }

  /// What changes where somebody writes into the file: its size, and when that was.
  static func state(_ path: String) -> [Int] {
    var info = stat()
    guard lstat(path, &info) == 0 else { return [] }
    return [Int(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec]
  }

  /// The size in bytes; 0 where nothing is there.
  static func size(_ path: String) -> Int {
    var info = stat()
    return lstat(path, &info) == 0 ? Int(info.st_size) : 0
  }

  /// Makes names in the directory durable.
  func syncDirectory() throws(JournalError) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannotWrite("reach the directory of") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw cannotWrite("make durable") }
  }

  /// Makes its contents durable.
  func sync() throws(JournalError) {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannotWrite("open") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw cannotWrite("make durable") }
  }

  func cannotWrite(_ verb: String) -> JournalError {
    let why = String(cString: strerror(errno))
    return JournalError(
      .cannotWrite, "cannot \(verb) the journal \(path): \(why)",
      hint: "check the disk, and the owner and mode of the file and its directory")
  }

  private func notAFile(_ what: String) -> JournalError {
    JournalError(
      .unusable, "the journal \(path) is \(what)",
      hint: "move it away, or choose another `state_dir`")
  }

  private func foreign(_ what: String) -> JournalError {
    JournalError(
      .unusable, "\(what) belongs to another user",
      hint: "run calgw as that user, or choose another `state_dir`")
  }
}
