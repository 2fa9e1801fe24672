import CLinux
import Glibc

/// Reading, writing and moving files.
extension LinuxFileSystem {
  public func read(_ name: FileName, in directory: Descriptor, limit: Int) throws(FileError)
    -> FileContent
  {
    let file = try openRegular(name, in: directory)
    defer { close(file) }
    let before = try status(of: file)
    try requireRegular(before)
    guard before.size <= Int64(limit) else { throw FileError(.read, EFBIG) }
    let bytes = try contents(of: file, expecting: Int(before.size), limit: limit)
    return FileContent(bytes: bytes, before: before, after: try status(of: file))
  }

  public func isOpenForWriting(_ name: FileName, in directory: Descriptor) throws(FileError)
    -> Bool?
  {
    let file = try openRegular(name, in: directory)
    defer { close(file) }
    return switch clinux_is_open_for_writing(file.number) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  private func openRegular(_ name: FileName, in directory: Descriptor) throws(FileError)
    -> Descriptor
  {
    // Looked at before it is opened, since opening a device can already do something.
    try requireRegular(try status(of: name, in: directory))
    return try opened(.read) {
      withTerminated(name.bytes) { openat(directory.number, $0, clinux_open_read_flags) }
    }
  }

  public func create(_ name: FileName, in directory: Descriptor, mode: UInt32) throws(FileError)
    -> Descriptor
  {
    try opened(.create) {
      withTerminated(name.bytes) {
        openat(directory.number, $0, clinux_create_flags, mode_t(mode))
      }
    }
  }

  public func setMode(_ mode: UInt32, group: UInt32, of file: Descriptor) throws(FileError) {
    let group = gid_t(group)
    var mode = mode_t(mode)
    if try status(of: file).group != group {
      do throws(FileError) {
        // The owner stays.
        try check(.setMode) { fchown(file.number, uid_t.max, group) }
      } catch {
        mode &= ~0o070
      }
    }
    try check(.setMode) { fchmod(file.number, mode) }
  }

  public func write(_ bytes: [UInt8], to file: Descriptor) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes {
        Glibc.write(file.number, $0.baseAddress.map { $0 + done }, bytes.count - done)
      }
      if written < 0, errno == EINTR { continue }
      // Nothing written and no error would go on for ever.
      guard written > 0 else { throw FileError(.write, written < 0 ? errno : EIO) }
      done += written
    }
  }

  public func startWriteback(_ file: Descriptor) {
    // Only a head start: where it is not known, fdatasync does all of the work.
    _ = clinux_start_writeback(file.number)
  }

  public func syncData(_ file: Descriptor) throws(FileError) {
    try check(.syncData) { fdatasync(file.number) }
  }

  public func syncDirectory(_ directory: Descriptor) throws(FileError) {
    do throws(FileError) {
      try check(.syncDirectory) { fsync(directory.number) }
    } catch {
      // Some network and user-space file systems have no such thing for directories (fsync(2)).
      guard error.code == EINVAL else { throw error }
    }
  }

  public func exchange(_ one: FileName, _ other: FileName, in directory: Descriptor)
    throws(FileError)
  {
    try withTwo(.exchange, one, other) { clinux_exchange(directory.number, $0, $1) }
  }

  public func renameNoReplace(_ from: FileName, to: FileName, in directory: Descriptor)
    throws(FileError)
  {
    try withTwo(.renameNoReplace, from, to) {
      clinux_rename_no_replace(directory.number, $0, $1)
    }
  }

  public func rename(_ from: FileName, to: FileName, in directory: Descriptor) throws(FileError) {
    try withTwo(.rename, from, to) { renameat(directory.number, $0, directory.number, $1) }
  }

  public func link(_ from: FileName, to: FileName, in directory: Descriptor) throws(FileError) {
    try withTwo(.link, from, to) { linkat(directory.number, $0, directory.number, $1, 0) }
  }

  public func unlink(_ name: FileName, in directory: Descriptor) throws(FileError) {
    try check(.unlink) { withTerminated(name.bytes) { unlinkat(directory.number, $0, 0) } }
  }

  public func makeDirectory(_ name: FileName, in directory: Descriptor, mode: UInt32)
    throws(FileError)
  {
    try check(.makeDirectory) {
      withTerminated(name.bytes) { mkdirat(directory.number, $0, mode_t(mode)) }
    }
  }

  private func requireRegular(_ status: FileStatus) throws(FileError) {
    switch status.kind {
    case .regular: return
    case .symbolicLink: throw FileError(.read, ELOOP)
    case .directory: throw FileError(.read, EISDIR)
    case .special: throw FileError(.read, ENXIO)
    }
  }

  /// Reads to the end, which is one byte further than expected where the file grows meanwhile.
  package func contents(of file: Descriptor, expecting size: Int, limit: Int) throws(FileError)
    -> [UInt8]
  {
    var room = size + 1
    var bytes: [UInt8] = []
    while true {
      let wanted = room - bytes.count
      var got = 0
      var code: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        got = Glibc.read(file.number, buffer.baseAddress, wanted)
        code = errno
        count = max(got, 0)
      }
      if got < 0, code == EINTR { continue }
      guard got >= 0 else { throw FileError(.read, code) }
      if got == 0 { return bytes }
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else { throw FileError(.read, EFBIG) }
      if bytes.count == room { room += 64 * 1024 }
    }
  }

  private func withTwo(
    _ operation: FileOperation, _ one: FileName, _ other: FileName,
    _ call: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) throws(FileError) {
    try check(operation) {
      withTerminated(one.bytes) { first in
        withTerminated(other.bytes) { second in call(first, second) }
      }
    }
  }
}
