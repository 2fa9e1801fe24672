/// A name, a colour or the like of a collection that is about to be replaced or removed on a side.
public struct ValueChange: Sendable, Hashable {
  public var time: Instant
  public var side: Side
  public var key: MetadataKey
  /// What the side had; nil: none.
  public var before: String?
  /// What it is given; nil: its own is removed.
  public var after: String?

  /// - Parameters:
  ///   - before: an empty one is none.
  ///   - after: an empty one is none.
  public init(time: Instant, side: Side, key: MetadataKey, before: String?, after: String?) {
    self.time = time
    self.side = side
    self.key = key
    self.before = before.flatMap { $0.isEmpty ? nil : $0 }
    self.after = after.flatMap { $0.isEmpty ? nil : $0 }
  }
}
