import SyncModel

extension FileStatus {
  /// Size, both times and inode: equal ones mean equal bytes, unless the file was written so
  /// lately that a second write fell into the same tick of the clock.
  var fingerprint: EntityTag {
    EntityTag(bytes: Array("\(size) \(modified) \(changed) \(identity.inode)".utf8))
  }

  var modifiedInstant: Instant { Instant(milliseconds: milliseconds(modified)) }

  /// The later of the two times.
  var touched: Instant { Instant(milliseconds: milliseconds(max(modified, changed))) }

  /// A file that was written so shortly before a scan may be written again in the same tick of the
  /// clock, and look the same. In milliseconds: FAT has the coarsest clock, 2 s.
  private static let coarsestTick: Int64 = 2000

  /// Whoever writes into it after a scan gives it another time than it has.
  func isSettled(before scan: Instant) -> Bool {
    touched < scan.advanced(by: -Self.coarsestTick)
  }
}

/// Rounded down, also before 1970.
private func milliseconds(_ nanoseconds: Int64) -> Int64 {
  let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
  return remainder < 0 ? quotient - 1 : quotient
}

/// Where a listing of a folder left off: which folder it was, and when the scan began.
struct ScanCursor: Sendable, Hashable {
  var directory: FileIdentity
  var time: Instant

  private static let version = "vdir1"

  init(directory: FileIdentity, time: Instant) {
    self.directory = directory
    self.time = time
  }

  /// Nil for what is no cursor of a vdir: then everything is read anew.
  init?(_ cursor: Cursor) {
    let parts = String(decoding: cursor.bytes, as: UTF8.self).split(separator: " ")
    guard parts.count == 4, parts[0] == Self.version, let device = UInt64(parts[1]),
      let inode = UInt64(parts[2]), let time = Int64(parts[3])
    else { return nil }
    directory = FileIdentity(device: device, inode: inode)
    self.time = Instant(milliseconds: time)
  }

  var cursor: Cursor {
    let text = "\(Self.version) \(directory.device) \(directory.inode) \(time.milliseconds)"
    return Cursor(bytes: Array(text.utf8))
  }
}
