import CLinux
import Glibc

/// A failed call to the file system: which one, and the system's code for why.
public struct FileError: Error, Sendable, Hashable {
  public var operation: FileOperation
  /// An `errno`.
  public var code: Int32

  public init(_ operation: FileOperation, _ code: Int32) {
    self.operation = operation
    self.code = code
  }

  /// The run was told to stop: nothing was done, and nothing will be done any more. No call for
  /// plain files gives this code of itself.
  public static func stopped(_ operation: FileOperation) -> FileError {
    FileError(operation, ECANCELED)
  }

  /// The run was told to stop.
  public var isStopped: Bool { code == ECANCELED }

  /// Nothing has that name.
  public var isNotThere: Bool { code == ENOENT }

  /// This user may not do that.
  public var isDenied: Bool { [EACCES, EPERM].contains(code) }

  /// There is no room left, or no writing at all: what follows would fail likewise.
  public var isDiskFull: Bool { [ENOSPC, EDQUOT, EROFS].contains(code) }

  /// The file system does not know this call.
  public var isUnsupported: Bool {
    [EINVAL, ENOSYS, EOPNOTSUPP].contains(code)
  }

  /// The system's words for the code.
  public var text: String {
    var space = [CChar](repeating: 0, count: 128)
    clinux_error_text(code, &space, space.count)
    return String(decoding: space.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Operation and words, as `rename: No space left on device`.
  public var summary: String { "\(operation.rawValue): \(text)" }
}

/// The calls of the `FileSystem` port.
public enum FileOperation: String, Sendable, Hashable, CaseIterable {
  case openDirectory = "open directory"
  case realPath = "resolve path"
  case list = "list directory"
  case status = "stat"
  case read
  case readContent = "read content"
  case create
  case setMode = "change mode"
  case write
  case startWriteback = "start writeback"
  case syncData = "sync data"
  case syncDirectory = "sync directory"
  case exchange
  case renameNoReplace = "rename without replacing"
  case rename
  case link
  case unlink
  case makeDirectory = "make directory"
  case lock
  case close
  case startThread = "start thread"
}
