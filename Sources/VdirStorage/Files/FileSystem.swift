/// The file system as the vdir adapter uses it: synchronous, relative to open directories, one
/// safe name at a time.
///
/// No call follows a symbolic link, except `openDirectory(path:)` and `realPath` for the path that
/// a person configured. Interrupted calls are repeated, short reads and writes are finished.
public protocol FileSystem: Sendable {
  /// Opens a directory by its path.
  func openDirectory(path: [UInt8]) throws(FileError) -> Descriptor
  /// Opens a directory below another one; a symbolic link is `ELOOP` or `ENOTDIR`.
  func openDirectory(_ name: FileName, in directory: Descriptor) throws(FileError) -> Descriptor
  /// The path without symbolic links and dots.
  func realPath(_ path: [UInt8]) throws(FileError) -> [UInt8]

  /// Every name of a directory once, in no order, without `.` and `..`. An error midway is an
  /// error, never a short list.
  func list(_ directory: Descriptor) throws(FileError) -> [FileName]
  /// The status of what is open.
  func status(of open: Descriptor) throws(FileError) -> FileStatus
  /// When what is open was made, in nanoseconds since 1970; nil where nobody keeps that.
  func birth(of open: Descriptor) -> Int64?
  /// The status of a name; of a symbolic link its own.
  func status(of name: FileName, in directory: Descriptor) throws(FileError) -> FileStatus
  /// Reads a regular file of at most `limit` bytes: `EFBIG` if it is larger, `ELOOP` for a
  /// symbolic link, `EISDIR` for a directory, `ENXIO` for anything else, none of which is opened.
  func read(_ name: FileName, in directory: Descriptor, limit: Int) throws(FileError)
    -> FileContent
  /// Says whether a program has a regular file open for writing; nil where the file system does not
  /// tell.
  func isOpenForWriting(_ name: FileName, in directory: Descriptor) throws(FileError) -> Bool?

  /// Makes a new file for writing, its mode being `mode` without the umask; `EEXIST` if the name
  /// is taken.
  func create(_ name: FileName, in directory: Descriptor, mode: UInt32) throws(FileError)
    -> Descriptor
  /// Sets the mode, whatever the umask, and the group whose bits are in it. A group that may not be
  /// set gets no bits, and neither does the one that the file has.
  func setMode(_ mode: UInt32, group: UInt32, of file: Descriptor) throws(FileError)
  func write(_ bytes: [UInt8], to file: Descriptor) throws(FileError)
  /// Lets the system begin to write the data to disk, without a promise.
  func startWriteback(_ file: Descriptor)
  /// Gives back when the data is on disk. After an error the data may be lost: write a new file.
  func syncData(_ file: Descriptor) throws(FileError)
  /// Gives back when the names of a directory are on disk.
  func syncDirectory(_ directory: Descriptor) throws(FileError)

  /// Swaps two names in one step; `EINVAL` or `ENOSYS` where the file system cannot.
  func exchange(_ one: FileName, _ other: FileName, in directory: Descriptor) throws(FileError)
  /// Renames; `EEXIST` if the new name is taken; `EINVAL` or `ENOSYS` where the file system
  /// cannot.
  func renameNoReplace(_ from: FileName, to: FileName, in directory: Descriptor)
    throws(FileError)
  /// Renames, and replaces what has the new name.
  func rename(_ from: FileName, to: FileName, in directory: Descriptor) throws(FileError)
  /// Gives a file a second name; `EEXIST` if that is taken.
  func link(_ from: FileName, to: FileName, in directory: Descriptor) throws(FileError)
  func unlink(_ name: FileName, in directory: Descriptor) throws(FileError)
  /// Makes a directory, its mode being `mode` without the umask; `EEXIST` if the name is taken.
  func makeDirectory(_ name: FileName, in directory: Descriptor, mode: UInt32)
    throws(FileError)

  /// Takes the lock of what is open without waiting; it is freed by closing and by the death of
  /// the process. Gives false if another one holds it.
  func lock(_ open: Descriptor) throws(FileError) -> Bool
  /// Gives the lock back, also where a process that was started meanwhile has a copy of the
  /// descriptor, and would keep the lock until it runs its program.
  func unlock(_ open: Descriptor)
  func close(_ open: Descriptor)
}

/// What is open, by its number.
public struct Descriptor: Sendable, Hashable {
  public let number: Int32
  public init(number: Int32) { self.number = number }
}
