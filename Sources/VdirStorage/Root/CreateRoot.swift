import Glibc
public import SyncModel

extension VdirRoot {
  /// More folders than this above a vdir are a mistake in the path.
  private static let deepestPath = 64

  /// Makes the root and the folders above it that are missing, durable when this is done. What is
  /// there already is left as it is. Fails with `.cannotCreate`.
  public static func create(path: [UInt8], access: VdirAccess) throws(StorageError) {
    try makeFolder(path, access, isForeseen: false)
  }

  /// The root as the one collection that it will be once it is made, for a run that makes nothing.
  /// Fails as `create(path:)` where something else is in its way.
  ///
  /// - Parameter realPath: Without symbolic links.
  public static func foresee(
    path: [UInt8], realPath: [UInt8], access: VdirAccess
  ) throws(StorageError) -> CollectionDescription {
    try makeFolder(path, access, isForeseen: true)
    return CollectionDescription(
      href: itself, name: lastName(of: realPath),
      identity: "new \(String(decoding: realPath, as: UTF8.self))")
  }

  private static func makeFolder(
    _ path: [UInt8], _ access: VdirAccess, isForeseen: Bool
  ) throws(StorageError) {
    do throws(FileError) {
      try makeFolder(path, files: access.files, depth: 0, isForeseen: isForeseen)
    } catch {
      var result = error.trouble("creating the folder", at: String(decoding: path, as: UTF8.self))
      if result.kind != .stopped { result.kind = .cannotCreate }
      throw result
    }
  }

  /// What is foreseen only is not made.
  private static func makeFolder(
    _ path: [UInt8], files: any FileSystem, depth: Int, isForeseen: Bool
  ) throws(FileError) {
    let missing: FileError
    do throws(FileError) {
      files.close(try files.openDirectory(path: path))
      return
    } catch {
      guard error.isNotThere, depth < deepestPath else { throw error }
      missing = error
    }
    let slash = UInt8(ascii: "/")
    var trimmed = path[...]
    while trimmed.count > 1, trimmed.last == slash { trimmed.removeLast() }
    let cut = trimmed.lastIndex(of: slash)
    guard let name = FileName(Array(trimmed[(cut.map { $0 + 1 } ?? 0)...])) else {
      throw FileError(.makeDirectory, EINVAL)
    }
    let parent = cut.map { Array(trimmed[..<max($0, 1)]) } ?? [UInt8(ascii: ".")]
    try makeFolder(parent, files: files, depth: depth + 1, isForeseen: isForeseen)
    guard let above = try openIfThere(parent, files, isForeseen: isForeseen) else { return }
    // A link that leads nowhere has the name: where it leads to may be a disk that is not mounted.
    if try above.statusIfThere(name)?.kind == .symbolicLink { throw missing }
    if isForeseen { return }
    do throws(FileError) {
      try above.makeDirectory(name, mode: 0o777)
    } catch {
      guard error.code == EEXIST else { throw error }
    }
    try above.sync()
  }

  /// The folder above; nil where it is foreseen, too, and so nothing is in it.
  private static func openIfThere(
    _ path: [UInt8], _ files: any FileSystem, isForeseen: Bool
  ) throws(FileError) -> OpenDirectory? {
    do throws(FileError) {
      return OpenDirectory(try files.openDirectory(path: path), files: files)
    } catch {
      guard isForeseen, error.isNotThere else { throw error }
      return nil
    }
  }
}
