import Glibc
import VdirStorage

/// Spellings that are one name on a disk.
public enum NameFolding: Sendable {
  case none
  /// Upper and lower case (ASCII only).
  case letterCase
  /// An accented letter and the letter followed by the accent (é only).
  case accents

  /// The same letter.
  public static let composed = "\u{E9}"
  public static let decomposed = "e\u{301}"
}

/// What is on the model's disk and in its cache: inodes, and what a power cut would leave of them.
struct ModelDisk {
  struct Inode {
    var kind: FileStatus.Kind
    var mode: UInt32
    var modified: Int64
    var changed: Int64
    /// As everybody sees it.
    var data: [UInt8] = []
    /// As it is on disk for certain; nil: nothing of it.
    var durableData: [UInt8]?
    /// Of a symbolic link.
    var target: [UInt8] = []
    var entries: [Key: Entry] = [:]
    var durableEntries: [Key: Entry] = [:]
    /// What was done to the entries since the last sync, in order. A power cut keeps a part from
    /// the beginning, as a journaling file system does.
    var pending: [[Key: Entry?]] = []
    var isReadable = true
  }

  /// What two spellings of one name have in common.
  struct Key: Hashable {
    var bytes: [UInt8]
  }

  struct Entry: Hashable {
    var name: FileName
    var inode: UInt64
  }

  static let root: UInt64 = 2
  /// In bytes (NAME_MAX).
  static let longestName = 255
  /// With which the bytes of every accent on its own begin (U+0301 is CC 81).
  private static let accent: UInt8 = 0xCC

  var inodes: [UInt64: Inode] = [:]
  /// Changes of names and data so far.
  private(set) var changes = 0
  /// A change had a time that it cannot count.
  private(set) var hasCutTime = false
  /// Where paths led when they were followed, until a folder or a link comes, goes or is renamed.
  private var ways: [[UInt8]: UInt64] = [:]
  var nextInode: UInt64 = 100
  var folding = NameFolding.none
  var device: UInt64 = 1
  /// Virtual time in nanoseconds since 1970: 2025-01-01T00:00:00Z.
  var now: Int64 = 1_735_689_600_000_000_000
  /// How coarse the times of files are, in nanoseconds.
  var granularity: Int64 = 1
  /// Virtual time that each change takes, in nanoseconds.
  var tick: Int64 = 1000
  var umask: UInt32 = 0o022

  init() {
    inodes[Self.root] = Inode(kind: .directory, mode: 0o755, modified: now, changed: now)
  }

  var time: Int64 { now - now % granularity }

  func key(_ name: FileName) -> Key {
    switch folding {
    case .none: Key(bytes: name.bytes)
    case .letterCase: Key(bytes: name.bytes.map { (65...90).contains($0) ? $0 + 32 : $0 })
    case .accents where !name.bytes.contains(Self.accent): Key(bytes: name.bytes)
    // Text is the same in Swift where it is canonically equivalent.
    case .accents:
      Key(
        bytes: Array(name.text.replacing(NameFolding.decomposed, with: NameFolding.composed).utf8))
    }
  }

  func entry(_ name: FileName, in directory: UInt64) -> Entry? {
    inodes[directory]?.entries[key(name)]
  }

  func status(of number: UInt64) -> FileStatus? {
    guard let inode = inodes[number] else { return nil }
    return FileStatus(
      kind: inode.kind, size: Int64(inode.data.count), modified: inode.modified,
      changed: inode.changed, identity: FileIdentity(device: device, inode: number),
      mode: inode.mode)
  }

  mutating func make(_ kind: FileStatus.Kind, mode: UInt32) -> UInt64 {
    let number = nextInode
    nextInode += 1
    inodes[number] = Inode(kind: kind, mode: mode & ~umask, modified: time, changed: time)
    return number
  }

  /// Changes entries in one step. A nil removes the name.
  mutating func change(_ directory: UInt64, _ changes: [(FileName, UInt64?)]) {
    now += tick
    self.changes += 1
    let time = time
    if time != now { hasCutTime = true }
    var step: [Key: Entry?] = [:]
    for (name, inode) in changes {
      step[key(name)] = .some(inode.map { Entry(name: name, inode: $0) })
      if let inode { inodes[inode]?.changed = time }
    }
    for (key, entry) in step {
      let old = inodes[directory]?.entries[key]?.inode
      if let old { inodes[old]?.changed = time }
      if isOnWay(old) || isOnWay(entry?.inode) { ways = [:] }
      inodes[directory]?.entries[key] = entry
    }
    inodes[directory]?.pending.append(step)
    inodes[directory]?.modified = time
    inodes[directory]?.changed = time
  }

