import SyncModel

/// The way to a folder: a path that a person configured, or one of the folders in it.
struct VdirLocation: Sendable, Hashable {
  /// Links on this path are followed: a person wrote it.
  var root: [UInt8]
  /// The folder in it; nil for the root itself. A link here is not followed.
  var folder: FileName?

  var text: String {
    let path = String(decoding: root, as: UTF8.self)
    guard let folder else { return path }
    return path.hasSuffix("/") ? path + folder.text : "\(path)/\(folder.text)"
  }

  func open(_ files: any FileSystem) throws(FileError) -> OpenDirectory {
    let directory = OpenDirectory(try files.openDirectory(path: root), files: files)
    guard let folder else { return directory }
    return try directory.openDirectory(folder)
  }
}
