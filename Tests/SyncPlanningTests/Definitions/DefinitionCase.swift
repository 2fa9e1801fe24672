import ICalendar
import TestSupport

/// A case of Fixtures/zones/same-content.zones: one event with two definitions of its time zone.
struct DefinitionCase: CustomTestStringConvertible, Sendable {
  let name: String
  let definitions: [String]
  /// The lines of the event, then of each override.
  private(set) var components: [[String]] = [[]]
  private(set) var isSame = false

  var testDescription: String { name }

  struct Malformed: Error { let line: String }

  static let all: [DefinitionCase] = (try? read()) ?? []

  private static func read() throws -> [DefinitionCase] {
    let text = try Project.text("Fixtures/zones/same-content.zones")
    return try text.split(separator: "\n\n").dropFirst().map {
      try DefinitionCase($0.split(separator: "\n"))
    }
  }

  private init(_ lines: [Substring]) throws {
    guard lines.count > 3, lines[0].hasPrefix("# ") else {
      throw Malformed(line: lines.joined(separator: "\n"))
    }
    name = String(lines[0].dropFirst(2))
    definitions = lines[1].split(separator: " | ").map(String.init)
    for line in lines[2...] {
      switch line {
      case "--": components.append([])
      case "→ same": isSame = true
      case "→ differs": isSame = false
      default: components[components.count - 1].append(String(line))
      }
    }
    guard definitions.count == 2, lines.last?.hasPrefix("→") ?? false else {
      throw Malformed(line: name)
    }
  }

  /// The text of the event with one of the two definitions.
  func tree(_ index: Int) throws -> SyntaxTree {
    let definition =
      definitions[index] == "none"
      ? "" : try Project.text("Fixtures/zones/definitions/\(definitions[index]).ics")
    let events = components.map { lines in
      (["BEGIN:VEVENT", "UID:1@example.org"] + lines + ["SUMMARY:Dentist", "END:VEVENT", ""])
        .joined(separator: "\n")
    }
    let text =
      "BEGIN:VCALENDAR\nVERSION:2.0\n" + definition + events.joined() + "END:VCALENDAR\n"
    return SyntaxTree(bytes: Array(text.utf8))
  }
}
