import Glibc

/// A file that is to take another one's place, with room on the disk before its text is known.
///
/// A server that gives out a new refresh token takes the old one for stolen from then on: a disk
/// that is full has to be found before it is asked.
final class DraftFile: Sendable {
  private let path: String
  private let descriptor: Int32

  private init(_ path: String, _ descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private var name: String { Self.name(of: path) }

  private static func name(of path: String) -> String { path + ".new" }

  /// - Parameters:
  ///   - path: the file whose place it is to take; only one draft of it at a time is made.
  ///   - size: the bytes that its text can have.
  static func make(for path: String, size: Int) throws(SystemError) -> DraftFile {
    var status = stat()
    // A rename would say so too late.
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw SystemError(EISDIR) }
    // Left by a calgw that was killed.
    unlink(name(of: path))
    let descriptor = open(
      name(of: path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno) }
    let draft = DraftFile(path, descriptor)
    do { try draft.write([UInt8](repeating: 0x20, count: size)) } catch {
      draft.discard()
      throw error
    }
    return draft
  }

  /// Takes the place of the file, whole or not at all.
  func keep(_ text: [UInt8]) throws(SystemError) {
    try write(text)
    try checkName()
    guard rename(name, path) == 0 else { throw SystemError(errno) }
    let parent = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    let folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  /// Removes it; nothing where it was kept.
  func discard() {
    if (try? checkName()) != nil { unlink(name) }
  }

  /// Throws where the name is not this file's any more: a calgw on another machine, whose lock does
  /// not reach here, may have put a draft of its own there.
  private func checkName() throws(SystemError) {
    var (named, own) = (stat(), stat())
    guard lstat(name, &named) == 0, fstat(descriptor, &own) == 0 else { throw SystemError(errno) }
    guard named.st_dev == own.st_dev, named.st_ino == own.st_ino else {
      throw SystemError(EEXIST)
    }
  }

  private func write(_ text: [UInt8]) throws(SystemError) {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemError(errno) }
    var rest = text[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError(count == 0 ? EIO : errno) }
      rest = rest.dropFirst(count)
    }
    guard ftruncate(descriptor, off_t(text.count)) == 0, fsync(descriptor) == 0 else {
      throw SystemError(errno)
    }
  }
}
