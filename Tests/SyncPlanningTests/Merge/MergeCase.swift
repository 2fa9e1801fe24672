import Foundation
import ICalendar
import SyncModel
import SyncPlanning
import TestSupport

/// A case of Fixtures/merge: a folder with the texts of an item before and after.
///
/// `base.ics` (none: the sides never agreed), `local.ics`, `remote.ics`, and `expected.ics` unless
/// it is a conflict; `base-remote.ics` and `expected-remote.ics` where the server keeps the item in
/// another form. `case.txt` says what it is about and, in lines of their own, which side is newer
/// (no line: it does not matter), why it is a conflict (and over which occurrence), what is lost,
/// and which side holds if it is not the newer one.
struct MergeCase {
  let name: String
  private(set) var newer: [String] = ["local", "remote", "unknown"]
  private(set) var conflict: String?
  private(set) var lost: [String] = []
  /// The side that holds though it is not the newer one.
  private(set) var holder: String?

  struct Malformed: Error { let line: String }

  static let all: [String] =
    (try? FileManager.default.contentsOfDirectory(
      atPath: Project.root.appending(path: "Fixtures/merge").path()))?.sorted() ?? []

  init(named name: String) throws {
    self.name = name
    let text = try Project.text("Fixtures/merge/\(name)/case.txt")
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      switch words.first {
      case "newer": newer = Array(words.dropFirst())
      case "conflict": conflict = words.dropFirst().joined(separator: " ")
      case "holds": holder = words.last
      case "lost": lost = Array(words.dropFirst())
      default: throw Malformed(line: String(line))
      }
    }
  }

  func bytes(_ file: String) -> [UInt8]? {
    (try? Project.text("Fixtures/merge/\(name)/\(file).ics")).map { Array($0.utf8) }
  }

  func tree(_ file: String) throws -> SyntaxTree {
    guard let bytes = bytes(file) else { throw Malformed(line: "\(name)/\(file).ics") }
    return SyntaxTree(bytes: bytes)
  }

  func base() throws -> BothSides<SyntaxTree>? {
    guard bytes("base") != nil else { return nil }
    let local = try tree("base")
    return BothSides(local, (try? tree("base-remote")) ?? local)
  }

  func merge(newer: String) throws -> MergeOutcome {
    SyncPlanning.merge(
      base: try base(), local: try tree("local"), remote: try tree("remote"),
      times: Self.times(newer: newer), zones: Self.zones)
  }

  static let zones = ItemZones(.machine)

  static func times(newer: String) -> EditTimes {
    let noon = Instant(seconds: 1_767_180_000)
    let later = Instant(seconds: 1_767_190_000)
    switch newer {
    case "local": return EditTimes(local: later, remote: noon)
    case "remote": return EditTimes(local: noon, remote: later)
    default: return EditTimes(local: nil, remote: noon)
    }
  }
}
