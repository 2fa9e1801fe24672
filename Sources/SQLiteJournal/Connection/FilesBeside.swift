import Glibc

/// What SQLite keeps beside a database.
extension PrivateFile {
  private var beside: [String] { ["-wal", "-shm", "-journal"].map { path + $0 } }

  /// Lets the owner use the files beside one that the owner may read and write.
  ///
  /// SQLite makes them with the mode that the database has then. One that was made while the
  /// database was read-only stays so, and keeps it from being written after its own mode is mended.
  /// What cannot be mended stays as it is: opening the database tells.
  func mendModesBeside() {
    guard Self.isOwnersToWrite(path) == true else { return }
    for path in beside where Self.isOwnersToWrite(path) == false {
      // By name, as in `check`, and never through a link that took its place since.
      _ = fchmodat(AT_FDCWD, path, 0o600, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// The first of the files beside it that cannot be read and written, where it can itself.
  var closedBeside: String? {
    guard Self.isOpenToUs(path) else { return nil }
    return beside.first { Self.exists($0) && !Self.isOpenToUs($0) }
  }

  /// Says whether its mode lets the owner read and write; nil where it is no regular file of ours.
  private static func isOwnersToWrite(_ path: String) -> Bool? {
    guard let info = regularFile(path), info.st_uid == geteuid() else { return nil }
    return info.st_mode & 0o600 == 0o600
  }

  /// SQLite opens no link.
  private static func isOpenToUs(_ path: String) -> Bool {
    regularFile(path) != nil && faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0
  }

  private static func regularFile(_ path: String) -> stat? {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG ? info : nil
  }
}
