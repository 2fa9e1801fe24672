import CalgwKit
import SyncModel
import TestSupport
import VdirStorage

/// A series of four occurrences in a folder of the model file system, and its split after the
/// second.
struct SplitWorld {
  static let old = series("old", [1, 2, 3, 4])
  static let shortened = series("old", [1, 2])
  static let new = series("new", [3, 4])

  let files = ModelFileSystem()
  let fuse = Fuse()
  var journal: MemoryJournal

  init() {
    files.makeFolders(ModelVdirFixture.path)
    files.save("old.ics", Self.old, in: ModelVdirFixture.path)
    journal = MemoryJournal(fuse: fuse)
  }

  /// A text that says which occurrences it has.
  static func series(_ uid: String, _ days: [Int]) -> [UInt8] {
    calendarText(
      "BEGIN:VEVENT", "UID:\(uid)", "X-DAYS:\(days.map { String($0) }.joined(separator: ","))",
      "END:VEVENT")
  }

  func desk() throws -> EditDesk {
    EditDesk(
      storage: try ModelVdirFixture.open(files), journal: journal, digest: sha256,
      surroundings: files.surroundings)
  }

  static var changes: [ItemChange] {
    let expected = Version(tag: nil, digest: sha256(old))
    return [
      ItemChange(
        ItemID("new"), .create(Href("new.ics"), ItemData(bytes: new)), reason: "split off"),
      ItemChange(
        ItemID("old"),
        .replace(
          Href("old.ics"), expecting: expected, old: ItemData(bytes: old),
          new: ItemData(bytes: shortened)), reason: "edited"),
    ]
  }

  /// A fresh program starts: what is durable is there.
  mutating func restart() {
    files.kill()
    journal = MemoryJournal(journal.state, fuse: fuse)
    fuse.replace()
  }

  subscript(name: String) -> [UInt8]? {
    get { files.bytes(name, in: ModelVdirFixture.path) }
    nonmutating set {
      if let newValue {
        files.save(name, newValue, in: ModelVdirFixture.path)
      } else {
        files.remove(name, in: ModelVdirFixture.path)
      }
    }
  }

  /// The occurrences that a reader of the folder sees, each as often as it is there.
  var visible: [Int] {
    let texts = (files.names(in: ModelVdirFixture.path) ?? []).filter { $0.hasSuffix(".ics") }
      .compactMap { self[$0] }
    return texts.flatMap { text in
      String(decoding: text, as: UTF8.self).split(separator: "\r\n")
        .filter { $0.hasPrefix("X-DAYS:") }
        .flatMap { $0.dropFirst(7).split(separator: ",").compactMap { Int($0) } }
    }.sorted()
  }
}