  private func isOnWay(_ number: UInt64?) -> Bool {
    guard let kind = number.flatMap({ inodes[$0]?.kind }) else { return false }
    return kind == .directory || kind == .symbolicLink
  }

  mutating func setData(_ data: [UInt8], of number: UInt64) {
    now += tick
    changes += 1
    let time = time
    if time != now { hasCutTime = true }
    inodes[number]?.data = data
    inodes[number]?.modified = time
    inodes[number]?.changed = time
  }

  /// Marks a change of a file's mode or times.
  mutating func touch(_ number: UInt64) {
    let time = time
    inodes[number]?.changed = time
  }

  mutating func syncData(_ number: UInt64) {
    let data = inodes[number]?.data
    inodes[number]?.durableData = data
  }

  mutating func syncEntries(_ directory: UInt64) {
    guard let entries = inodes[directory]?.entries else { return }
    inodes[directory]?.durableEntries = entries
    inodes[directory]?.pending = []
  }

  /// Cuts the power: of what was not synced, `random` says how much is left (it is asked for a
  /// number below its argument). Always 0 loses everything.
  mutating func crash(_ random: (Int) -> Int) {
    changes += 1
    ways = [:]
    for number in inodes.keys.sorted() {
      guard var inode = inodes[number] else { continue }
      let kept = random(inode.pending.count + 1)
      inode.entries = inode.durableEntries
      for step in inode.pending.prefix(kept) {
        for (key, entry) in step { inode.entries[key] = entry }
      }
      inode.durableEntries = inode.entries
      inode.pending = []
      if inode.kind == .regular, inode.data != inode.durableData ?? [] {
        inode.data = remains(of: inode, random)
        inode.durableData = inode.data
      }
      inodes[number] = inode
    }
  }

  /// The old data, none, the beginning of the new one (its size was written, the rest is zero), or
  /// all of it.
  private func remains(of inode: Inode, _ random: (Int) -> Int) -> [UInt8] {
    switch random(4) {
    case 0: inode.durableData ?? []
    case 1: []
    case 2:
      inode.data.prefix(inode.data.count / 2)
        + [UInt8](repeating: 0, count: inode.data.count - inode.data.count / 2)
    default: inode.data
    }
  }

  /// The directory that a path leads to; links are followed.
  mutating func directory(at path: [UInt8]) throws(FileError) -> UInt64 {
    if let known = ways[path] { return known }
    let found = try follow(path)
    ways[path] = found
    return found
  }

  private func follow(_ path: [UInt8], depth: Int = 0) throws(FileError) -> UInt64 {
    var here = Self.root
    for part in path.split(separator: UInt8(ascii: "/")) {
      guard let name = FileName(Array(part)), let entry = entry(name, in: here),
        let inode = inodes[entry.inode]
      else { throw FileError(.openDirectory, ENOENT) }
      switch inode.kind {
      case .directory: here = entry.inode
      case .symbolicLink:
        guard depth < 8 else { throw FileError(.openDirectory, ELOOP) }
        here = try follow(inode.target, depth: depth + 1)
      default: throw FileError(.openDirectory, ENOTDIR)
      }
    }
    return here
  }

  /// The path without links.
  func realPath(_ path: [UInt8], depth: Int = 0) -> [UInt8] {
    var result: [UInt8] = []
    var here = Self.root
    for part in path.split(separator: UInt8(ascii: "/")) {
      guard let name = FileName(Array(part)), let entry = entry(name, in: here) else { break }
      here = entry.inode
      if let inode = inodes[here], inode.kind == .symbolicLink, depth < 8 {
        result = realPath(inode.target, depth: depth + 1)
        here = (try? follow(inode.target)) ?? Self.root
      } else {
        result += [UInt8(ascii: "/")] + name.bytes
      }
    }
    return result.isEmpty ? [UInt8(ascii: "/")] : result
  }
}
