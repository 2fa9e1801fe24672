import SyncModel
import TestSupport
import Testing
import VdirStorage

/// A vdir on the model with three items, and one batch that replaces, deletes and creates.
struct Scene {
  static let path = ModelVdirFixture.path
  static let old = text("old")
  static let new = text("new")
  static let doomed = text("doomed")
  static let created = text("created")
  static let edited = text("edited by a person")
  static let editedAgain = text("edited by a person once more")

  let files = ModelFileSystem()
  var vdir: VdirStorage
  let batch: [GuardedWrite]

  /// The whole batch, or the part that concerns one item.
  init(only name: String? = nil) async throws {
    files.makeFolders(Self.path)
    files.save("replace.ics", Self.old, in: Self.path)
    files.save("delete.ics", Self.doomed, in: Self.path)
    files.save("other.ics", Self.text("other"), in: Self.path)
    vdir = try ModelVdirFixture.open(files)
    let read = try await vdir.read([Href("replace.ics"), Href("delete.ics")])
    let versions = read.compactMap(\.version)
    try #require(versions.count == 2)
    let whole: [GuardedWrite] = [
      .replace(Href("replace.ics"), expecting: versions[0], with: ItemData(bytes: Self.new)),
      .delete(Href("delete.ics"), expecting: versions[1]),
      .create(Href("create.ics"), ItemData(bytes: Self.created)),
    ]
    batch = whole.filter { name == nil || $0.href.text == name }
  }

  static func text(_ summary: String) -> [UInt8] { StorageContract.event("uid", summary).bytes }

  subscript(name: String) -> [UInt8]? { files.bytes(name, in: Self.path) }

  var names: [String] { files.names(in: Self.path) ?? [] }
  var hiddenNames: [String] { names.filter { $0.hasPrefix(".") } }

  func save(_ name: String, _ bytes: [UInt8]) { files.save(name, bytes, in: Self.path) }

  /// Opens the vdir as the next run does.
  mutating func reopen() throws { vdir = try ModelVdirFixture.open(files) }

  /// The calls of the port that the batch makes when nobody disturbs it.
  static func countCalls(only name: String? = nil) async throws -> Int {
    let scene = try await Scene(only: name)
    let counter = CallCounter()
    scene.files.onCall { _, _ in counter.next() }
    _ = await scene.vdir.carryOut(scene.batch)
    return counter.count
  }

  /// The changes that the batch makes when nobody disturbs it.
  static func countEffects(only name: String? = nil) async throws -> Int {
    let scene = try await Scene(only: name)
    _ = await scene.vdir.carryOut(scene.batch)
    return scene.files.effects
  }
}

extension ReadOutcome {
  var version: Version? {
    if case .found(let version, _, _) = result { version } else { nil }
  }

  var problem: ItemProblem.Code? {
    if case .problem(let problem) = result { problem.code } else { nil }
  }
}

extension WriteOutcome {
  var storedVersion: Version? {
    if case .stored(_, let version, _) = result { version } else { nil }
  }

  var failure: StorageError? {
    if case .failed(let error) = result { error } else { nil }
  }
}
