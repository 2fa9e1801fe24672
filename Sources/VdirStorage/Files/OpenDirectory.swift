/// An open directory, closed when nobody needs it any more, and what is done in it.
final class OpenDirectory: Sendable {
  let files: any FileSystem
  let descriptor: Descriptor

  /// Takes over the descriptor.
  init(_ descriptor: Descriptor, files: any FileSystem) {
    self.files = files
    self.descriptor = descriptor
  }

  deinit { files.close(descriptor) }

  func openDirectory(_ name: FileName) throws(FileError) -> OpenDirectory {
    OpenDirectory(try files.openDirectory(name, in: descriptor), files: files)
  }

  func unlock() { files.unlock(descriptor) }

  func list() throws(FileError) -> [FileName] { try files.list(descriptor) }

  func status() throws(FileError) -> FileStatus { try files.status(of: descriptor) }

  func status(of name: FileName) throws(FileError) -> FileStatus {
    try files.status(of: name, in: descriptor)
  }

  /// Nil where nothing has the name.
  func statusIfThere(_ name: FileName) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      return try status(of: name)
    } catch {
      guard error.isNotThere else { throw error }
      return nil
    }
  }

  func read(_ name: FileName, limit: Int) throws(FileError) -> FileContent {
    try files.read(name, in: descriptor, limit: limit)
  }

  func isOpenForWriting(_ name: FileName) throws(FileError) -> Bool? {
    try files.isOpenForWriting(name, in: descriptor)
  }

  func create(_ name: FileName, mode: UInt32) throws(FileError) -> Descriptor {
    try files.create(name, in: descriptor, mode: mode)
  }

  func exchange(_ one: FileName, _ other: FileName) throws(FileError) {
    try files.exchange(one, other, in: descriptor)
  }

  func rename(_ from: FileName, to: FileName) throws(FileError) {
    try files.rename(from, to: to, in: descriptor)
  }

  func link(_ from: FileName, to: FileName) throws(FileError) {
    try files.link(from, to: to, in: descriptor)
  }

  func unlink(_ name: FileName) throws(FileError) {
    try files.unlink(name, in: descriptor)
  }

  func makeDirectory(_ name: FileName, mode: UInt32) throws(FileError) {
    try files.makeDirectory(name, in: descriptor, mode: mode)
  }

  func sync() throws(FileError) { try files.syncDirectory(descriptor) }
}
