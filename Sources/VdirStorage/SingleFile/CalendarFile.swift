public import SyncModel

/// A calendar in one file, read and replaced with the same care as the items of a vdir.
public final class CalendarFile: StreamSource {
  /// The path as it was configured.
  public let name: String
  public let isReadOnly = false
  /// What makes it the same file as last time: its path without links. A file that is replaced has
  /// a new inode each time.
  public let identity: String
  /// The same, of any bytes.
  private let realPath: [UInt8]
  private let folder: VdirStorage
  private let fileName: FileName
  /// Each waits a second at most. Who changes the file all the while is not done with it.
  private static let looksForRest = 3
  private var href: Href { Href(fileName.bytes) }

  public var maxSize: Int? { folder.access.maxItemSize }

  /// Opens the folder of a file; the file itself need not be there.
  ///
  /// A link at the end of the path is followed: a person wrote it. Fails with `.vanished` where
  /// there is no folder or the link leads nowhere, and with `.io` where the name does not end in
  /// `.ics`.
  public static func open(path: [UInt8], access: VdirAccess) throws(StorageError) -> CalendarFile {
    let text = String(decoding: path, as: UTF8.self)
    let real = try realPath(path, text, access)
    guard let (parent, name) = split(real), name.isItem else {
      throw StorageError(
        .io, "\(text) cannot be a calendar in one file",
        why: (real == path
          ? "its name" : "it is \(String(decoding: real, as: UTF8.self)), whose name")
          + " does not end in .ics, or begins with a dot",
        hint: "give it a name such as calendar.ics")
    }
    return CalendarFile(
      name: text, realPath: real,
      folder: try VdirStorage.open(path: parent, access: access), fileName: name)
  }

  private init(name: String, realPath: [UInt8], folder: VdirStorage, fileName: FileName) {
    self.name = name
    self.realPath = realPath
    identity = String(decoding: realPath, as: UTF8.self)
    self.folder = folder
    self.fileName = fileName
  }

  private static func realPath(_ path: [UInt8], _ text: String, _ access: VdirAccess)
    throws(StorageError) -> [UInt8]
  {
    do throws(FileError) {
      return try access.files.realPath(path)
    } catch {
      guard error.isNotThere, let (parent, name) = split(path) else {
        throw error.trouble("opening the folder of", at: text)
      }
      return try pathToBe(of: name, in: parent, text, access.files)
    }
  }

  /// A file that is not there yet has the path of its folder. Not so where a link has its name that
  /// leads nowhere: as another path, that would make the file another one than the one synced.
  private static func pathToBe(
    of name: FileName, in parent: [UInt8], _ text: String, _ files: any FileSystem
  ) throws(StorageError) -> [UInt8] {
    let folder: [UInt8]
    let status: FileStatus?
    do throws(FileError) {
      folder = try files.realPath(parent)
      let directory = OpenDirectory(try files.openDirectory(path: folder), files: files)
      status = try directory.statusIfThere(name)
    } catch {
      throw error.trouble("opening the folder of", at: text)
    }
    guard status?.kind != .symbolicLink else {
      throw StorageError(
        .vanished, "\(text) is a link to a file that is not there",
        hint: "check that the disk with that file is mounted, put the file back, or point the link"
          + " at one that is there; nothing is deleted meanwhile")
    }
    return folder + (folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name.bytes
  }

  /// Folder and name.
  private static func split(_ path: [UInt8]) -> ([UInt8], FileName)? {
    guard let cut = path.lastIndex(of: UInt8(ascii: "/")),
      let name = FileName(Array(path[(cut + 1)...]))
    else { return FileName(path).map { ([UInt8(ascii: ".")], $0) } }
    return (Array(path[..<max(cut, 1)]), name)
  }

  /// Something has its name.
  public var isThere: Bool { (try? folder.access.files.realPath(realPath)) != nil }

  /// Locks the folder against other writing runs: what a killed one left there is tidied up.
  public func lock() throws(StorageError) -> VdirLock {
    try VdirLock(folder.location, files: folder.access.files)
  }

  /// Fails while a program has the file open for writing: what it holds then may be half of what
  /// that program is about to save, and whole all the same.
  public func fetch(unless known: StreamState?) async throws(StorageError) -> FetchedStream {
    guard try await !folder.isBeingWritten(fileName) else {
      throw StorageError(
        .io, "\(name) cannot be used", why: "another program has it open for writing",
        hint: "let that program finish, or close the file there, and sync again; nothing is deleted"
          + " meanwhile")
    }
    guard let outcome = try await folder.read([href]).first else { return .absent }
    switch outcome.result {
    case .missing: return .absent
    case .found(let version, let data, _):
      return .text(data, version, StreamState(bytes: version.digest.bytes))
    case .problem(let problem):
      throw StorageError(
        .io, "\(name) cannot be used", why: problem.message,
        hint: "\(mend(of: problem)); nothing is deleted meanwhile")
    }
  }

  /// Of a file that is in place and was not changed for a second.
  public func fetchAtRest(
    unless known: StreamState?
  ) async throws(StorageError) -> FetchedStream? {
    for _ in 0..<Self.looksForRest {
      let atRest = try await folder.fingerprintAtRest(fileName)
      let fetched = try await fetch(unless: known)
      guard case .text(_, let version, _) = fetched else { return fetched }
      if let atRest, version.tag == atRest { return fetched }
    }
    return nil
  }

  /// No log has the text as a whole, and to take it away deletes nothing.
  private func mend(of problem: ItemProblem) -> String {
    switch problem.code {
    case .incomplete: "save it again, or put it back from a copy"
    case .notAFile: "put the file itself in its place"
    case .tooLarge: "split it into several calendars"
    case .noUID, .severalUIDs, .duplicateUID, .unreadable, .refused, .readOnly, .unsupported,
      .brokenRemote, .collectionGone, .massDelete, .unguarded:
      problem.hint
    }
  }

  public func replace(_ expected: Version?, with text: ItemData) async -> WriteOutcome {
    // What that program writes next would go into the file that was replaced. It may have come
    // since the file was read: the other side was read and written to meanwhile.
    if (try? await folder.isBeingWritten(fileName)) == true {
      return WriteOutcome(href: href, result: .changedMeanwhile)
    }
    let write: GuardedWrite =
      expected.map { .replace(href, expecting: $0, with: text) } ?? .create(href, text)
    let outcomes = await folder.carryOut([write])
    return outcomes.first ?? WriteOutcome(href: href, result: .changedMeanwhile)
  }

  public func displaced() async throws(StorageError) -> [DisplacedFile] {
    try await folder.displaced().filter { $0.href == href }
  }

  public func discard(_ files: [DisplacedFile]) async throws(StorageError) {
    try await folder.discard(files)
  }

  public func makeDurable() async throws(StorageError) { try await folder.makeDurable() }
}
