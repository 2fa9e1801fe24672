public import SyncModel

/// The lock of a folder, held until this is let go of, or the process dies.
public final class VdirLock: Sendable {
  private let directory: OpenDirectory

  /// Takes the kernel's lock of a folder without waiting. Fails with `.tryLater` where another
  /// process, or another pair of this one, holds it.
  init(_ location: VdirLocation, files: any FileSystem) throws(StorageError) {
    let isLocked: Bool
    do throws(FileError) {
      // A descriptor of its own: the lock goes when it is closed.
      directory = try location.open(files)
      isLocked = try files.lock(directory.descriptor)
    } catch {
      throw error.trouble("locking the folder", at: location.text)
    }
    guard isLocked else {
      throw StorageError(
        .tryLater(nil), "another calgw holds the lock of \(location.text)",
        hint: "wait for it to end, or run again with --wait 5m")
    }
  }

  deinit { directory.unlock() }
}

extension VdirRoot {
  /// Locks the root folder against other writing runs.
  public nonisolated func lock() throws(StorageError) -> VdirLock {
    try VdirLock(VdirLocation(root: path), files: access.files)
  }

  /// Locks the folder of a collection, so that two pairs cannot write into it at once, whatever
  /// their roots are. The root itself has one lock only: take it by `lock()` or by this.
  public nonisolated func lock(_ collection: CollectionDescription) throws(StorageError)
    -> VdirLock
  {
    try VdirLock(try location(of: collection), files: access.files)
  }
}
