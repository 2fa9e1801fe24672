import Foundation
import ICalendar
import Recurrence
import TestSupport
import Testing

/// A case of a file in `Fixtures/rrule`: content lines and the occurrences that they give.
struct RuleFixture: CustomTestStringConvertible, Sendable {
  var name: String
  var kind = "VEVENT"
  /// The lines of the main component, then of each override. The first may be empty.
  var components: [[String]] = [[]]
  var window: OccurrenceWindow?
  var expected: [String] = []
  /// More occurrences follow.
  var goesOn = false

  var testDescription: String { name }

  enum Malformed: Error { case line(String) }

  static func all(in file: String) throws -> [RuleFixture] {
    var fixtures: [RuleFixture] = []
    var comment: String?
    var list: String?
    func finish() {
      guard let text = list, !fixtures.isEmpty else { return }
      var entries = text.split(separator: ",", outside: "{", "}").map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if entries.last == "…" {
        entries.removeLast()
        fixtures[fixtures.count - 1].goesOn = true
      }
      fixtures[fixtures.count - 1].expected = entries.flatMap(expandBraces)
      list = nil
    }
    for line in try Project.text("Fixtures/rrule/\(file)").components(separatedBy: "\n") {
      if let text = list, line.hasPrefix("  ") {
        list = text + line
        continue
      }
      finish()
      if line.hasPrefix("# ") {
        comment = String(line.dropFirst(2))
        continue
      }
      if line.isEmpty { continue }
      if let name = comment {
        fixtures.append(RuleFixture(name: name))
        comment = nil
      }
      if line.hasPrefix("→ ") {
        list = String(line.dropFirst(2))
      } else if line == "→" {
        list = ""
      } else {
        try fixtures[fixtures.count - 1].add(line)
      }
    }
    finish()
    return fixtures
  }

  private mutating func add(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    if line == "--" {
      components.append([])
    } else if line == "todo" {
      kind = "VTODO"
    } else if words.count == 4, words[0] == "from", words[2] == "to" {
      guard let from = instant(words[1]), let to = instant(words[3]) else {
        throw Malformed.line(line)
      }
      window = OccurrenceWindow(from: from, to: to)
    } else {
      components[components.count - 1].append(line)
    }
  }

  private func instant(_ date: String) -> Int? {
    let parts = date.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    return CivilDate(year: parts[0], month: parts[1], day: parts[2])
      .map { $0.daysSince1970 * 86_400 }
  }

  /// The item as a text.
  var calendar: String {
    var lines = ["BEGIN:VCALENDAR", "VERSION:2.0"]
    for (index, component) in components.enumerated() where index > 0 || !component.isEmpty {
      lines += ["BEGIN:\(kind)", "UID:1"] + component + ["END:\(kind)"]
    }
    return (lines + ["END:VCALENDAR"]).joined(separator: "\r\n") + "\r\n"
  }

  /// What calgw makes of it, in the form of `expected`; each entry says no more than the expected
  /// one does. One more than expected is given where there is one.
  func actual() -> [String] {
    var findings: [ScheduleFinding] = []
    let object = CalendarObject(SyntaxTree(bytes: Array(calendar.utf8)))
    let set = RecurrenceSet(object, catalog: .system, findings: &findings)
    let found = set.occurrences(in: window ?? .all).prefix(expected.count + 1)
    return found.enumerated().map { index, occurrence in
      occurrence.text(like: index < expected.count ? expected[index] : "")
    }
  }
}

extension Occurrence {
  /// As a fixture writes it: `2026-01-31 09:00`, with offset and end where `model` has them.
  func text(like model: String) -> String {
    let parts = model.split(separator: "/")
    let first = start.text(isDate: isAllDay, like: parts.first.map(String.init) ?? "")
    guard parts.count == 2 else { return first }
    return first + "/" + end.text(isDate: isAllDay, like: String(parts[1]))
  }
}

extension OccurrenceTime {
  fileprivate func text(isDate: Bool, like model: String) -> String {
    guard let civil = CivilDateTime(secondsSince1970: wall) else { return "after 9999" }
    let day = civil.date.description
    guard !isDate else { return day }
    let clock = civil.description.dropFirst(11)
    let text = day + " " + (civil.second == 0 ? clock.prefix(5) : clock)
    let hasOffset = model.dropFirst(11).contains { $0 == "+" || $0 == "-" }
    guard hasOffset else { return text }
    guard let offset else { return text + " floating" }
    let size = abs(offset) / 60
    let pad = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
    return text + (offset < 0 ? "-" : "+") + pad(size / 60) + ":" + pad(size % 60)
  }
}

extension ZoneCatalog {
  /// The zones of this machine.
  static let system = ZoneCatalog { name in
    FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name).map(Array.init)
  }
}

extension String {
  fileprivate func split(
    separator: Character, outside open: Character, _ close: Character
  ) -> [String] {
    var parts = [""]
    var depth = 0
    for character in self {
      if character == open { depth += 1 }
      if character == close { depth -= 1 }
      if character == separator, depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

/// `1997-09-{02-04} 09:00` is three dates; the first braces change slowest.
private func expandBraces(_ text: String) -> [String] {
  guard let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}") else {
    return text.isEmpty ? [] : [text]
  }
  let inner = text[text.index(after: open)..<close].split(separator: ",")
  let values = inner.flatMap { item -> [String] in
    let ends = item.split(separator: "-").map(String.init)
    guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first <= last else {
      return [String(item)]
    }
    return (first...last).map {
      let digits = String($0)
      return String(repeating: "0", count: max(0, ends[0].count - digits.count)) + digits
    }
  }
  return values.flatMap {
    expandBraces(text[..<open] + $0 + text[text.index(after: close)...])
  }
}

/// The bytes of a zone of this machine.
func systemZone(_ name: String) -> [UInt8]? {
  FileManager.default.contents(atPath: "/usr/share/zoneinfo/" + name).map(Array.init)
}
