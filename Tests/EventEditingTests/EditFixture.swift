import EventEditing
import Foundation
import ICalendar
import Recurrence
import TestSupport
import Testing

/// A folder of `Fixtures/edits`. `edit.txt` has a comment, a command as on the command line, and
/// then `note:` lines, `refused:` with the message, or `deleted`.
struct EditFixture: CustomTestStringConvertible, Sendable {
  static let newUID = "new@example.org"
  static let folder = "Fixtures/edits"

  let name: String
  var command = ""
  var notes: [String] = []
  var refusal: String?
  var isDeleted = false

  var testDescription: String { name }

  enum Malformed: Error { case line(String) }

  static func all() throws -> [EditFixture] {
    try FileManager.default
      .contentsOfDirectory(atPath: Project.root.appending(path: folder).path())
      .sorted().map(EditFixture.init(name:))
  }

  init(name: String) throws {
    self.name = name
    for line in try Project.text("\(Self.folder)/\(name)/edit.txt").split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("note: ") {
        notes.append(String(line.dropFirst(6)))
      } else if line.hasPrefix("refused: ") {
        refusal = String(line.dropFirst(9))
      } else if line == "deleted" {
        isDeleted = true
      } else if line.hasPrefix("edit ") || line.hasPrefix("delete ") {
        command = String(line)
      } else {
        throw Malformed.line(String(line))
      }
    }
  }

  func has(_ file: String) -> Bool {
    FileManager.default.fileExists(
      atPath: Project.root.appending(path: "\(Self.folder)/\(name)/\(file)").path())
  }

  func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Project.root.appending(path: "\(Self.folder)/\(name)/\(file)")))
  }

  /// Does what the command says.
  func carryOut(on before: [UInt8]) throws(EditError) -> LinkedChange {
    let object = CalendarObject(SyntaxTree(bytes: before))
    var words = Self.words(of: command)[...]
    let verb = words.popFirst()
    var edit = EventEdit()
    var span = Span.allEvents
    var occurrence: GivenTime?
    var context = EditContext.forTests
    while let option = words.popFirst(), let value = words.popFirst() {
      switch option {
      case "--span": span = Span(rawValue: value) ?? span
      case "--occurrence": occurrence = try GivenTime(value)
      case "--start": edit.start = try GivenTime(value)
      case "--end": edit.end = try GivenTime(value)
      case "--duration": edit.duration = try CivilDuration(given: value)
      case "--rrule": edit.recurrence = value.isEmpty ? .removed : .rule(Array(value.utf8))
      case "--set": try edit.set(value)
      case "--tz": edit.form = value == "floating" ? .floating : .zone(TimeZoneName(value))
      case "--my-zone": context.zone = TimeZoneName(value)
      default: edit.setText(String(option.dropFirst(2)).uppercased(), to: value)
      }
    }
    guard verb == "edit" else {
      return try deleteEvent(object, span: span, occurrence: occurrence, context: context)
    }
    return try editEvent(object, edit, span: span, occurrence: occurrence, context: context)
  }

  /// Words as a shell cuts them, with single and double quotes.
  private static func words(of command: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in command {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let done = word { words.append(done) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}

extension EditContext {
  /// 2 January 2026, 12:00 UTC.
  static let forTests: EditContext = {
    guard let now = UTCDateTime(secondsSince1970: 1_767_355_200) else {
      preconditionFailure("a date of our own")
    }
    return EditContext(now: now, newUID: Array(EditFixture.newUID.utf8), catalog: .system)
  }()
}

extension ZoneCatalog {
  /// The zones of this machine.
  static let system = ZoneCatalog { name in
    FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name).map(Array.init)
  }
}
