import ICalendar
import TestSupport

/// Edits of the kinds that people and their programs make, drawn at random.
struct RandomEdits {
  var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  mutating func edited(_ tree: SyntaxTree) -> SyntaxTree {
    var copy = tree
    for _ in 0..<random.number(1...5) { edit(&copy) }
    return SyntaxTree(bytes: copy.bytes)
  }

  private mutating func edit(_ tree: inout SyntaxTree) {
    let items = tree.calendars.flatMap(\.components).filter { !$0.isNamed("VTIMEZONE") }
    guard let item = items.randomElement(using: &random), let main = items.first else { return }
    let number = random.number(0...3)
    switch random.number(0...11) {
    case 0: try? tree.set(Property("SUMMARY", text: "title \(number)"), in: item.id)
    case 1: try? tree.set(Property("LOCATION", text: "place \(number)"), in: item.id)
    case 2: try? tree.removeProperties(named: "DESCRIPTION", in: item.id)
    case 3: try? tree.set(Property("X-COLOR", value: "c\(number)"), in: item.id)
    case 4: try? tree.insert(Property("COMMENT", text: "comment \(number)"), in: item.id)
    case 5:
      try? tree.insert(
        Property("ATTENDEE", value: "mailto:guest\(number)@example.org"), in: item.id)
    case 6: try? tree.set(Property("CATEGORIES", value: "A,C\(number)"), in: item.id)
    case 7: try? tree.set(Property("SEQUENCE", value: "\(5 + number)"), in: item.id)
    case 8:
      try? tree.set(Property("LAST-MODIFIED", value: "2026020\(1 + number)T000000Z"), in: item.id)
    case 9 where number < 2: setPlace("room \(number)", of: item, in: &tree)
    case 9:
      insert(
        "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT\(number)H\nEND:VALARM\n", into: item, in: &tree)
    case 10:
      if main.line(named: "RRULE") != nil {
        try? tree.insert(Property("EXDATE", value: "2026011\(2 + number)T090000"), in: main.id)
      }
    default:
      let lines = item.lines.filter { line in !Self.fixed.contains { line.isNamed($0) } }
      if let line = lines.randomElement(using: &random) { try? tree.remove(line.id) }
    }
  }

  /// A component that calgw has no rule for (RFC 9073 §7.2).
  private func setPlace(_ name: String, of item: Component, in tree: inout SyntaxTree) {
    if let place = item.components.first(where: { $0.isNamed("VLOCATION") }) {
      try? tree.set(Property("NAME", text: name), in: place.id)
    } else {
      insert("BEGIN:VLOCATION\nUID:place\nNAME:\(name)\nEND:VLOCATION\n", into: item, in: &tree)
    }
  }

  private func insert(_ text: String, into item: Component, in tree: inout SyntaxTree) {
    if let made = SyntaxTree(bytes: Self.bytes(text)).root.components.first {
      _ = try? tree.insert(made, in: item.id)
    }
  }

  private static let fixed = ["UID", "RECURRENCE-ID", "DTSTART", "DTEND", "DUE", "RRULE"]

  /// The same item in another layout.
  mutating func rewritten(_ tree: SyntaxTree) -> SyntaxTree {
    var copy = tree
    for component in copy.calendars.flatMap(\.components) where random.oneIn(2) {
      guard let line = component.lines.randomElement(using: &random), let property = line.property,
        component.lines.count(where: { $0.name == line.name }) == 1
      else { continue }
      try? copy.insert(property, in: component.id)
      try? copy.remove(line.id)
    }
    let text = String(decoding: copy.bytes, as: UTF8.self)
    return SyntaxTree(
      bytes: random.oneIn(2) ? Self.bytes(text.replacing("\r\n", with: "\n")) : copy.bytes)
  }

  /// The text with some bytes or lines that no program should write.
  mutating func broken(_ tree: SyntaxTree) -> SyntaxTree {
    var lines = tree.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      Array($0)
    }
    for _ in 0..<random.number(1...4) {
      let place = random.number(0...(lines.count - 1))
      switch random.number(0...4) {
      case 0: lines.remove(at: place)
      case 1: lines.insert(lines[random.number(0...(lines.count - 1))], at: place)
      case 2: lines[place] = Self.bytes("odd line")
      case 3: lines.insert(Self.bytes("RECURRENCE-ID:\(random.next())"), at: place)
      default: lines[place] = Array(lines[place].prefix(random.number(0...20)))
      }
      if lines.isEmpty { return tree }
    }
    return SyntaxTree(bytes: Array(lines.joined(separator: [0x0A])))
  }
}
