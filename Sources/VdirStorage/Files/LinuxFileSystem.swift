import CLinux
import Glibc

/// The file system of the Linux that calgw runs on.
public struct LinuxFileSystem: FileSystem {
  public init() {}

  public func openDirectory(path: [UInt8]) throws(FileError) -> Descriptor {
    guard !path.isEmpty, !path.contains(0) else { throw FileError(.openDirectory, ENOENT) }
    return try opened(.openDirectory) {
      withTerminated(path) { openat(AT_FDCWD, $0, clinux_open_directory_flags) }
    }
  }

  public func openDirectory(_ name: FileName, in directory: Descriptor) throws(FileError)
    -> Descriptor
  {
    try opened(.openDirectory) {
      withTerminated(name.bytes) {
        openat(directory.number, $0, clinux_open_directory_flags | clinux_no_follow)
      }
    }
  }

  public func realPath(_ path: [UInt8]) throws(FileError) -> [UInt8] {
    guard !path.isEmpty, !path.contains(0) else { throw FileError(.realPath, ENOENT) }
    let resolved = withTerminated(path) { realpath($0, nil) }
    guard let resolved else { throw FileError(.realPath, errno) }
    defer { free(resolved) }
    return bytes(of: resolved)
  }

  public func list(_ directory: Descriptor) throws(FileError) -> [FileName] {
    // A descriptor of its own, since reading a directory moves the position of its descriptor.
    let own = try opened(.list) { openat(directory.number, ".", clinux_open_directory_flags) }
    guard let stream = fdopendir(own.number) else {
      let code = errno
      close(own)
      throw FileError(.list, code)
    }
    defer { closedir(stream) }
    var seen = Set<FileName>()
    var names: [FileName] = []
    while true {
      var code: Int32 = 0
      guard let next = clinux_next_name(stream, &code) else {
        guard code == 0 else { throw FileError(.list, code) }
        return names
      }
      // `.` and `..` are no file names; a name may come twice while entries are moved about.
      if let name = FileName(bytes(of: next)), seen.insert(name).inserted { names.append(name) }
    }
  }

  public func status(of open: Descriptor) throws(FileError) -> FileStatus {
    var result = stat()
    try check(.status) { fstat(open.number, &result) }
    return FileStatus(result)
  }

  public func birth(of open: Descriptor) -> Int64? {
    let time = clinux_birth(open.number)
    return time < 0 ? nil : time
  }

  public func status(of name: FileName, in directory: Descriptor) throws(FileError) -> FileStatus {
    var result = stat()
    try check(.status) {
      withTerminated(name.bytes) {
        fstatat(directory.number, $0, &result, AT_SYMLINK_NOFOLLOW)
      }
    }
    return FileStatus(result)
  }

  public func lock(_ open: Descriptor) throws(FileError) -> Bool {
    do throws(FileError) {
      try check(.lock) { flock(open.number, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      guard error.code == EWOULDBLOCK else { throw error }
      return false
    }
  }

  public func unlock(_ open: Descriptor) { _ = flock(open.number, LOCK_UN) }

  public func close(_ open: Descriptor) {
    // Not repeated after EINTR: on Linux the descriptor is gone by then (close(2)).
    _ = Glibc.close(open.number)
  }
}

extension FileStatus {
  init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .special
      }
    self.init(
      kind: kind, size: Int64(status.st_size), modified: nanoseconds(status.st_mtim),
      changed: nanoseconds(status.st_ctim),
      identity: FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)),
      mode: UInt32(status.st_mode & 0o7777), group: UInt32(status.st_gid))
  }
}

/// Wraps around for times beyond the year 2262, which then still differ from each other.
private func nanoseconds(_ time: timespec) -> Int64 {
  Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

private func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
  UnsafeRawBufferPointer(start: text, count: strlen(text)).map { $0 }
}

/// Hands out the bytes with a closing zero.
func withTerminated<Result>(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
  var text = bytes.map(CChar.init(bitPattern:))
  text.append(0)
  return text.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return body("") }
    return body(start)
  }
}

/// Calls until it is not interrupted by a signal; -1 is an error.
@discardableResult
func check(_ operation: FileOperation, _ call: () -> Int32) throws(FileError) -> Int32 {
  while true {
    let result = call()
    if result != -1 { return result }
    let code = errno
    guard code == EINTR else { throw FileError(operation, code) }
  }
}

func opened(_ operation: FileOperation, _ call: () -> Int32) throws(FileError) -> Descriptor {
  Descriptor(number: try check(operation, call))
}
