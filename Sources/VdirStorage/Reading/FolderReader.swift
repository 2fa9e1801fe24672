import CLinux
import Glibc

/// Reads a folder's items for who only looks: many in a short time, with three calls to the system
/// for each, from several threads at once.
///
/// What is odd about a file (it is no plain file, is empty, large, or cannot be read) is left to
/// `VdirStorage.read`, which looks twice and says what is wrong.
public final class FolderReader: Sendable {
  /// The path that it was opened by.
  public let path: [UInt8]
  /// The items, sorted by name.
  public let names: [FileName]
  /// Those that are no plain files: links, folders, FIFOs. They are never opened.
  public let others: [FileName]
  /// The folders among `others`, sorted: beside calendars they may be collections, too.
  public let itemFolders: [FileName]
  /// The folders in it that may be collections, sorted; hidden ones and links are none.
  public let folders: [FileName]
  private let descriptor: Descriptor

  /// Opens a folder and lists it. A link at the end of the path is followed: a person wrote it.
  public init(path: [UInt8]) throws(FileError) {
    self.path = path
    let files = LinuxFileSystem()
    descriptor = try files.openDirectory(path: path)
    do throws(FileError) {
      let listing = try Listing(of: descriptor)
      names = listing.names.sorted()
      others = listing.others.sorted()
      itemFolders = listing.itemFolders.sorted()
      folders = listing.folders.sorted()
    } catch {
      files.close(descriptor)
      throw error
    }
  }

  deinit { _ = Glibc.close(descriptor.number) }

  /// Room for a file, to be used for one after another by one thread.
  public struct Buffer: ~Copyable {
    fileprivate let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Empty.
    public init() { bytes = .allocate(capacity: FolderReader.fastSize) }

    deinit { bytes.deallocate() }
  }

  /// In bytes; nearly all items are smaller, and the others are read by other means.
  public static let fastSize = 64 * 1024

  /// Hands out a file's bytes, which are good until the body returns; nil where it has to be read
  /// by other means: it is large, empty, gone, or cannot be read.
  public func withBytes<Result>(
    of name: FileName, in buffer: borrowing Buffer, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    let file = withTerminated(name.bytes) {
      openat(descriptor.number, $0, clinux_open_read_flags)
    }
    guard file >= 0 else { return nil }
    defer { _ = Glibc.close(file) }
    let count = Glibc.read(file, buffer.bytes.baseAddress, buffer.bytes.count)
    guard count > 0, count < buffer.bytes.count else { return nil }
    return body(UnsafeBufferPointer(rebasing: buffer.bytes[..<count]))
  }

  private struct Listing {
    var names: [FileName] = []
    var others: [FileName] = []
    var itemFolders: [FileName] = []
    var folders: [FileName] = []

    init(of directory: Descriptor) throws(FileError) {
      let files = LinuxFileSystem()
      // A descriptor of its own, since reading a directory moves the position of its descriptor.
      let own = try opened(.list) { openat(directory.number, ".", clinux_open_directory_flags) }
      guard let stream = fdopendir(own.number) else {
        let code = errno
        files.close(own)
        throw FileError(.list, code)
      }
      defer { closedir(stream) }
      var seen = Set<FileName>()
      while true {
        var code: Int32 = 0
        var type: UInt8 = 0
        guard let next = clinux_next_entry(stream, &type, &code) else {
          guard code == 0 else { throw FileError(.list, code) }
          return
        }
        let bytes = Array(UnsafeRawBufferPointer(start: next, count: strlen(next)))
        // A name may come twice while entries are moved about.
        guard let name = FileName(bytes), seen.insert(name).inserted else { continue }
        try add(name, kind(of: name, type: type, in: directory))
      }
    }

    private func kind(of name: FileName, type: UInt8, in directory: Descriptor) throws(FileError)
      -> FileStatus.Kind
    {
      switch Int(type) {
      case Int(DT_REG): return .regular
      case Int(DT_DIR): return .directory
      case Int(DT_LNK): return .symbolicLink
      case Int(DT_UNKNOWN):
        do throws(FileError) {
          return try LinuxFileSystem().status(of: name, in: directory).kind
        } catch {
          // Gone meanwhile: reading says so.
          guard error.isNotThere else { throw error }
          return .regular
        }
      default: return .special
      }
    }

    private mutating func add(_ name: FileName, _ kind: FileStatus.Kind) throws(FileError) {
      if name.isItem {
        if kind == .regular { names.append(name) } else { others.append(name) }
        if kind == .directory { itemFolders.append(name) }
      } else if kind == .directory, name.bytes.first != UInt8(ascii: ".") {
        folders.append(name)
      }
    }
  }
}
