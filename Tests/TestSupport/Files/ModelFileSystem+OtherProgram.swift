import Glibc
import Synchronization
public import VdirStorage

/// What an editor or another program does to the same disk. What it writes is durable at once, so
/// that a power cut never takes what a person saved.
extension ModelFileSystem {
  /// Makes a folder, and those above it.
  public func makeFolders(_ path: String) {
    state.withLock { state in
      var here = ModelDisk.root
      for part in path.utf8.split(separator: UInt8(ascii: "/")) {
        guard let name = FileName(Array(part)) else { return }
        if let there = state.disk.entry(name, in: here) {
          here = there.inode
          continue
        }
        let number = state.disk.make(.directory, mode: 0o777)
        state.disk.change(here, [(name, number)])
        state.disk.syncEntries(here)
        here = number
      }
    }
  }

  /// Writes a new file and renames it over the name, as vim does: a new inode.
  public func save(_ name: String, _ bytes: [UInt8], in path: String, mode: UInt32 = 0o644) {
    put(name, in: path) { disk in
      let number = disk.make(.regular, mode: mode)
      disk.inodes[number]?.mode = mode
      disk.setData(bytes, of: number)
      disk.syncData(number)
      return number
    }
  }

  /// Truncates and writes the file that has the name; the inode stays. Gives false if there is
  /// none.
  @discardableResult
  public func overwrite(_ name: String, _ bytes: [UInt8], in path: String) -> Bool {
    guard let handle = holdOpen(name, in: path) else { return false }
    write(bytes, to: handle)
    return true
  }

  /// A file that a program has open, whatever becomes of its name; nil where there is none.
  public func holdOpen(_ name: String, in path: String) -> UInt64? {
    inode(name, in: path)
  }

  /// Truncates and writes what a program has open.
  public func write(_ bytes: [UInt8], to handle: UInt64) {
    tellTime()
    state.withLock { state in
      state.disk.setData(bytes, of: handle)
      state.disk.syncData(handle)
    }
  }

  /// The names that an open file still has somewhere.
  public func names(of handle: UInt64) -> [FileName] {
    state.withLock { state in
      state.disk.inodes.values.flatMap(\.entries.values).filter { $0.inode == handle }.map(\.name)
    }
  }

  public func remove(_ name: String, in path: String) {
    change(path) { _ in [(name, nil)] }
  }

  public func rename(_ from: String, to: String, in path: String) {
    change(path) { disk in
      guard let name = FileName(from), let folder = try? disk.directory(at: Array(path.utf8)),
        let entry = disk.entry(name, in: folder)
      else { return [] }
      return [(from, nil), (to, entry.inode)]
    }
  }

  public func makeLink(_ name: String, to target: String, in path: String) {
    put(name, in: path) { disk in
      let number = disk.make(.symbolicLink, mode: 0o777)
      disk.inodes[number]?.target = Array(target.utf8)
      return number
    }
  }

  public func makeFIFO(_ name: String, in path: String) {
    put(name, in: path) { $0.make(.special, mode: 0o666) }
  }

  public func makeFolder(_ name: String, in path: String) {
    put(name, in: path) { $0.make(.directory, mode: 0o777) }
  }

  /// Takes away or gives the permission to read a file.
  public func setReadable(_ isReadable: Bool, _ name: String, in path: String) {
    guard let number = inode(name, in: path) else { return }
    state.withLock { $0.disk.inodes[number]?.isReadable = isReadable }
  }

  /// Sets a file's mtime (not its ctime, which nobody can), as `touch` and `cp -p` do.
  public func setModified(_ time: Int64, _ name: String, in path: String) {
    guard let number = inode(name, in: path) else { return }
    state.withLock { state in
      state.disk.now += state.disk.tick
      state.disk.inodes[number]?.modified = time
      state.disk.touch(number)
    }
  }

  /// What stands under names that are not on disk yet: a power cut may take the names away.
  public func unsettled(in path: String) -> [FileName: [UInt8]] {
    state.withLock { state in
      guard let folder = try? state.disk.directory(at: Array(path.utf8)),
        let inode = state.disk.inodes[folder]
      else { return [:] }
      var found: [FileName: [UInt8]] = [:]
      for (key, entry) in inode.entries where inode.durableEntries[key]?.inode != entry.inode {
        found[entry.name] = state.disk.inodes[entry.inode]?.data
      }
      return found
    }
  }

  /// Every name in a folder, sorted; nil where there is no such folder.
  public func names(in path: String) -> [String]? {
    state.withLock { state in
      guard let folder = try? state.disk.directory(at: Array(path.utf8)) else { return nil }
      return state.disk.inodes[folder]?.entries.values.map(\.name).sorted().map(\.text)
    }
  }

  /// The content of a plain file; nil where there is none.
  public func bytes(_ name: String, in path: String) -> [UInt8]? {
    guard let number = inode(name, in: path) else { return nil }
    return state.withLock { state in
      state.disk.inodes[number]?.kind == .regular ? state.disk.inodes[number]?.data : nil
    }
  }

  public func status(_ name: String, in path: String) -> FileStatus? {
    guard let number = inode(name, in: path) else { return nil }
    return state.withLock { $0.disk.status(of: number) }
  }

  /// Every plain file of a folder, hidden ones too, by name: what it holds, and whether that would
  /// survive a power cut. In no order.
  public func contents(of path: String) -> [FileName: (data: [UInt8], isDurable: Bool)] {
    state.withLock { state in
      guard let folder = try? state.disk.directory(at: Array(path.utf8)) else { return [:] }
      var found: [FileName: (data: [UInt8], isDurable: Bool)] = [:]
      for entry in (state.disk.inodes[folder]?.entries ?? [:]).values {
        guard let inode = state.disk.inodes[entry.inode], inode.kind == .regular else { continue }
        found[entry.name] = (inode.data, inode.durableData == inode.data)
      }
      return found
    }
  }

  /// Changes of names and data so far, whoever made them.
  public var changes: Int { state.withLock { $0.disk.changes } }

  private func inode(_ name: String, in path: String) -> UInt64? {
    state.withLock { state in
      guard let name = FileName(name),
        let folder = try? state.disk.directory(at: Array(path.utf8))
      else { return nil }
      return state.disk.entry(name, in: folder)?.inode
    }
  }

  private func put(_ name: String, in path: String, _ make: (inout ModelDisk) -> UInt64) {
    change(path) { disk in [(name, make(&disk))] }
  }

  private func change(
    _ path: String, _ changes: (inout ModelDisk) -> [(String, UInt64?)]
  ) {
    tellTime()
    state.withLock { state in
      guard let folder = try? state.disk.directory(at: Array(path.utf8)) else { return }
      let list = changes(&state.disk).compactMap { text, inode in
        FileName(text).map { ($0, inode) }
      }
      state.disk.change(folder, list)
      // A journaling file system keeps no later step without those before it, calgw's included.
      state.disk.syncEntries(folder)
    }
  }
}
