public import SyncModel

/// What the vdir adapter needs of the world.
public struct VdirAccess: Sendable {
  public var files: any FileSystem
  public var digest: DigestFunction
  public var surroundings: Surroundings
  /// In bytes. A larger file is a problem of its own and never read, so that one of them cannot
  /// take all memory.
  public var maxItemSize: Int
  /// In bytes: what is given at once of many files, but for a single one.
  public var bytesAtOnce: Int
  /// Files are written whatever they are called, for who was given their names by a person. A scan
  /// gives items alone, and so a sync writes no others.
  public var takesAnyName: Bool
  /// Where the blocking calls run. Nil: where Swift runs an actor, or the task's preferred
  /// executor.
  public var executor: (any SerialExecutor)?

  /// 16 MiB: items with a picture in them reach some MiB, and servers take no more.
  public static let usualMaxItemSize = 16 * 1024 * 1024

  public init(
    files: any FileSystem = LinuxFileSystem(), digest: @escaping DigestFunction,
    surroundings: Surroundings, maxItemSize: Int = usualMaxItemSize,
    bytesAtOnce: Int = StorageTraits.usualBytesAtOnce, takesAnyName: Bool = false,
    executor: (any SerialExecutor)? = nil
  ) {
    self.files = files
    self.digest = digest
    self.surroundings = surroundings
    self.maxItemSize = maxItemSize
    self.bytesAtOnce = bytesAtOnce
    self.takesAnyName = takesAnyName
    self.executor = executor
  }
}

/// Gives the executor of an actor that may have an injected one.
///
/// An actor that chooses its executor has no default one to fall back on, so it borrows that of an
/// actor with nothing to do.
struct ChosenExecutor: Sendable {
  private actor Idle {}

  private let injected: (any SerialExecutor)?
  private let idle = Idle()

  init(_ injected: (any SerialExecutor)?) { self.injected = injected }

  var unowned: UnownedSerialExecutor {
    injected?.asUnownedSerialExecutor() ?? idle.unownedExecutor
  }
}
