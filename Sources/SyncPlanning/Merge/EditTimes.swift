public import SyncModel

/// When each side of an item was edited, as far as anybody can tell (docs/merge.md).
///
/// The time of a side is its LAST-MODIFIED if that differs from the base's, since text editors do
/// not touch it; else when the side says that the resource changed, by our clock. A time that is
/// missing or absurd is nil.
public struct EditTimes: Sendable, Hashable {
  public var local: Instant?
  public var remote: Instant?

  public init(local: Instant?, remote: Instant?) {
    self.local = local
    self.remote = remote
  }

  /// The times of two versions.
  public init(
    _ local: ItemVersion, _ remote: ItemVersion, since base: Agreement?, by clocks: Clocks
  ) {
    self.local = Self.time(of: local, base: base?.local, on: .local, clocks)
    self.remote = Self.time(of: remote, base: base?.remote, on: .remote, clocks)
  }

  /// The side that was edited last: the remote one where nothing says so, so that the rule is total
  /// and the same on every machine.
  public var newer: Side {
    guard let local, let remote else { return .remote }
    return local.milliseconds(since: remote) > Self.sameTime ? .local : .remote
  }

  /// The times say which side is newer: both are there, and more than 2 s apart.
  public var areTelling: Bool {
    guard let local, let remote else { return false }
    return local.milliseconds(since: remote).magnitude > Self.sameTime
  }

  /// The later of the two.
  public var latest: Instant? { [local, remote].compactMap(\.self).max() }

  /// Clocks of two machines and file systems that count in twos of seconds cannot tell less apart;
  /// in milliseconds.
  private static let sameTime: Int64 = 2_000

  /// Before this, calendar clients write placeholders such as the year 1 or 1970.
  private static let firstPlausible = Instant(seconds: 631_152_000)  // 1990-01-01
  /// A clock that is ahead by a zone is plausible; one that is ahead by more than a day is not. In
  /// milliseconds.
  private static let tolerance: Int64 = 86_400_000

  private static func time(
    of version: ItemVersion, base: ItemVersion?, on side: Side, _ clocks: Clocks
  ) -> Instant? {
    let time =
      if let stated = version.lastModified, stated != base?.lastModified {
        stated
      } else {
        version.modified.map { clocks.ours($0, on: side) }
      }
    guard let time, time >= firstPlausible,
      time <= clocks.now.advanced(by: tolerance)
    else { return nil }
    return time
  }
}
