public import SyncModel

/// A name, a colour or the like of a collection that one side has and the other could not be given
/// this time: the next run tries again.
public struct UnwrittenValue: Sendable, Hashable {
  public var key: MetadataKey
  /// The side that was to have it.
  public var side: Side
  public var value: String
  /// Why it was not taken, without a full stop.
  public var message: String
  /// What to do; may be empty.
  public var hint: String

  /// The machine-readable form.
  var json: JSONValue {
    .object(
      ("key", .string(key.rawValue)), ("side", .string(side.rawValue)), ("value", .string(value)),
      ("message", .string(message)), ("hint", .string(hint)))
  }
}
