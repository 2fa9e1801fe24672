import Glibc
import ICalendar
import SQLiteJournal
public import SyncModel

/// An item that a command line named, as it was read: whatever replaces it expects this version.
public struct FoundItem: Sendable {
  public let folder: EventFolder
  public let href: Href
  public let uid: ItemID
  public let data: ItemData
  let version: Version
  let modified: Instant?
  let object: CalendarObject

  package init(
    folder: EventFolder, href: Href, uid: ItemID, data: ItemData, version: Version,
    modified: Instant?, object: CalendarObject
  ) {
    self.folder = folder
    self.href = href
    self.uid = uid
    self.data = data
    self.version = version
    self.modified = modified
    self.object = object
  }

  /// Its path, for people and JSON.
  public var file: ShownPath { folder.shownPath(of: href) }
  /// Its title; empty where it has none.
  public var summary: String { object.summary }
}

/// A whole text that holds one item.
package struct ItemText: Sendable {
  package let uid: ItemID
  package let object: CalendarObject

  /// Reads an item. What is none is status 65, with the line where one can be told.
  package init(_ bytes: [UInt8], file: String) throws(RunFailure) {
    let tree = try wholeTree(bytes, file: file)
    object = CalendarObject(tree)
    let uids = object.uids
    guard let first = uids.first else {
      throw .badItem(
        "no-uid", "\(file) has no component with a UID",
        line: object.components.first?.component.lineNumber,
        hint: "add a line UID: with a text that no other item has, or use `calgw import`")
    }
    guard uids.count == 1 else {
      throw .badItem(
        "several-uids", "\(file) holds \(uids.count) items with different UIDs",
        line: object.secondUID?.lineNumber,
        hint: object.hasFusedComponents
          ? "a component in it has several: keep one, and take the lines of the others out"
          : "split it: calgw import FILE --in DIR")
    }
    uid = ItemID(bytes: first)
  }
}

/// Reads a text that is a calendar from its first line to its last; what is none is status 65.
func wholeTree(_ bytes: [UInt8], file: String) throws(RunFailure) -> SyntaxTree {
  let tree = SyntaxTree(bytes: bytes)
  switch tree.wholeness {
  case .whole: return tree
  case .empty: throw .badItem("incomplete", "\(file) is empty", hint: "correct it")
  case .notCalendar(let line):
    throw .badItem(
      "not-icalendar", "\(file) is no iCalendar text", line: line,
      hint: "name a file that starts with BEGIN:VCALENDAR")
  case .cutOff(let line):
    throw .badItem(
      "incomplete", "\(file) is cut off: what begins there has no END", line: line,
      hint: "correct it")
  case .conflictMarker(let line):
    throw .badItem(
      "incomplete", "\(file) holds two versions that were not merged: see the conflict marker",
      line: line, hint: "keep the lines of one, and take the markers out")
  case .strayEnd(let line):
    throw .badItem(
      "incomplete", "\(file) has an END that closes nothing", line: line, hint: "correct it")
  case .notUTF8(let line):
    throw .badItem(
      "not-utf-8", "\(file) is not UTF-8", line: line,
      hint: "convert it to UTF-8, for example with iconv")
  case .tooLarge:
    throw .badItem("too-large", "\(file) is too large to be read", hint: "split it first")
  }
}

extension ItemFinder {
  /// The item that a file holds. Of what is no whole one any more the log may have a version.
  func itemText(_ data: ItemData, at href: Href, in folder: EventFolder)
    async throws(RunFailure) -> ItemText
  {
    do throws(RunFailure) {
      return try ItemText(data.bytes, file: folder.pathText(of: href))
    } catch {
      guard error.code == "incomplete", let file = text(folder.filePath(of: href)),
        await hasLog(of: href, in: folder)
      else { throw error }
      var failure = error
      let log = shellCommand("log", argument: file)
      failure.hint += ", or restore an earlier version with `\(log)` and `calgw restore ID`"
      throw failure
    }
  }

  /// What a storage says of a file that is no whole item, with its log where there is one.
  func failure(
    _ problem: ItemProblem, at href: Href, in folder: EventFolder
  ) async -> RunFailure {
    var failure = RunFailure(problem, place: folder.name)
    let placeholder = "`calgw log FILE`"
    guard failure.hint.contains(placeholder) else { return failure }
    if let file = text(folder.filePath(of: href)), await hasLog(of: href, in: folder) {
      let log = shellCommand("log", argument: file)
      failure.hint = failure.hint.replacing(placeholder, with: "`\(log)`")
    } else {
      failure.hint = "put a whole file in its place"
    }
    return failure
  }

  /// Nil for a path that cannot be pasted.
  private func text(_ path: [UInt8]) -> String? { String(validating: path, as: UTF8.self) }

  /// A pair has the folder, or the file was edited before.
  private func hasLog(of file: Href, in folder: EventFolder) async -> Bool {
    if folder.pair != nil { return true }
    let path = EditMemory.file(in: folders.configuration.stateDirectory)
    guard access(path, F_OK) == 0,
      let store = try? PairStore.openCopy(path: path, digest: liveDigest).store,
      let edits = try? await store.history(of: nil)
    else { return false }
    let name = nameText(folder.path).text
    return edits.contains { $0.collection == name && $0.recorded.entry.href == file }
  }
}

extension RunFailure {
  /// A file that is no item: status 65.
  static func badItem(_ code: String, _ message: String, line: Int? = nil, hint: String)
    -> RunFailure
  {
    RunFailure(
      .badInput, code: code, message: message, place: line.map { "line \($0)" } ?? "", hint: hint)
  }

  /// A file that is there and cannot be read.
  init(_ problem: ItemProblem, place: String) {
    self.init(
      problem.code == .unreadable ? .io : .badInput, code: problem.code.rawValue,
      message: problem.message, place: place, hint: problem.hint)
  }
}
