/// Why a side as a whole could not be dealt with. What concerns one item is an `ItemProblem`.
public struct StorageError: Error, Sendable, Hashable {
  /// By what a caller does about it; each has its exit status (docs/cli.md).
  public enum Kind: Sendable, Hashable {
    /// The server cannot be reached: status 69.
    case unreachable
    /// The server asked to wait, in milliseconds where it said how long: status 75.
    case tryLater(Int64?)
    /// The other side broke its protocol: status 76.
    case protocolBroken
    /// Authentication or permission was refused: status 77.
    case denied
    /// The folder or the collection is not there: status 74 for a folder, the problem
    /// `collection-gone` for a remote collection.
    case vanished
    /// A file cannot be created: status 73.
    case cannotCreate
    /// Any other failure of input or output, as a full disk: status 74.
    case io
    /// The run was told to stop, by a signal or its deadline.
    case stopped
  }

  public var kind: Kind
  /// What failed and where, one sentence without a full stop. Never credentials or item contents.
  public var message: String
  /// The cause as the layer below said it.
  public var why: String
  /// What to do about it.
  public var hint: String
  /// The side answered, and refused what was asked for: it need not pass by itself, as a failure
  /// does.
  public var isRefusal = false
  /// It says nothing against the side's address: the side failed itself (5xx), or nobody knows who
  /// answered there, since the connection is not trusted.
  public var sparesAddress = false

  public init(_ kind: Kind, _ message: String, why: String = "", hint: String = "") {
    self.kind = kind
    self.message = message
    self.why = why
    self.hint = hint
  }
}
