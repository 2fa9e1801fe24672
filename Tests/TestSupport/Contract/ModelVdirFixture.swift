import Glibc
public import SyncModel
public import VdirStorage

/// A vdir on the model file system as the storage contract and other tests use it.
public struct ModelVdirFixture: StorageFixture {
  public static let path = "/vdir"

  public let files: ModelFileSystem
  public let vdir: VdirStorage
  public var storage: any Storage { vdir }

  public init(_ files: ModelFileSystem = ModelFileSystem()) throws(StorageError) {
    files.makeFolders(Self.path)
    self.files = files
    vdir = try Self.open(files)
  }

  /// Opens the folder anew, as the next run does.
  public static func open(_ files: ModelFileSystem) throws(StorageError) -> VdirStorage {
    try VdirStorage.open(
      path: Array(path.utf8),
      access: VdirAccess(files: files, digest: sha256, surroundings: files.surroundings))
  }

  public func put(_ href: Href, _ data: ItemData) {
    files.save(href.text, data.bytes, in: Self.path)
  }

  public func remove(_ href: Href) { files.remove(href.text, in: Self.path) }

  public func content(of href: Href) -> ItemData? {
    files.bytes(href.text, in: Self.path).map(ItemData.init)
  }

  public func settle() { files.advance(milliseconds: 10_000) }
}
