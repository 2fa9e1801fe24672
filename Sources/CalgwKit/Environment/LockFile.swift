import Glibc

/// A file that the kernel locks (flock(2)) for as long as anybody holds this, or until the process
/// ends, however it does.
final class LockFile: Sendable {
  let descriptor: Int32

  /// Opens the file at `path`, which is made where there is none, for its owner alone.
  init(_ path: String) throws(SystemError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // A process that was started meanwhile has a copy of the descriptor until it runs its program,
    // and would keep the lock with it.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Gives true once the file is locked; false where somebody else holds it, or a signal came.
  func take() throws(SystemError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK || errno == EINTR else { throw SystemError(errno) }
    return false
  }
}
