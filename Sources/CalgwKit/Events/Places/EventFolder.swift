import Glibc
public import SyncModel
import VdirStorage

/// A folder of items that an event command works on, whether a pair has it or not.
public struct EventFolder: Sendable, Hashable {
  /// Absolute and without symbolic links.
  public let path: [UInt8]
  /// The configured pair whose local side it belongs to; nil for any other folder.
  public let pair: String?
  /// The name of the collection in that pair.
  public let collection: String?

  package init(path: [UInt8], pair: String?, collection: String?) {
    self.path = path
    self.pair = pair
    self.collection = collection
  }

  /// `PAIR/COLLECTION`, else the path; for people.
  public var name: String {
    guard let pair, let collection else { return pathText }
    return "\(pair)/\(collection)"
  }

  /// The path for people and JSON, bytes that are not UTF-8 as `%XX`.
  public var pathText: String { nameText(path).text }

  /// The path of a file in it, likewise.
  public func pathText(of href: Href) -> String { shownPath(of: href).text }

  func shownPath(of href: Href) -> ShownPath { ShownPath(filePath(of: href)) }

  func filePath(of href: Href) -> [UInt8] {
    path == [UInt8(ascii: "/")] ? path + href.spelling : path + [UInt8(ascii: "/")] + href.spelling
  }

  /// The folder's own name: what a calendar is called in JSON.
  public var calendar: String {
    let last = path.split(separator: UInt8(ascii: "/")).last ?? []
    return String(decoding: last, as: UTF8.self)
  }
}

/// What opening folders needs of the world.
struct FolderAccess: Sendable {
  var vdir: VdirAccess

  func storage(_ folder: EventFolder) throws(RunFailure) -> VdirStorage {
    do throws(StorageError) {
      return try VdirStorage.open(path: folder.path, access: vdir)
    } catch {
      throw RunFailure(error, place: folder.name)
    }
  }

  /// Fails where nothing may be taken out of a folder, or made in it. That a single file is locked
  /// does not show here.
  ///
  /// - Parameter what: what cannot be done then, for people.
  func checkWritable(
    _ folder: EventFolder, creating: Bool, _ what: String
  ) throws(RunFailure) {
    guard faccessat(AT_FDCWD, cPath(folder.path), W_OK | X_OK, AT_EACCESS) != 0 else { return }
    let reason = errno
    let isForbidden = creating && reason == EACCES
    throw RunFailure(
      isForbidden ? .cannotCreate : .io, code: isForbidden ? "cannot-create" : "io",
      message: "\(what): the folder \(folder.pathText) may not be written to",
      place: folder.name, why: SystemError(reason).text,
      hint: "see that the folder is yours to write; nothing was changed")
  }

  /// The path without symbolic links; a missing folder is status 66, one that may not be read 74.
  func realPath(_ path: [UInt8]) throws(RunFailure) -> [UInt8] {
    do throws(FileError) {
      let real = try vdir.files.realPath(path)
      vdir.files.close(try vdir.files.openDirectory(path: real))
      return real
    } catch {
      guard !error.isDenied else {
        throw RunFailure(
          .io, code: "io", message: "the folder \(nameText(path).text) cannot be read",
          why: SystemError(error.code).text,
          hint: "see that it, and what it is in, is yours to read")
      }
      throw RunFailure(
        .missingInput, code: "no-such-folder",
        message: "there is no folder \(nameText(path).text)", why: SystemError(error.code).text,
        hint: "make it, or name one that is there")
    }
  }
}
