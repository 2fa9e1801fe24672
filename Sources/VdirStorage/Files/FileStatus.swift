/// What `lstat` says of a name, as far as calgw cares.
public struct FileStatus: Sendable, Hashable {
  /// What a name stands for; a link is not followed.
  public enum Kind: Sendable, Hashable {
    case regular
    case directory
    case symbolicLink
    /// FIFO, socket or device.
    case special
  }

  public var kind: Kind
  /// In bytes.
  public var size: Int64
  /// In nanoseconds since 1970.
  public var modified: Int64
  /// When content, name or mode last changed, in nanoseconds since 1970; nobody can set it back.
  public var changed: Int64
  public var identity: FileIdentity
  /// The permission bits, at most `0o7777`.
  public var mode: UInt32
  /// The number of the group that the group's bits of the mode are for.
  public var group: UInt32

  public init(
    kind: Kind, size: Int64, modified: Int64, changed: Int64, identity: FileIdentity, mode: UInt32,
    group: UInt32 = 0
  ) {
    self.kind = kind
    self.size = size
    self.modified = modified
    self.changed = changed
    self.identity = identity
    self.mode = mode
    self.group = group
  }
}

/// What makes a file or directory this one and no other of the same name.
public struct FileIdentity: Sendable, Hashable {
  public var device: UInt64
  public var inode: UInt64

  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The bytes of a regular file and its status before and after they were read.
public struct FileContent: Sendable, Hashable {
  public var bytes: [UInt8]
  public var before: FileStatus
  public var after: FileStatus

  public init(bytes: [UInt8], before: FileStatus, after: FileStatus) {
    self.bytes = bytes
    self.before = before
    self.after = after
  }

  /// Nobody wrote into it meanwhile, as far as the times can tell.
  public var isStable: Bool {
    before.size == after.size && before.modified == after.modified
      && before.changed == after.changed && Int64(bytes.count) == after.size
  }
}
