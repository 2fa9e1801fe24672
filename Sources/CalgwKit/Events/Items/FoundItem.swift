import ICalendar
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

  /// Its path, for people and JSON.
  public var file: String { folder.pathText(of: href) }
  /// Its title; empty where it has none.
  public var summary: String { object.summary }
}

/// A whole text that holds one item.
struct ItemText: Sendable {
  let uid: ItemID
  let object: CalendarObject

  /// Reads an item. What is none is status 65, with the line where one can be told.
  init(_ bytes: [UInt8], file: String) throws(RunFailure) {
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
        hint: "split it: calgw import FILE --in DIR")
    }
    uid = ItemID(bytes: first)
  }
}

/// Reads a text that is a calendar from its first line to its last; what is none is status 65.
func wholeTree(_ bytes: [UInt8], file: String) throws(RunFailure) -> SyntaxTree {
  let tree = SyntaxTree(bytes: bytes)
  let log = shellCommand("log", argument: file)
  let mend = "correct it, or restore an earlier version with `\(log)` and `calgw restore ID`"
  switch tree.wholeness {
  case .whole: return tree
  case .empty: throw .badItem("incomplete", "\(file) is empty", hint: mend)
  case .notCalendar(let line):
    throw .badItem(
      "not-icalendar", "\(file) is no iCalendar text", line: line,
      hint: "name a file that starts with BEGIN:VCALENDAR")
  case .cutOff(let line):
    throw .badItem(
      "incomplete", "\(file) is cut off: what begins there has no END", line: line, hint: mend)
  case .strayEnd(let line):
    throw .badItem(
      "incomplete", "\(file) has an END that closes nothing", line: line, hint: mend)
  case .notUTF8(let line):
    throw .badItem(
      "not-utf-8", "\(file) is not UTF-8", line: line,
      hint: "convert it to UTF-8, for example with iconv")
  case .tooLarge:
    throw .badItem("too-large", "\(file) is too large to be read", hint: "split it first")
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
