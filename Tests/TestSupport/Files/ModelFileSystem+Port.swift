import Glibc
import Synchronization
public import VdirStorage

extension ModelFileSystem: FileSystem {
  public func birth(of open: Descriptor) -> Int64? { nil }

  /// As on a network file system: what calgw does then is all that the simulator plays.
  public func isOpenForWriting(_ name: FileName, in directory: Descriptor) -> Bool? { nil }

  public func openDirectory(path: [UInt8]) throws(FileError) -> Descriptor {
    try call(.openDirectory) { state throws(FileError) in
      state.opened(try state.disk.directory(at: path))
    }
  }

  public func openDirectory(_ name: FileName, in directory: Descriptor) throws(FileError)
    -> Descriptor
  {
    try call(.openDirectory, name) { state throws(FileError) in
      let number = try state.inode(name, in: directory, .openDirectory)
      switch state.disk.inodes[number]?.kind {
      case .directory: return state.opened(number)
      case .symbolicLink: throw FileError(.openDirectory, ELOOP)
      default: throw FileError(.openDirectory, ENOTDIR)
      }
    }
  }

  public func realPath(_ path: [UInt8]) throws(FileError) -> [UInt8] {
    try call(.realPath) { state throws(FileError) in
      let parts = path.split(separator: UInt8(ascii: "/"))
      let above = try state.disk.directory(
        at: Array(parts.dropLast().joined(separator: [UInt8(ascii: "/")])))
      if let name = parts.last.flatMap({ FileName(Array($0)) }) {
        guard state.disk.entry(name, in: above) != nil else { throw FileError(.realPath, ENOENT) }
      }
      return state.disk.realPath(path)
    }
  }

  public func list(_ directory: Descriptor) throws(FileError) -> [FileName] {
    try call(.list) { state throws(FileError) in
      let inode = try state.directory(directory, .list)
      defer {
        state.hidden = []
        state.doubled = []
      }
      // In an order of its own, as a hashed directory has it, and the same in every process.
      let all = inode.entries.values.map(\.name)
      let names = all.filter { !state.hidden.contains($0) }
      let doubled = names.filter(state.doubled.contains)
      if names.count < all.count { state.oddities.insert(.leftOut) }
      if !doubled.isEmpty { state.oddities.insert(.namedTwice) }
      return (names + doubled)
        .sorted { $0.bytes.reversed().lexicographicallyPrecedes($1.bytes.reversed()) }
    }
  }

  public func status(of open: Descriptor) throws(FileError) -> FileStatus {
    try call(.status) { state throws(FileError) in
      guard let status = state.open[open.number].flatMap(state.disk.status) else {
        throw FileError(.status, EBADF)
      }
      return status
    }
  }

  public func status(of name: FileName, in directory: Descriptor) throws(FileError) -> FileStatus {
    try call(.status, name) { state throws(FileError) in
      let number = try state.inode(name, in: directory, .status)
      guard let status = state.disk.status(of: number) else { throw FileError(.status, ENOENT) }
      return status
    }
  }

  public func read(_ name: FileName, in directory: Descriptor, limit: Int) throws(FileError)
    -> FileContent
  {
    let (number, before) = try call(.read, name) {
      state throws(FileError) -> (UInt64, FileStatus) in
      let number = try state.inode(name, in: directory, .read)
      guard let inode = state.disk.inodes[number], let status = state.disk.status(of: number)
      else { throw FileError(.read, ENOENT) }
      switch inode.kind {
      case .regular: break
      case .symbolicLink: throw FileError(.read, ELOOP)
      case .directory: throw FileError(.read, EISDIR)
      case .special: throw FileError(.read, ENXIO)
      }
      guard inode.isReadable else { throw FileError(.read, EACCES) }
      guard inode.data.count <= limit else { throw FileError(.read, EFBIG) }
      state.reads.append(name)
      return (number, status)
    }
    // Another program may work between opening and reading.
    return try call(.readContent, name) { state throws(FileError) in
      guard let inode = state.disk.inodes[number], let after = state.disk.status(of: number) else {
        throw FileError(.read, EIO)
      }
      return FileContent(bytes: inode.data, before: before, after: after)
    }
  }

