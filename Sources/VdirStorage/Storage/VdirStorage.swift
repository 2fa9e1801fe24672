public import SyncModel

/// A folder of a vdir as one side of a pair: each `*.ics` file in it is an item.
///
/// Only `*.ics` in lower case counts, as with the other programs that share vdirs. Nothing below
/// the folder is entered, no symbolic link followed, nothing opened that is no plain file.
public actor VdirStorage: Storage {
  public nonisolated let traits: StorageTraits
  nonisolated let access: VdirAccess
  nonisolated let location: VdirLocation
  nonisolated let directory: OpenDirectory
  private nonisolated let executor: ChosenExecutor
  var writer: ItemWriter
  /// The items that the last listing of this run saw, and those that were written since; nil
  /// before the first one.
  var seen: [FileName: SeenFile]?
  /// The folder before that listing; nil where no time of it would show that names changed since.
  var folderBefore: SeenFile?

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

  /// Takes the folder by its path. Fails with `.vanished` where there is none.
  public static func open(path: [UInt8], access: VdirAccess) throws(StorageError) -> VdirStorage {
    try open(VdirLocation(root: path), access: access)
  }

  static func open(_ location: VdirLocation, access: VdirAccess) throws(StorageError)
    -> VdirStorage
  {
    do throws(FileError) {
      let directory = try location.open(access.files)
      return VdirStorage(directory, at: location, access: access)
    } catch {
      throw error.trouble("opening the folder", at: location.text)
    }
  }

  private init(_ directory: OpenDirectory, at location: VdirLocation, access: VdirAccess) {
    self.directory = directory
    self.location = location
    self.access = access
    executor = ChosenExecutor(access.executor)
    writer = ItemWriter(directory, at: location.text, access: access)
    var traits = StorageTraits()
    traits.maxItemSize = access.maxItemSize
    traits.readBatch = 500
    traits.writeBatch = 500
    traits.bytesAtOnce = access.bytesAtOnce
    self.traits = traits
  }

  public nonisolated func freshHref(for uid: ItemID, attempt: Int) -> Href {
    Href(freshFileName(for: uid, attempt: attempt, digest: access.digest))
  }

  public func carryOut(_ batch: [GuardedWrite]) async -> [WriteOutcome] {
    var outcomes = writer.carryOut(batch)
    for case .stored(let href, _, _) in outcomes.map(\.result) {
      if let name = FileName(href.spelling) { seen?[name] = SeenFile(statusIfKnown(name)) }
    }
    let renamed = maybeRenamed
    for index in outcomes.indices where outcomes[index].result == .removed {
      if renamed.contains(outcomes[index].href) { outcomes[index].result = .changedMeanwhile }
    }
    return outcomes
  }

  /// The names are enough: a draft's data is on disk before the draft gets an item's name.
  public func makeDurable() async throws(StorageError) {
    do throws(FileError) {
      try directory.sync()
    } catch {
      throw error.trouble("writing the folder", at: location.text)
    }
  }

  /// What was to be deleted and was not there any more, while there is a name that the last listing
  /// did not see: somebody may have renamed it, and then it is to go under its new name.
  private var maybeRenamed: Set<Href> {
    guard !writer.missing.isEmpty, let seen, let names = try? items(),
      names.contains(where: { seen[$0] == nil })
    else { return [] }
    return Set(writer.missing.map { Href($0.bytes) })
  }

  /// Fails with `.vanished` unless the path still leads to the folder that is open: a disk that is
  /// no longer mounted leaves an empty folder behind, which must not look like many deletions.
  @discardableResult
  nonisolated func requireSameDirectory() throws(StorageError) -> FileIdentity {
    let open: FileIdentity
    let there: FileIdentity
    do throws(FileError) {
      open = try directory.status().identity
      there = try location.open(access.files).status().identity
    } catch {
      throw error.trouble("looking at the folder", at: location.text)
    }
    guard open == there else { throw vanished("another folder has taken its place") }
    return open
  }

  /// When the folder was made, in nanoseconds since 1970; nil where the file system does not keep
  /// that. A folder that is removed and made anew may have the same identity.
  public nonisolated var birth: Int64? { access.files.birth(of: directory.descriptor) }

  nonisolated func vanished(_ why: String) -> StorageError {
    StorageError(
      .vanished, "the folder \(location.text) is not the one that was synced", why: why,
      hint: "check that the disk is mounted and the path is right")
  }

  nonisolated func items() throws(StorageError) -> [FileName] {
    do throws(FileError) {
      return try directory.list().filter(\.isItem).sorted()
    } catch {
      throw error.trouble("listing the folder", at: location.text)
    }
  }
}
