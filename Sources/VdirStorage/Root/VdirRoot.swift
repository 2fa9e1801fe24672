public import SyncModel

/// The folder that holds a vdir's collections, each of them a folder in it; or is itself the one
/// collection.
///
/// Hidden folders and symbolic links in it are no collections. The root itself may be a link: a
/// person configured it.
public actor VdirRoot: CollectionHost {
  /// The root itself as a collection has this address.
  public static let itself = Href(".")

  nonisolated let access: VdirAccess
  nonisolated let path: [UInt8]
  /// Without symbolic links: a part of every collection's identity.
  nonisolated let realPath: [UInt8]
  nonisolated let directory: OpenDirectory
  /// It was made to be opened.
  public nonisolated let isNew: Bool
  private nonisolated let executor: ChosenExecutor
  /// Files beside the folders that look like items, as the last listing saw them, sorted: they are
  /// in no collection.
  public private(set) var strays: [FileName] = []

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unowned }

  /// Opens the root. Fails with `.vanished` where there is none: making it is `create(path:)`, a
  /// step of its own, since an empty folder where a vdir should be looks like many deletions.
  ///
  /// - Parameter isNew: That step came right before.
  public static func open(
    path: [UInt8], access: VdirAccess, isNew: Bool = false
  ) throws(StorageError) -> VdirRoot {
    do throws(FileError) {
      let directory = try VdirLocation(root: path).open(access.files)
      return VdirRoot(
        directory, path: path, realPath: try access.files.realPath(path), access: access,
        isNew: isNew)
    } catch {
      throw error.trouble("opening the folder", at: String(decoding: path, as: UTF8.self))
    }
  }

  private init(
    _ directory: OpenDirectory, path: [UInt8], realPath: [UInt8], access: VdirAccess, isNew: Bool
  ) {
    self.directory = directory
    self.path = path
    self.realPath = realPath
    self.access = access
    self.isNew = isNew
    executor = ChosenExecutor(access.executor)
  }

  public func listCollections() async throws(StorageError) -> [CollectionDescription] {
    do throws(FileError) {
      var result: [CollectionDescription] = []
      strays = []
      for name in try directory.list().sorted() where isCollectionName(name) {
        guard let status = try directory.statusIfThere(name) else { continue }
        if status.kind == .regular, name.isItem { strays.append(name) }
        guard status.kind == .directory else { continue }
        if let found = try describeIfStillThere(name, status) { result.append(found) }
      }
      return result
    } catch {
      throw trouble(error, "listing the folders of")
    }
  }

  /// The root as the one collection, for a vdir that is a single folder of items.
  public func describeItself() async throws(StorageError) -> CollectionDescription {
    do throws(FileError) {
      return try describe(directory, name: nil)
    } catch {
      throw trouble(error, "looking at the folder")
    }
  }

  /// Makes a folder and its metadata, durable when this is done. Fails with `.cannotCreate`, also
  /// where the name is taken.
  public func createCollection(_ proposal: CollectionProposal) async throws(StorageError)
    -> CollectionDescription
  {
    guard let name = FileName(proposal.name), isCollectionName(name) else {
      throw StorageError(
        .cannotCreate, "\(proposal.name.debugDescription) cannot be the name of a folder",
        hint: "choose a name without slashes that does not begin with a dot")
    }
    do throws(FileError) {
      // The umask takes away what the user does not want others to have.
      try directory.makeDirectory(name, mode: 0o777)
      let folder = try directory.openDirectory(name)
      try writeMetadata(proposal, into: folder)
      try directory.sync()
      return try describe(folder, name: name)
    } catch {
      if let taken = linkInTheWay(name) { throw taken }
      var result = trouble(error, "creating the folder \(name.text) in")
      if result.kind != .stopped { result.kind = .cannotCreate }
      throw result
    }
  }

  /// A symbolic link in the place of a folder is followed nowhere: it may lead anywhere, and to
  /// another place at each look.
  private func linkInTheWay(_ name: FileName) -> StorageError? {
    guard let what = notAFolder(name) else { return nil }
    return StorageError(
      .cannotCreate, "\(name.text) in \(String(decoding: path, as: UTF8.self)) is \(what)",
      hint: "put the folder itself there, or take it away")
  }

  private func notAFolder(_ name: FileName) -> String? {
    guard let status = try? directory.statusIfThere(name), status.kind != .directory else {
      return nil
    }
    return status.kind == .symbolicLink
      ? "a symbolic link, which is not followed"
      : "something else than a folder"
  }

  /// What has the name of a folder and is none, in words; nil where there is nothing, or a folder.
  public func stands(at collection: Href) -> String? {
    FileName(collection.spelling).flatMap(notAFolder)
  }

  /// Fails with `.vanished` where the folder is no longer the one that was described.
  public func open(_ collection: CollectionDescription) async throws(StorageError) -> any Storage {
    try openFolder(collection)
  }

  /// The same, for who needs a vdir's own abilities.
  public func openFolder(_ collection: CollectionDescription) throws(StorageError)
    -> VdirStorage
  {
    let storage = try VdirStorage.open(try location(of: collection), access: access)
    let identity: String
    do throws(FileError) {
      identity = try describe(storage.directory, name: storage.location.folder).identity
    } catch {
      throw trouble(error, "looking at the folder")
    }
    guard identity == collection.identity else {
      throw storage.vanished("another folder has taken its place")
    }
    return storage
  }

  /// The folder holds something worth a counterpart elsewhere: an item, or a display name.
  public func isInUse(_ collection: CollectionDescription) async throws(StorageError) -> Bool {
    if collection.displayName != nil { return true }
    let folder = try openFolder(collection)
    for name in try folder.items() {
      do throws(FileError) {
        if try folder.directory.statusIfThere(name)?.kind == .regular { return true }
      } catch {
        throw trouble(error, "looking at the files of")
      }
    }
    return false
  }

  nonisolated func location(of collection: CollectionDescription) throws(StorageError)
    -> VdirLocation
  {
    if collection.href == Self.itself { return VdirLocation(root: path) }
    guard let name = FileName(collection.href.spelling), isCollectionName(name) else {
      throw StorageError(
        .vanished, "\(collection.name.debugDescription) is no folder's name",
        hint: "name a folder in the vdir, without slashes and without a dot at its beginning")
    }
    return VdirLocation(root: path, folder: name)
  }

  func describe(_ folder: OpenDirectory, name: FileName?) throws(FileError)
    -> CollectionDescription
  {
    describe(try folder.status().identity, name, folder)
  }

  /// Without the folder, what it says of itself is left out.
  private func describe(_ identity: FileIdentity, _ name: FileName?, _ folder: OpenDirectory?)
    -> CollectionDescription
  {
    var real = realPath
    if let name {
      if real.last != UInt8(ascii: "/") { real.append(UInt8(ascii: "/")) }
      real += name.bytes
    }
    var description = CollectionDescription(
      href: name.map { Href($0.bytes) } ?? Self.itself, name: Self.lastName(of: real),
      identity:
        "\(String(decoding: real, as: UTF8.self)) \(identity.device) \(identity.inode)")
    for key in MetadataKey.allCases {
      switch folder?.metadata(key) {
      case .value(let value)?: description[key] = value
      case .odd(let why)?: description.oddValues[key] = why
      case .absent?, nil: continue
      }
    }
    return description
  }

  static func lastName(of path: [UInt8]) -> String {
    let last = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    return String(decoding: last, as: UTF8.self)
  }

  /// Nil where it went away, or became something else, since it was listed. One that may not be
  /// read is there all the same: whoever opens it gets the error, and the others go their way.
  private func describeIfStillThere(_ name: FileName, _ status: FileStatus) throws(FileError)
    -> CollectionDescription?
  {
    let folder: OpenDirectory
    do throws(FileError) {
      folder = try directory.openDirectory(name)
    } catch {
      if error.isDenied { return describe(status.identity, name, nil) }
      guard error.isNotThere || error.isLinkOrFile else { throw error }
      return nil
    }
    return try describe(folder, name: name)
  }

  private nonisolated func isCollectionName(_ name: FileName) -> Bool {
    name.bytes.first != UInt8(ascii: ".")
  }

  private func trouble(_ error: FileError, _ what: String) -> StorageError {
    error.trouble(what, at: String(decoding: path, as: UTF8.self))
  }
}
