import FoundationEssentials
import Glibc
import ICalendar
import StreamStorage
import SyncModel
import TestSupport
import VdirStorage

/// A calendar in one file and the other program that edits it: on the model file system, or in a
/// fresh folder of the real disk.
final class FileFixture: StorageFixture {
  static let folder = "/calendars"
  static let name = "all.ics"

  let files: ModelFileSystem?
  let access: VdirAccess
  let stream: StreamStorage
  private let root: String

  /// - Parameter maxSize: in bytes, of the file.
  init(
    model files: ModelFileSystem = ModelFileSystem(), maxSize: Int = VdirAccess.usualMaxItemSize
  ) throws {
    if files.names(in: Self.folder) == nil { files.makeFolders(Self.folder) }
    self.files = files
    root = Self.folder
    access = VdirAccess(
      files: files, digest: sha256, surroundings: files.surroundings, maxItemSize: maxSize)
    stream = try Self.open(root, access)
  }

  init(disk: Void) throws {
    files = nil
    root =
      FileManager.default.temporaryDirectory.appending(path: "calgw-file-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    access = VdirAccess(
      digest: sha256,
      surroundings: Surroundings(
        now: { Instant(milliseconds: 1_767_000_000_000) },
        newUUID: { UUID().uuidString.lowercased() }, pause: Self.letOthersRun))
    stream = try Self.open(root, access)
  }

  /// A program that another test starts has this one's files open until its own text is loaded.
  private static func letOthersRun(_ milliseconds: Int64) async {
    await onOwnThread { for _ in 0..<100 { sched_yield() } }
  }

  deinit { if files == nil { try? FileManager.default.removeItem(atPath: root) } }

  static func open(_ root: String, _ access: VdirAccess) throws -> StreamStorage {
    let file = try CalendarFile.open(path: Array("\(root)/\(name)".utf8), access: access)
    return StreamStorage(
      file, options: StreamStorage.Options(digest: sha256, isKnownZone: { _ in true }))
  }

  /// Opens the file as the next run does.
  func reopened() throws -> StreamStorage { try Self.open(root, access) }

  var path: String { "\(root)/\(Self.name)" }

  var storage: any Storage { stream }

  func settle() { files?.advance(milliseconds: 10_000) }

  /// Compared by meaning: the head of the text is the file's.
  func sameContent(_ one: ItemData, _ other: ItemData) -> Bool {
    canonicalForm(of: SyntaxTree(bytes: one.bytes))
      == canonicalForm(of: SyntaxTree(bytes: other.bytes))
  }

  func put(_ href: Href, _ data: ItemData) throws {
    try change { try $0.put(data.bytes, as: href.spelling) }
  }

  func remove(_ href: Href) throws { try change { $0.remove(href.spelling) } }

  func content(of href: Href) -> ItemData? {
    CalendarStream(text ?? []).text(of: href.spelling).map(ItemData.init)
  }

  /// The paths of what calgw keeps on the disk beside the file.
  var hiddenNames: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: root).filter { $0.hasPrefix(".calgw-") }
        .sorted().map { "\(root)/\($0)" }
    }
  }

  private func change(_ make: (inout StreamEdit) throws -> Void) throws {
    var edit = StreamEdit(CalendarStream(text ?? []), isKnownZone: { _ in true })
    try make(&edit)
    try save(edit.bytes)
  }

  /// As an editor that writes a new file and renames it.
  func save(_ bytes: [UInt8]) throws {
    if let files { return files.save(Self.name, bytes, in: root) }
    try Data(bytes).save(to: URL(filePath: "\(root)/.editor"))
    guard rename("\(root)/.editor", "\(root)/\(Self.name)") == 0 else {
      throw FileError(.rename, errno)
    }
  }

  var text: [UInt8]? {
    if let files { return files.bytes(Self.name, in: root) }
    return FileManager.default.contents(atPath: "\(root)/\(Self.name)").map(Array.init)
  }
}