  public func create(_ name: FileName, in directory: Descriptor, mode: UInt32) throws(FileError)
    -> Descriptor
  {
    try effect(.create, name) { state throws(FileError) in
      let parent = try state.number(directory, .create)
      try state.requireFree(name, in: parent, .create)
      let number = state.disk.make(.regular, mode: mode)
      state.disk.change(parent, [(name, number)])
      return state.opened(number)
    }
  }

  /// All files of the model have one group.
  public func setMode(_ mode: UInt32, group: UInt32, of file: Descriptor) throws(FileError) {
    try effect(.setMode) { state throws(FileError) in
      let number = try state.number(file, .setMode)
      state.disk.inodes[number]?.mode = mode
      state.disk.touch(number)
    }
  }

  public func write(_ bytes: [UInt8], to file: Descriptor) throws(FileError) {
    try effect(.write, bytes: bytes.count) { state, partial throws(FileError) in
      let number = try state.number(file, .write)
      let old = state.disk.inodes[number]?.data ?? []
      state.disk.setData(old + bytes.prefix(partial ?? bytes.count), of: number)
    }
  }

  public func startWriteback(_ file: Descriptor) {}

  public func syncData(_ file: Descriptor) throws(FileError) {
    try effect(.syncData) { state throws(FileError) in
      state.disk.syncData(try state.number(file, .syncData))
    }
  }

  public func syncDirectory(_ directory: Descriptor) throws(FileError) {
    try effect(.syncDirectory) { state throws(FileError) in
      state.disk.syncEntries(try state.number(directory, .syncDirectory))
    }
  }

  public func exchange(_ one: FileName, _ other: FileName, in directory: Descriptor)
    throws(FileError)
  {
    try effect(.exchange, other) { state throws(FileError) in
      let parent = try state.number(directory, .exchange)
      let first = try state.inode(one, in: directory, .exchange)
      let second = try state.inode(other, in: directory, .exchange)
      state.disk.change(parent, [(one, second), (other, first)])
    }
  }

  public func renameNoReplace(_ from: FileName, to: FileName, in directory: Descriptor)
    throws(FileError)
  {
    try effect(.renameNoReplace, to) { state throws(FileError) in
      let parent = try state.number(directory, .renameNoReplace)
      let number = try state.inode(from, in: directory, .renameNoReplace)
      try state.requireFree(to, in: parent, .renameNoReplace)
      state.disk.change(parent, [(from, nil), (to, number)])
    }
  }

  public func rename(_ from: FileName, to: FileName, in directory: Descriptor) throws(FileError) {
    try effect(.rename, to) { state throws(FileError) in
      let parent = try state.number(directory, .rename)
      let number = try state.inode(from, in: directory, .rename)
      state.disk.change(parent, [(from, nil), (to, number)])
    }
  }

  public func link(_ from: FileName, to: FileName, in directory: Descriptor) throws(FileError) {
    try effect(.link, to) { state throws(FileError) in
      let parent = try state.number(directory, .link)
      let number = try state.inode(from, in: directory, .link)
      try state.requireFree(to, in: parent, .link)
      state.disk.change(parent, [(to, number)])
    }
  }

  public func unlink(_ name: FileName, in directory: Descriptor) throws(FileError) {
    try effect(.unlink, name) { state throws(FileError) in
      let parent = try state.number(directory, .unlink)
      _ = try state.inode(name, in: directory, .unlink)
      state.disk.change(parent, [(name, nil)])
    }
  }

  public func makeDirectory(_ name: FileName, in directory: Descriptor, mode: UInt32)
    throws(FileError)
  {
    try effect(.makeDirectory, name) { state throws(FileError) in
      let parent = try state.number(directory, .makeDirectory)
      try state.requireFree(name, in: parent, .makeDirectory)
      state.disk.change(parent, [(name, state.disk.make(.directory, mode: mode))])
    }
  }

  public func lock(_ open: Descriptor) throws(FileError) -> Bool {
    try call(.lock) { state throws(FileError) in
      let number = try state.number(open, .lock)
      guard state.locks[number] ?? open.number == open.number else { return false }
      state.locks[number] = open.number
      return true
    }
  }

  public func unlock(_ open: Descriptor) {
    state.withLock { state in
      if let number = state.open[open.number], state.locks[number] == open.number {
        state.locks[number] = nil
      }
    }
  }

  public func close(_ open: Descriptor) {
    unlock(open)
    state.withLock { state in _ = state.open.removeValue(forKey: open.number) }
  }
}
